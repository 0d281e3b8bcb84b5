"""Digraph tiles are understood alike everywhere: in words, racks, boards, plays, exchanges and last moves.

What is written is always read back; what is written without brackets is read as it fits.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.lexicon.queries.pattern import read_word
from engine.position import BLANK_FLAG, Board, Play, Rack, format_move, parse_move
from engine.records import parse_cgp, read_gcg, replay_game
from engine.rules import TileSet, tile_set
from engine.search.opponent import read_last_move
from tests.rules.strategies import letter_items, tile_sets

SPANISH, CATALAN = tile_set("spanish"), tile_set("catalan")
EMPTY = "/".join(["15"] * 15)


def board(row: str, tiles: TileSet = SPANISH) -> Board:
    return Board.from_text("/".join([*["15"] * 7, row, *["15"] * 7]), tiles.alphabet, 15)


def played(text: str, rack: str | None = None, row: str = "15", tiles: TileSet = SPANISH) -> str:
    held = None if rack is None else Rack.from_text(rack, tiles.alphabet)
    return format_move(parse_move(text, board(row, tiles), tiles, rack=held), tiles)


@pytest.mark.parametrize(
    ("text", "rack", "row", "move"),
    [
        ("8H CHICO", "[CH]ICOAES", "15", "8H [CH]ICO"),
        ("8H CHICO", "CHICOAE", "15", "8H [C]HICO"),
        ("8H CHICO", "[CH]CHICO", "15", "8H [CH]ICO"),  # both can be played: as a word list has it
        ("8H CHICO", "AEIOU", "15", "8H [CH]ICO"),  # neither can
        ("8H CHICO", None, "15", "8H [CH]ICO"),
        ("8H CHICO", "?ICOAES", "15", "8H [CH]ICO"),
        ("8H chICO", "?ICOAES", "15", "8H [ch]ICO"),
        ("8H chICO", "??ICOAE", "15", "8H [ch]ICO"),
        ("8H c[h]ICO", "??ICOAE", "15", "8H [c]hICO"),
        ("8H [CH]ICO", "CHICO", "15", "8H [CH]ICO"),
        ("8H [C]HICO", "[CH]ICO", "15", "8H [C]HICO"),
        ("8H CHICOS", "[CH]ICOS", "7[CH]7", "8H .ICOS"),
        ("8H CHICOS", "CHICOS", "7C7", "8H .HICOS"),
        ("8H CHICOS", None, "8H6", "8H C.ICOS"),
        ("8H (CH)ICO", None, "7[CH]7", "8H .ICO"),
        ("8H (CH)ICO", None, "7CH6", "8H ..ICO"),
        ("8K CALLAR", None, "12[LL]2", "8K CA.AR"),
        ("8I CALLAR", None, "10L4", "8I CA.LAR"),
        ("8H CORRER", "CO[RR]ER", "15", "8H CO[RR]ER"),
        ("8H corrER", "ERA????", "15", "8H co[rr]ER"),
        ("8H CÁLIDO", "CALIDO", "15", "8H CALIDO"),
        ("8H Cálido", "CALIDO", "15", "8H Calido"),
        ("8H ÑU\u0301", "ÑU", "15", "8H ÑU"),
        ("8H N\u0303U", "ÑU", "15", "8H ÑU"),
        ("-CH", "[CH]AEIOU?", "15", "-[CH]"),
        ("-CH", "CHAEIO", "15", "-CH"),
        ("-CH", "C[CH]AEIO", "15", "-[CH]"),
        ("-ACHCH", "[CH]CHAEI", "15", "-AC[CH]H"),
        ("-CH", None, "15", "-CH"),
    ],
)
def test_a_spanish_move_is_read_as_board_and_rack_allow(
    text: str, rack: str | None, row: str, move: str
) -> None:
    assert played(text, rack, row) == move
    assert played(move, rack, row) == move


@pytest.mark.parametrize(
    ("text", "row", "move"),
    [
        ("8D ANYS", "15", "8D A[NY]S"),
        ("8D QUI", "15", "8D [QU]I"),
        ("8D COL·LEGI", "15", "8D CO[L·L]EGI"),
        ("8D COL.LEGI", "15", "8D CO[L·L]EGI"),
        ("8D COL-LEGI", "15", "8D CO[L·L]EGI"),
        ("8D COĿLEGI", "15", "8D CO[L·L]EGI"),
        ("8D col·legi", "15", "8D co[l·l]egi"),
        ("8D CEL.LA", "6E8", "8D CEL.LA"),  # the dot stands for a tile of the board
        ("8D CEL.LA", "15", "8D CE[L·L]A"),
        ("8D COL.LEGI", "5[L·L]9", "8D CO.EGI"),
        ("8D FEIÇ", "15", "8D FEIÇ"),
        ("8D ÈXIT", "15", "8D EXIT"),
        ("8D IN\u0303Y", "15", "8D I[NY]"),
    ],
)
def test_a_catalan_move_is_read_as_the_board_allows(text: str, row: str, move: str) -> None:
    assert played(text, None, row, CATALAN) == move
    assert played(move, None, row, CATALAN) == move


@pytest.mark.parametrize(
    ("text", "tiles", "written"),
    [
        ("CHICO", SPANISH, "CCHIO"),
        ("[CH]ICO", SPANISH, "C[CH]IO"),
        ("AELL?", SPANISH, "AELL?"),
        ("AE[LL]?", SPANISH, "AE[LL]?"),
        ("ANY", CATALAN, "A[NY]"),
        ("QUA", CATALAN, "A[QU]"),
        ("AL·LE", CATALAN, "AE[L·L]"),
        ("A[L.L]E", CATALAN, "AE[L·L]"),
        ("AL-LE", CATALAN, "AE[L·L]"),
        ("LLA", CATALAN, "ALL"),
    ],
)
def test_a_rack_takes_single_letters_where_it_can(text: str, tiles: TileSet, written: str) -> None:
    rack = Rack.from_text(text, tiles.alphabet)
    assert sorted(rack.text(tiles.alphabet)) == sorted(written)
    assert Rack.from_text(rack.text(tiles.alphabet), tiles.alphabet) == rack


@pytest.mark.parametrize(
    ("rack", "tiles"), [("CHICO", "CCHIO"), ("[CH]ICO", "C[CH]IO"), ("[C]HICO", "CCHIO")]
)
def test_an_upper_case_letter_of_a_cgp_is_a_tile(rack: str, tiles: str) -> None:
    """A tile of two characters is in brackets in a CGP, so a rack is never read as the longer tile."""
    position = parse_cgp(f"{EMPTY} {rack}/ 0/0 0 ld spanish;")
    assert sorted(position.rack) == sorted(Rack.from_text(tiles, SPANISH.alphabet))


@pytest.mark.parametrize("text", ["ch", "[ch]", "ny", "Á"])
def test_a_rack_holds_no_blank_with_a_letter_and_no_accent(text: str) -> None:
    with pytest.raises(InvalidInput, match="in the rack") as caught:
        Rack.from_text(text, CATALAN.alphabet)
    assert caught.value.params["text"]


@pytest.mark.parametrize("word", ["CHICO", "chico", "[CH]ICO", "[ch]ico", "Chico", "chicó", "[CH]icó"])
def test_a_word_takes_the_longest_tiles(word: str) -> None:
    assert SPANISH.alphabet.text(read_word(word, SPANISH.alphabet)) == "[CH]ICO"


@pytest.mark.parametrize("word", ["COL·LEGI", "col.legi", "COL-LEGI", "co[l·l]egi", "COĿLEGI"])
def test_a_catalan_word(word: str) -> None:
    assert CATALAN.alphabet.text(read_word(word, CATALAN.alphabet)) == "CO[L·L]EGI"


def test_a_board_row_is_as_wide_as_the_board() -> None:
    rows = ["." * 15] * 15
    for row, read in (
        (".....CHICO.....", ".....CHICO....."),
        (".....CHICO......", ".....[CH]ICO......"),
        ("CHICO............", None),
        ("....chico.......", "....[ch]ico......."),
        ("....[CH]ICO.......", "....[CH]ICO......."),
        ("CHICO..LLAMA....", None),  # one of both is a tile of two letters: which?
        ("CHICO..LLAMA.....", "[CH]ICO..[LL]AMA....."),
        ("CHICO.[LL]AMA.....", "CHICO.[LL]AMA....."),
        ("CHICO.[LL]AMA......", "[CH]ICO.[LL]AMA......"),
    ):
        given = [*rows[:7], row, *rows[8:]]
        if read is None:
            with pytest.raises(InvalidInput) as caught:
                Board.from_rows(given, SPANISH.alphabet, 15)
            assert caught.value.code in ("bad_row_width", "ambiguous_tiles")
            assert caught.value.params["row"] == 8
        else:
            assert Board.from_rows(given, SPANISH.alphabet, 15).rows(SPANISH.alphabet)[7] == read
    assert board("5CHICO6").text(SPANISH.alphabet).split("/")[7] == "5[CH]ICO6"
    assert board("5CHICO5").text(SPANISH.alphabet).split("/")[7] == "5CHICO5"
    assert board("ANYS12", CATALAN).rows(CATALAN.alphabet)[7] == "A[NY]S............"
    assert board("COL·LEGI9", CATALAN).rows(CATALAN.alphabet)[7] == "CO[L·L]EGI........."
    for letter, tile in (("CH", "[CH]"), ("ch", "[ch]"), ("[ch]", "[ch]")):
        squares = Board.from_tiles([("8D", letter, False)], SPANISH.alphabet, 15)
        assert squares.rows(SPANISH.alphabet)[7] == f"...{tile}..........."
    for letter in ("L·L", "L-L", "L.L", "[L.L]"):
        squares = Board.from_tiles([("8D", letter, False)], CATALAN.alphabet, 15)
        assert squares.rows(CATALAN.alphabet)[7] == "...[L·L]..........."


@pytest.mark.parametrize(
    ("row", "move", "count", "before"),
    [
        ("7[CH]ICO4", "8H CHICO", 4, "15"),
        ("7CHICO3", "8H CHICO", 5, "15"),
        ("6A[CH]O6", "H8 CH", 1, "6A1O6"),
        ("6A[ch]O6", "8G .CH.", 1, "6A1O6"),
    ],
)
def test_the_last_move_is_the_one_that_lies_on_the_board(
    row: str, move: str, count: int, before: str
) -> None:
    squares = EMPTY.split("/")
    squares[7] = row
    position = parse_cgp(f"{'/'.join(squares)} / 0/0 0 ld spanish;")
    used, play, board_before = read_last_move(position, move)
    assert (used, board_before) == (count, board(before))
    assert isinstance(play, Play)


@pytest.mark.parametrize(
    ("rack", "tiles"), [("[CH]ICOAES", "[CH]ICO"), ("CHICOAE", "[C]HICO"), ("", "[CH]ICO")]
)
def test_a_record_is_read_with_its_rack(rack: str, tiles: str) -> None:
    text = f"#player1 a\n#player2 b\n#lexicon FISE2\n>a: {rack} 8H CHICO +18 18\n>b: AEIOSTN K8 .SA +4 4\n"
    replay = replay_game(read_gcg(text).record)
    move = replay.turns[0].move
    assert move is not None
    assert format_move(move, replay.tile_set) == f"8H {tiles}"


def test_a_record_of_catalan_words_without_brackets_is_catalan() -> None:
    text = "#player1 a\n#player2 b\n>a: COL·LEGI 8D COL·LEGI +80 80\n>b: ANYSQUE 9D ÇA +30 30\n"
    replay = replay_game(read_gcg(text).record)
    assert replay.tile_set.id == "catalan"
    assert replay.turns[0].move is not None
    assert format_move(replay.turns[0].move, replay.tile_set) == "8D CO[L·L]EGI"


made_up = letter_items.map(lambda items: TileSet.from_letters([*items, {"letter": "?", "count": 2}]))


@given(tile_sets | made_up, st.data())
def test_racks_leaves_and_unseen_tiles_are_read_back(tiles: TileSet, data: st.DataObject) -> None:
    alphabet = tiles.alphabet
    rack = Rack(bytes(data.draw(st.lists(st.integers(0, alphabet.size), max_size=20))))
    assert Rack.from_text(rack.text(alphabet), alphabet) == rack
    unseen = alphabet.counted_text(tiles.counts)
    assert Rack.from_text(unseen, alphabet).counts(alphabet.size) == tiles.counts


@given(tile_sets | made_up, st.data())
def test_plays_are_read_back(tiles: TileSet, data: st.DataObject) -> None:
    alphabet = tiles.alphabet
    codes = st.integers(1, alphabet.size).flatmap(lambda code: st.sampled_from([code, code | BLANK_FLAG]))
    entries = data.draw(st.lists(codes, min_size=2, max_size=9))
    there = data.draw(st.lists(st.booleans(), min_size=len(entries), max_size=len(entries)))
    on = Board.empty(15).with_tiles(
        (7, 3 + step, code) for step, (code, lies) in enumerate(zip(entries, there, strict=True)) if lies
    )
    play = Play(7, 3, False, tuple(0 if lies else code for code, lies in zip(entries, there, strict=True)))
    if sum(map(bool, play.tiles)) > 1:
        text = format_move(play, tiles)
        assert parse_move(text, on, tiles) == play
        rack = Rack(bytes(0 if code & BLANK_FLAG else code for code in play.tiles if code))
        assert parse_move(text, on, tiles, rack=rack) == play


def test_four_hundred_tiles_of_three_letters_are_read_back() -> None:
    letters = [f"{first}{second}{third}" for first in "ABCD" for second in "EFGH" for third in "IJ"]
    tiles = TileSet.from_letters([{"letter": letter, "count": 12, "value": 1} for letter in letters])
    text = tiles.alphabet.counted_text(tiles.counts)
    assert len(text) == 5 * 12 * 32
    assert Rack.from_text(text, tiles.alphabet).counts(32) == tiles.counts
