"""Board layouts: premium squares, start squares, symmetry."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidInput, NotFound
from engine.rules import BoardLayout, board_layout, board_layout_ids
from tests.rules.strategies import foreign_text

PREMIUM_COUNTS = {"standard15": 61, "super21": 125, "wordfeud15": 64, "wwf15": 60}

marks = st.sampled_from(".. TDQtdq")
boards = st.integers(10, 26).flatmap(
    lambda side: st.tuples(
        st.lists(st.text(marks, min_size=side, max_size=side), min_size=side, max_size=side),
        st.lists(st.tuples(st.integers(0, side - 1), st.integers(0, side - 1)), min_size=1, max_size=4),
    )
)


def test_all_boards_are_there() -> None:
    assert board_layout_ids() == tuple(sorted(PREMIUM_COUNTS))


@pytest.mark.parametrize("name", board_layout_ids())
def test_known_boards(name: str) -> None:
    layout = board_layout(name)
    centre = layout.side // 2
    assert layout.id == name
    assert layout.starts == ((centre, centre),)
    assert layout.symmetric
    for factors in (layout.letter_factors, layout.word_factors):
        assert factors.dtype == np.uint8
        assert factors.shape == (layout.side, layout.side)
        assert not factors.flags.writeable
        assert np.array_equal(factors, factors[::-1])
        assert factors.min() == 1
    premiums = (layout.letter_factors > 1) | (layout.word_factors > 1)
    assert np.count_nonzero(premiums) == PREMIUM_COUNTS[name]
    assert layout is board_layout(name)


def test_the_standard_board() -> None:
    layout = board_layout("standard15")
    assert layout.side == 15
    assert layout.word_factors[0, 0] == 3
    assert layout.letter_factors[0, 3] == 2
    assert layout.letter_factors[1, 5] == 3
    assert layout.word_factors[7, 7] == 2
    assert np.count_nonzero(layout.word_factors == 3) == 8
    assert np.count_nonzero(layout.word_factors == 2) == 17
    assert np.count_nonzero(layout.letter_factors == 3) == 12
    assert np.count_nonzero(layout.letter_factors == 2) == 24
    assert board_layout("super21").word_factors[0, 0] == 4


def test_the_data_files_are_the_facts_beside_the_project(shared_data) -> None:
    for name in board_layout_ids():
        text = (shared_data / "boards" / f"{name}.txt").read_text(encoding="ascii")
        assert BoardLayout.from_text(text, name) == board_layout(name)


@pytest.mark.parametrize("name", ["", "standard16", "README", "../boards/wwf15", "\ud800"])
def test_an_unknown_board_is_not_found(name: str) -> None:
    with pytest.raises(NotFound, match="known: standard15") as caught:
        board_layout(name)
    assert caught.value.code == "unknown_board"
    str(caught.value).encode()


@given(boards)
def test_any_board_is_read_back(board) -> None:
    rows, starts = board
    layout = BoardLayout.from_rows(rows, starts)
    assert layout.id == "custom"
    assert layout.rows() == [row.replace(" ", ".") for row in rows]
    assert layout.starts == tuple(sorted(set(starts)))
    again = BoardLayout.from_rows(layout.rows(), layout.starts)
    assert again == layout
    assert hash(again) == hash(layout)
    assert again.sha256 == layout.sha256
    turned = BoardLayout.from_rows(
        ["".join(row) for row in zip(*rows, strict=True)], [(c, r) for r, c in starts]
    )
    assert layout.symmetric == (turned == layout)


def test_start_squares() -> None:
    rows = ["." * 10] * 10
    with pytest.raises(InvalidInput, match="needs a start square"):
        BoardLayout.from_rows(rows)
    marked = [*rows[:4], "...*......", *rows[5:]]
    assert BoardLayout.from_rows(marked).starts == ((4, 3),)
    assert BoardLayout.from_rows(marked, [(0, 0)]).starts == ((0, 0), (4, 3))
    assert not BoardLayout.from_rows(marked).symmetric
    assert BoardLayout.from_rows(["." * 11] * 11).starts == ((5, 5),)
    assert BoardLayout.from_rows(rows, [(2, 2)]).sha256 != BoardLayout.from_rows(rows, [(3, 3)]).sha256
    for start in [(10, 0), (0, 10), (-1, 0), (10**30, 0)]:
        with pytest.raises(InvalidInput, match="off the board"):
            BoardLayout.from_rows(rows, [start])


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([], "10 to 26 rows, this one has 0"),
        (["." * 9] * 9, "this one has 9"),
        (["." * 27] * 27, "this one has 27"),
        ([*["." * 15] * 14, "." * 14], "row 15 of the board is 14 squares wide; it must be 15"),
        ([*["." * 15] * 14, "." * 100_000], "row 15 of the board is 100000 squares wide"),
        (["x" + "." * 14, *["." * 15] * 14], "'x' at 1A is not a kind of square"),
        ([*["." * 15] * 14, "." * 14 + "\ud800"], r"'\ud800' at 15O is not a kind of square"),
    ],
)
def test_impossible_boards_are_refused(rows: list[str], named: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        BoardLayout.from_rows(rows)
    assert named in str(caught.value)


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        BoardLayout.from_rows(["x" + "." * 14, *["." * 15] * 13, "."])
    assert [fault.field for fault in caught.value.faults] == ["board/0/0", "board/14"]
    assert caught.value.code == "several_faults"


@given(foreign_text)
def test_any_text_is_a_board_or_invalid_input(text) -> None:
    for rows in (text, "\n".join([text] * 15)):
        try:
            BoardLayout.from_text(rows, "mine")
        except InvalidInput as error:
            str(error).encode()
