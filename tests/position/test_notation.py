"""Moves are written in the field's notation, and read more forgivingly."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.position import BLANK_FLAG, Board, Exchange, Pass, Play, Rack, format_move, parse_move
from engine.rules import tile_set
from tests.position.strategies import boards
from tests.rules.strategies import foreign_text, tile_sets

ENGLISH = tile_set("english")
SPANISH = tile_set("spanish")
S = ENGLISH.alphabet.code("S")


def board(**rows: str) -> Board:
    """Return an English board from rows by name: board(r8="3CATS8")."""
    texts = ["15"] * 15
    for name, row in rows.items():
        texts[int(name[1:]) - 1] = row
    return Board.from_text("/".join(texts), ENGLISH.alphabet, 15)


CATS = board(r8="6CaT6")


def read(text: str, on: Board = CATS) -> str:
    return format_move(parse_move(text, on, ENGLISH), ENGLISH)


def test_plays() -> None:
    play = parse_move("8D SPR...ER", board(r8="6CAT6"), ENGLISH)
    assert isinstance(play, Play)
    assert (play.row, play.column, play.down) == (7, 3, False)
    assert play.tiles == (S, 16, 18, 0, 0, 0, 5, 18)
    assert play.placements() == [(7, 3, S), (7, 4, 16), (7, 5, 18), (7, 9, 5), (7, 10, 18)]
    down = parse_move("H7 L.Bs", CATS, ENGLISH)
    assert down == Play(6, 7, True, (12, 0, 2, BLANK_FLAG | S))
    assert down.placements() == [(6, 7, 12), (8, 7, 2), (9, 7, BLANK_FLAG | S)]
    assert format_move(down, ENGLISH) == "H7 L.Bs"


def test_every_move_says_what_it_does_with_the_tiles() -> None:
    play, exchange = Play(7, 6, False, (0, 0, 0, S)), Exchange(bytes([26, 0]))
    moves = (play, exchange, Pass())
    assert [move.kind for move in moves] == ["play", "exchange", "pass"]
    assert [move.used for move in moves] == [bytes([S]), bytes([0, 26]), b""]
    assert [move.returned for move in moves] == [b"", bytes([0, 26]), b""]
    assert [move.placements() for move in moves] == [[(7, 9, S)], [], []]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("8G ...S", "8G ...S"),
        ("8G (CAT)S", "8G ...S"),
        ("8G (CaT)S", "8G ...S"),
        ("8G CATS", "8G ...S"),
        ("8G CaTs", "8G ...s"),
        ("8G C.TS", "8G ...S"),
        ("8g ...S", "8G ...S"),
        ("  8G   ...S ", "8G ...S"),
        ("8G\t(C)A(.)S", "8G ...S"),
        ("J8 S", "8G ...S"),
        ("K8 AT", "K8 AT"),
        ("h8 AH", "H8 .H"),
        ("7H A", "H7 A."),
        ("-", "-"),
        ("pass", "-"),
        ("PASS", "-"),
        (" - ", "-"),
        ("-CAB", "-ABC"),
        ("-?A", "-A?"),
        ("- AB", "-AB"),
        ("exch CAB", "-ABC"),
        ("Exchange  CAB", "-ABC"),
        ("exch. CAB", "-ABC"),
    ],
)
def test_forgiving_reading(text: str, written: str) -> None:
    assert read(text) == written
    assert read(written) == written


def test_a_play_of_one_tile_has_one_notation() -> None:
    corner = board(r7="7A7", r8="6C1T6", r9="7A7")
    assert read("8G .A.", corner) == "8G .A."
    assert read("H7 .A.", corner) == "8G .A."
    assert read("I7 L.", corner) == "7H .L"
    hook = board(r8="6CAT6")
    assert read("J8 S", hook) == "8G ...S"
    assert read("H8 .S", hook) == "H8 .S"
    assert read("9H S", hook) == "H8 .S"


def test_moves_are_values() -> None:
    assert parse_move("-", CATS, ENGLISH) == Pass()
    assert parse_move("-ZA?", CATS, ENGLISH) == Exchange(bytes([1, 26, 0]))
    assert parse_move("-ZA?", CATS, ENGLISH).tiles == bytes([0, 1, 26])


def test_tiles_of_two_characters() -> None:
    empty = Board.empty(15)
    play = parse_move("8G [CH]o[LL]a", empty, SPANISH)
    assert len(play.tiles) == 4
    assert format_move(play, SPANISH) == "8G [CH]o[LL]a"
    with_tiles = empty.with_tiles(play.placements())
    through = parse_move("G7 A[CH]A", with_tiles, SPANISH)
    assert format_move(through, SPANISH) == "G7 A.A"


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ("", "bad_move", "not a move such as"),
        ("8G", "bad_move", "'8G' is not a move"),
        ("8G CATS +10", "bad_move", "is not a move"),
        ("CATS", "bad_move", "is not a move"),
        ("CATS 8G", "bad_coordinate", "'CATS' is not a square"),
        ("16A CATS", "off_board", "'16A' is off the board"),
        ("8P CATS", "off_board", "'8P' is off the board"),
        ("8G (CAT)SUPPERS", "off_board", "extends beyond the board"),
        ("H8 .BCDEFGHI", "off_board", "extends beyond the board"),
        ("8G ...", "no_tile_placed", "places no tile"),
        ("8G CAT", "no_tile_placed", "places no tile"),
        ("8F ....", "square_empty", "the square 8F has no tile"),
        ("8F (S)CAT", "square_empty", "the square 8F has no tile"),
        ("8G COTS", "square_taken", "the square 8H has the tile a, so O cannot be placed there"),
        ("8H .TS", "word_not_whole", "the word begins at 8G"),
        ("8E ST", "word_not_whole", "the word includes the tiles after it"),
        ("8J S", "word_not_whole", "begins at 8G"),
        ("1A S", "lone_tile", "one tile alone at 1A"),
        ("A1 S", "lone_tile", "one tile alone at 1A"),
        ("8G (CATS", "bad_move", "parentheses"),
        ("8G CAT)S", "bad_move", "parentheses"),
        ("8G ((CAT))S", "bad_move", "parentheses"),
        ("8G ()", "bad_move", "is not a word"),
        ("8G C1T", "unknown_tile", "'1' in 'C1T' is not a tile"),
        ("8G CA?", "unknown_tile", "'?' in 'CA?' is not a tile"),
        ("8G [CH]", "unknown_tile", "'[CH]' in '[CH]' is not a tile"),
        ("-ab", "unknown_tile", "'a' is not a tile"),
        ("-5", "unknown_tile", "'5' is not a tile"),
        ("--", "unknown_tile", "'-' is not a tile"),
        ("exch ", "bad_move", "is not a move"),
        ("exch -", "unknown_tile", "'-' is not a tile"),
        ("8G " + "A" * 100_000, "bad_move", "too long"),
        ("8G \ud800", "unknown_tile", r"'\ud800'"),
    ],
)
def test_faults_are_named(text: str, code: str, named: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_move(text, CATS, ENGLISH, "compare/0")
    assert caught.value.code == code
    assert named in str(caught.value)
    assert caught.value.field == "compare/0"
    str(caught.value).encode()


@given(tile_sets, st.data())
def test_round_trip_of_plays(tiles, data) -> None:
    """Any play on any board that is whole and of two or more tiles is read back as it was."""
    alphabet = tiles.alphabet
    on = data.draw(boards(alphabet.size))
    row, column = data.draw(st.tuples(*[st.integers(0, on.side - 1)] * 2))
    down = data.draw(st.booleans())
    step_row, step_column = (1, 0) if down else (0, 1)
    while row > 0 and column > 0 and on[row - step_row, column - step_column]:
        row, column = row - step_row, column - step_column
    code = st.integers(1, alphabet.size).flatmap(
        lambda letter: st.sampled_from([letter, letter | BLANK_FLAG])
    )
    entries: list[int] = []
    wanted = data.draw(st.integers(2, 7))
    at_row, at_column = row, column
    while at_row < on.side and at_column < on.side:
        there = on[at_row, at_column]
        if not there and sum(map(bool, entries)) == wanted:
            break
        entries.append(0 if there else data.draw(code))
        at_row, at_column = at_row + step_row, at_column + step_column
    assume(sum(map(bool, entries)) >= 2)
    before = (row - step_row, column - step_column)
    assume(min(before) < 0 or not on[before])
    play = Play(row, column, down, tuple(entries))
    assert parse_move(format_move(play, tiles), on, tiles) == play
    spelled = on.with_tiles(play.placements())
    line = [spelled[row + step_row * i, column + step_column * i] for i in range(len(entries))]
    rack = Rack(bytes(0 if entry & BLANK_FLAG else entry for entry in entries if entry))
    whole = f"{format_move(play, tiles).split()[0]} {alphabet.text(line)}"
    texts = [alphabet.text([code]) for code in line]
    blanks = {f"[{first}{second}]" for first, second in pairwise(texts) if first.islower()}
    if blanks.isdisjoint(alphabet.notation):  # two blanks that might be one: see the next test
        assert parse_move(whole, on, tiles, rack=rack) == play  # C and H side by side might be the tile CH


@pytest.mark.parametrize("tile", ["ch", "ll", "rr"])
def test_two_blanks_that_may_be_one_blank(tile: str) -> None:
    """A rack with two blanks can place both: the longer tile is read; brackets write the other."""
    empty, rack = Board.empty(15), Rack.from_text("AO??", SPANISH.alphabet)
    for text, written, squares in (
        (f"8G A{tile}O", f"8G A[{tile}]O", 3),
        (f"8G A[{tile}]O", f"8G A[{tile}]O", 3),
        (f"8G A[{tile[0]}]{tile[1]}O", f"8G A[{tile[0]}]{tile[1]}O", 4),
        (f"8G A[{tile[0]}][{tile[1]}]O", f"8G A[{tile[0]}]{tile[1]}O", 4),
    ):
        play = parse_move(text, empty, SPANISH, rack=rack)
        assert isinstance(play, Play)
        assert len(play.tiles) == squares
        assert format_move(play, SPANISH) == written
        assert parse_move(written, empty, SPANISH) == play
    one_blank = Rack.from_text("AO?", SPANISH.alphabet)
    one = parse_move(f"8G A{tile}O", empty, SPANISH, rack=one_blank)
    assert format_move(one, SPANISH) == f"8G A[{tile}]O"


@given(tile_sets, st.data())
def test_round_trip_of_exchanges(tiles, data) -> None:
    codes = data.draw(st.lists(st.integers(0, tiles.alphabet.size), min_size=1, max_size=7))
    move = Exchange(bytes(codes))
    assert parse_move(format_move(move, tiles), Board.empty(15), tiles) == move


@given(
    st.one_of(
        foreign_text,
        st.builds("{} {}".format, st.sampled_from(["8G", "H7", "8D", "1A", "O15", "15O"]), foreign_text),
        st.builds("8G {}".format, st.text("CATSs.()[]H?", max_size=12)),
        st.builds("-{}".format, foreign_text),
        st.builds("exch {}".format, foreign_text),
    )
)
def test_any_text_is_a_move_or_invalid_input(text) -> None:
    for tiles in (ENGLISH, SPANISH):
        try:
            move = parse_move(text, CATS, tiles)
        except InvalidInput as error:
            str(error).encode()
        else:
            assert parse_move(format_move(move, tiles), CATS, tiles) == move
