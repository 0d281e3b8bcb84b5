"""Boards as text: every board is read back, and any text is a board or InvalidInput."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.position import BLANK_FLAG, Board
from engine.rules import Alphabet, tile_set, tile_set_ids
from tests.rules.strategies import tile_sets

SIDE = 10
ENGLISH = tile_set("english").alphabet

alphabets = (st.sampled_from(tile_set_ids()).map(tile_set) | tile_sets).map(lambda tiles: tiles.alphabet)
pieces = st.sampled_from(
    [
        *("A", "z", "1", "2", "9", "10", "0", "11", "/", "?", "[", "]", "[A]", "[CH]", "[ch]", "[ABC"),
        *("É", "é", "E\u0301", "ñ", "Я", "\0", "\x7f", "٣", " ", "𐐀", "·"),
    ]
)


@st.composite
def boards(draw) -> tuple[Alphabet, bytes]:
    """Draw an alphabet and the squares of a board of it."""
    alphabet = draw(alphabets)
    code = st.builds(
        lambda letter, flag: letter | flag if letter else 0,
        st.sampled_from([0, 0, 1, alphabet.size]) | st.integers(0, alphabet.size),
        st.sampled_from([0, 0, BLANK_FLAG]),
    )
    rng = draw(st.randoms(use_true_random=False))
    few = draw(st.lists(code, min_size=1, max_size=12))
    return alphabet, bytes(rng.choice(few) for _ in range(SIDE * SIDE))


def rows_of_a_cgp(squares: bytes, alphabet: Alphabet) -> list[str]:
    """Write each row square by square, counting the empty ones."""
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


@settings(deadline=None)
@given(boards())
def test_a_board_is_read_back(drawn) -> None:
    alphabet, squares = drawn
    board = Board(SIDE, squares)
    assert board.text(alphabet) == "/".join(rows_of_a_cgp(squares, alphabet))
    assert Board.from_text(board.text(alphabet), alphabet, SIDE) == board
    assert Board.from_rows(board.rows(alphabet), alphabet, SIDE) == board


@settings(deadline=None)
@given(boards(), st.data())
def test_a_changed_text_is_a_board_or_invalid_input(drawn, data) -> None:
    alphabet, squares = drawn
    text = Board(SIDE, squares).text(alphabet)
    at, cut = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 3))
    text = text[:at] + "".join(data.draw(st.lists(pieces, max_size=3))) + text[at + cut :]
    try:
        board = Board.from_text(text, alphabet, SIDE)
    except InvalidInput as error:
        str(error).encode()
        return
    assert Board.from_text(board.text(alphabet), alphabet, SIDE) == board
    for one in (board.squares, *[board.squares[row * SIDE : (row + 1) * SIDE] for row in range(SIDE)]):
        assert len(alphabet.text(one)) >= len(one)
    assert max(code & ~BLANK_FLAG for code in board.squares) <= alphabet.size


def test_letters_beyond_the_basic_plane() -> None:
    alphabet = Alphabet(["A", "𐐀"])
    board = Board.from_text("/".join(["𐐨A8"] + ["10"] * 9), alphabet, SIDE)
    assert board.squares[:3] == b"\x82\1\0"
    assert board.text(alphabet).startswith("𐐨A8/10/")


def test_a_long_run_of_digits_is_refused() -> None:
    with pytest.raises(InvalidInput, match="not a run of 1 to 15 empty squares"):
        Board.from_text("/".join(["9" * 100] + ["15"] * 14), ENGLISH, 15)


@pytest.mark.parametrize("row", ["A/B", "\x7f", "/"])
def test_a_row_separator_in_a_row_is_refused(row: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Board.from_rows([row + "." * (15 - len(row)), *["." * 15] * 14], ENGLISH, 15)
    assert {fault.code for fault in caught.value.faults} == {"unknown_tile"}


@given(st.lists(st.integers(-3, 9), min_size=1, max_size=27).map(tuple))
def test_counted_tiles_are_written_blanks_last(counts) -> None:
    letters = "".join(ENGLISH.letter(code) * max(0, count) for code, count in enumerate(counts) if code)
    assert ENGLISH.counted_text(counts) == letters + "?" * max(0, counts[0])
