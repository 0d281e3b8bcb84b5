"""What people type is understood in every tile set: either case, accents apart, brackets or none."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.lexicon.queries.pattern import Pattern, read_word
from engine.position import BLANK_FLAG, Board, Rack, format_move, parse_move
from engine.records import parse_cgp, read_gcg, replay_game
from engine.rules import TileSet, tile_set, tile_set_ids
from tests.rules.strategies import tile_sets

ACCENTS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0323\u0327\u0328"


def apart(text: str) -> str:
    """Return the text with its accents apart from their letters (Unicode NFD)."""
    return unicodedata.normalize("NFD", text)


def special(tiles: TileSet, count: int = 7) -> list[int]:
    """List tiles that are not one ASCII letter, and others up to `count`."""
    letters = tiles.alphabet.letters
    codes = sorted(range(1, len(letters) + 1), key=lambda code: len(letters[code - 1].encode()) == 1)
    return codes[:count]


words = st.tuples(tile_sets, st.data()).map(
    lambda drawn: (
        drawn[0],
        drawn[1].draw(st.lists(st.integers(1, drawn[0].alphabet.size), min_size=1, max_size=9)),
    )
)


@given(words)
def test_a_word_is_the_same_in_every_form(word: tuple[TileSet, list[int]]) -> None:
    tiles, codes = word
    alphabet = tiles.alphabet
    spelled = alphabet.word(codes)
    meant = alphabet.encode_word(spelled)
    assert alphabet.word(meant) == spelled
    forms = (spelled, spelled.lower(), spelled.title(), spelled.swapcase())
    for form in (*forms, *map(apart, forms)):
        assert alphabet.encode_word(form) == meant
        assert read_word(form, alphabet) == meant
        assert Pattern.from_text(form, alphabet).runs == (tuple(bytes((code,)) for code in meant),)
    tile_by_tile = "".join(f"[{alphabet.letter(code)}]" for code in codes)
    for form in (tile_by_tile, tile_by_tile.lower(), apart(tile_by_tile), apart(tile_by_tile.lower())):
        assert read_word(form, alphabet) == bytes(codes)


@given(words, st.sampled_from(ACCENTS), st.data())
def test_an_accent_that_no_tile_has_is_dropped(
    word: tuple[TileSet, list[int]], accent: str, data: st.DataObject
) -> None:
    tiles, codes = word
    alphabet = tiles.alphabet
    letters = list(alphabet.word(codes))
    place = data.draw(st.integers(0, len(letters) - 1))
    accented = unicodedata.normalize("NFC", letters[place] + accent)
    if len(accented) > 1 or accented in "".join(alphabet.letters):
        return  # no letter of any language, or another tile
    letters[place] = accented
    form = "".join(letters)
    plain = alphabet.encode_word(alphabet.word(codes))
    for typed in (form, form.lower(), apart(form), apart(form.lower())):
        assert read_word(typed, alphabet) == plain


@pytest.mark.parametrize("name", tile_set_ids())
def test_racks_boards_moves_and_records_take_accents_apart(name: str) -> None:
    tiles = tile_set(name)
    alphabet = tiles.alphabet
    codes = special(tiles)
    text, blanks = alphabet.text(codes), alphabet.text(code | BLANK_FLAG for code in codes)
    rack = Rack(bytes(codes))
    rows = ["15"] * 15
    for form, lower in ((text, blanks), (apart(text), apart(blanks))):
        assert Rack.from_text(form, alphabet) == rack
        rows[7] = f"{form}1{lower}"
        assert Board.from_text("/".join(rows), alphabet, 15).rows(alphabet)[7] == f"{text}.{blanks}"
        position = parse_cgp(f"{'/'.join(rows)} {form}/ 0/0 0", tile_set=tiles)
        assert (position.rack, position.board.rows(alphabet)[7]) == (rack, f"{text}.{blanks}")
        for played, written in ((form, text), (lower, blanks)):
            assert format_move(parse_move(f"8D {played}", Board.empty(15), tiles), tiles) == f"8D {written}"
        record = read_gcg(f"#player1 a\n#player2 b\n>a: {form} 8D {form} +20 20\n").record
        move = replay_game(record, tiles).turns[0].move
        assert move is not None
        assert format_move(move, tiles) == f"8D {text}"


@pytest.mark.parametrize("name", tile_set_ids())
def test_case_does_not_depend_on_the_language(name: str) -> None:
    """Dotted and dotless i are I: no tile set has both, as Turkish does."""
    alphabet = tile_set(name).alphabet
    i = alphabet.code("I")
    assert alphabet.encode_word("iIıİ") == bytes([i] * 4)
    assert alphabet.encode_word("ß") == alphabet.encode_word("ẞ") == alphabet.encode_word("ss")


@pytest.mark.parametrize(("letter", "script"), [("א", "Hebrew"), ("ع", "Arabic"), ("ک", "Persian")])
def test_a_right_to_left_script_is_refused_by_name(letter: str, script: str) -> None:
    with pytest.raises(InvalidInput, match="right to left, which is not supported") as caught:
        TileSet.from_letters([{"letter": letter, "count": 2, "value": 1}])
    assert (caught.value.code, caught.value.params["reason"]) == ("bad_letter", "right_to_left"), script


def test_of_two_accents_that_of_the_tile_stays() -> None:
    for name, letter in (("danish", "Å"), ("swedish", "Å"), ("french", "A"), ("czech", "Å")):
        assert tile_set(name).alphabet.word(read_word("ǻ", tile_set(name).alphabet)) == letter


def test_a_greek_word_is_read_with_its_final_sigma() -> None:
    tiles = TileSet.from_letters([{"letter": letter, "count": 2, "value": 1} for letter in "ΑΓΛΟΣ"])
    assert tiles.alphabet.word(read_word("λόγος", tiles.alphabet)) == "ΛΟΓΟΣ"


def test_the_dotted_i_of_turkish_is_refused() -> None:
    """Its lower case would need a rule of its own; the dotless one is the letter I."""
    with pytest.raises(InvalidInput, match="'İ' is not an upper-case letter with a lower case") as caught:
        TileSet.from_letters([{"letter": letter, "count": 2, "value": 1} for letter in "Iİ"])
    assert caught.value.params["reason"] == "no_lower_case"
