"""The kernel that reads and writes tiles, held against the careful readers and plain Python."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.position import BLANK_FLAG, Board, Rack
from engine.position.board_text import _read_carefully, _text_table, tile_texts
from engine.position.rack import _read_carefully as read_rack_carefully
from engine.position.tile_texts import TileTexts
from engine.rules import Alphabet, tile_set, tile_set_ids
from tests.position.strategies import racks
from tests.rules.strategies import tile_sets

SIDE = 10
ENGLISH = tile_set("english").alphabet

alphabets = st.sampled_from(tile_set_ids()).map(tile_set) | tile_sets
pieces = st.sampled_from(
    [
        *("A", "z", "1", "2", "9", "10", "0", "11", "/", "?", "[", "]", "[A]", "[CH]", "[ch]", "[ABC"),
        *("É", "é", "E\u0301", "ñ", "Я", "\0", "٣", " ", "𐐀", "·"),
    ]
)


def written(squares: bytes, alphabet: Alphabet) -> list[str]:
    rows = []
    for start in range(0, SIDE * SIDE, SIDE):
        text, run = "", 0
        for code in [*squares[start : start + SIDE], None]:
            if code == 0:
                run += 1
                continue
            text += str(run) if run else ""
            run = 0
            text += "" if code is None else alphabet.text([code])
        rows.append(text)
    return rows


@st.composite
def boards(draw) -> tuple[Alphabet, bytes]:
    """Draw an alphabet and the squares of a board of it."""
    alphabet = draw(alphabets).alphabet
    code = st.builds(
        lambda letter, flag: letter | flag if letter else 0,
        st.sampled_from([0, 0, 1, alphabet.size]) | st.integers(0, alphabet.size),
        st.sampled_from([0, 0, BLANK_FLAG]),
    )
    rng = draw(st.randoms(use_true_random=False))
    few = draw(st.lists(code, min_size=1, max_size=12))
    return alphabet, bytes(rng.choice(few) for _ in range(SIDE * SIDE))


def mutated(draw, text: str) -> str:
    at, cut = draw(st.integers(0, len(text))), draw(st.integers(0, 3))
    return text[:at] + "".join(draw(st.lists(pieces, max_size=3))) + text[at + cut :]


@settings(deadline=None)
@given(boards())
def test_a_board_there_and_back(drawn) -> None:
    alphabet, squares = drawn
    texts = tile_texts(alphabet)
    text = texts.write_board(squares, SIDE)
    assert text == "/".join(written(squares, alphabet))
    assert texts.read_board(text, SIDE) == squares


@settings(deadline=None)
@given(boards(), st.data())
def test_a_board_read_at_once_is_what_careful_reading_gives(drawn, data) -> None:
    alphabet, squares = drawn
    text = mutated(data.draw, "/".join(written(squares, alphabet)))
    found = tile_texts(alphabet).read_board(text, SIDE)
    try:
        expected = _read_carefully(text.split("/"), _text_table(alphabet), SIDE, "cgp")
    except InvalidInput:
        expected = None
    if found is not None or text.isascii():
        assert found == expected


@settings(deadline=None)
@given(st.data())
def test_a_rack_read_at_once_is_what_careful_reading_gives(data) -> None:
    alphabet = data.draw(alphabets).alphabet
    rack = data.draw(racks(alphabet.size, 18))
    text = tile_texts(alphabet).write_rack(rack.tiles)
    blanks = rack.tiles.count(0)
    assert text == alphabet.text(rack.tiles[blanks:]) + "?" * blanks
    assert Rack.from_text(text, alphabet) == rack
    if data.draw(st.booleans()):
        text = mutated(data.draw, text)
    found = tile_texts(alphabet).read_rack(text)
    try:
        expected = bytes(sorted(read_rack_carefully(text, alphabet, "rack")))
    except InvalidInput:
        expected = None
    if found is not None or (text.isascii() and len(text) <= 16):
        assert found == expected


@given(st.lists(st.integers(-3, 9), max_size=27).map(tuple))
def test_counted_tiles_are_written_blanks_last(counts) -> None:
    tiles = b"".join(bytes([code]) * max(0, count) for code, count in enumerate(counts))
    assert tile_texts(ENGLISH).write_counted(counts) == Rack(tiles).text(ENGLISH)


def test_letters_from_beyond_the_usual_alphabets_are_read_carefully() -> None:
    alphabet = Alphabet(["A", "𐐀"])
    assert tile_texts(alphabet).read_rack("A𐐀") is None
    assert Rack.from_text("𐐀A", alphabet).tiles == b"\1\2"
    board = Board.from_text("/".join(["𐐨A8"] + ["10"] * 9), alphabet, SIDE)
    assert board.squares[:3] == b"\x82\1\0"
    assert board.text(alphabet).startswith("𐐨A8/10/")


def test_long_runs_of_digits_are_refused_soon() -> None:
    with pytest.raises(InvalidInput, match="no run of 1 to 15 empty squares"):
        Board.from_text("/".join(["9" * 100] + ["15"] * 14), ENGLISH, 15)


def test_what_is_no_board_and_no_table_is_refused() -> None:
    texts = tile_texts(ENGLISH)
    for squares, side in ((b"", 0), (bytes(99), 10), (bytes(100), -10)):
        with pytest.raises(ValueError, match="no board"):
            texts.write_board(squares, side)
    assert texts.read_board("", 0) is None
    with pytest.raises(ValueError, match="256"):
        TileTexts({}, ("A",))
    with pytest.raises(ValueError, match="too long for a tile"):
        TileTexts({}, ("[ABCD]",) * 256)
