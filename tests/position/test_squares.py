"""The kernel of boards as bytes, held against plain Python."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInput
from engine.position import Board
from engine.position.board_text import _fast_table, _read_carefully, _text_table
from engine.position.squares import loose, read_text, tile_counts, unseen, write_text
from engine.rules import tile_set

ENGLISH = tile_set("english")
ALPHABET = ENGLISH.alphabet
SIDE = 10

squares = st.lists(
    st.sampled_from([0, 0, 0, 1, 5, 26, 0x81, 0x9A]), min_size=SIDE * SIDE, max_size=SIDE * SIDE
).map(bytes)
pieces = st.sampled_from(["A", "z", "1", "2", "9", "10", "0", "11", "/", "?", "[", "É", "\0", "٣", " "])


def written(board: bytes) -> list[str]:
    rows = []
    for start in range(0, SIDE * SIDE, SIDE):
        text, run = "", 0
        for code in [*board[start : start + SIDE], None]:
            if code == 0:
                run += 1
                continue
            text += str(run) if run else ""
            run = 0
            text += "" if code is None else ALPHABET.text([code])
        rows.append(text)
    return rows


@settings(deadline=None)
@given(squares)
def test_text_there_and_back(board) -> None:
    text = write_text(board, ALPHABET.tables[0], SIDE)
    assert text == "/".join(written(board))
    assert read_text(text, _fast_table(ALPHABET, ""), SIDE) == board


@settings(deadline=None)
@given(squares, st.data())
def test_what_is_read_at_once_is_what_careful_reading_gives(board, data) -> None:
    text = "/".join(written(board))
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 3))
    changed = text[:at] + "".join(data.draw(st.lists(pieces, max_size=3))) + text[at + cut :]
    found = read_text(changed, _fast_table(ALPHABET, ""), SIDE)
    try:
        expected = _read_carefully(changed.split("/"), _text_table(ALPHABET), SIDE, "cgp")
    except InvalidInput:
        expected = None
    if found is not None or changed.isascii():
        assert found == expected


@settings(deadline=None)
@given(squares, st.lists(st.integers(0, 26), max_size=7).map(lambda tiles: bytes(sorted(tiles))))
def test_tiles_are_counted_with_blanks_as_blanks(board, rack) -> None:
    counts = Counter(0 if code & 0x80 else code for code in board if code)
    assert tile_counts(board, 26) == tuple(counts[code] for code in range(27))
    counts.update(rack)
    expected = tuple(full - counts[code] for code, full in enumerate(ENGLISH.counts))
    assert unseen(ENGLISH.counts, board, rack) == expected


@settings(deadline=None)
@given(squares, st.integers(0, SIDE * SIDE - 1))
def test_loose_tiles_hang_together_with_nothing_reached(board, start) -> None:
    if not board[start]:
        with pytest.raises(ValueError, match="no tile to start from"):
            loose(board, SIDE, start)
        return
    reached, grown = {start}, {start}
    while grown:
        beside = {
            (row + down) * SIDE + column + right
            for row, column in (divmod(place, SIDE) for place in grown)
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0))
            if 0 <= row + down < SIDE and 0 <= column + right < SIDE
        }
        grown = {place for place in beside if board[place]} - reached
        reached |= grown
    assert loose(board, SIDE, start) == [
        place for place in range(SIDE * SIDE) if board[place] and place not in reached
    ]


def test_long_runs_of_digits_are_refused_soon() -> None:
    with pytest.raises(InvalidInput, match="no run of 1 to 15 empty squares"):
        Board.from_text("/".join(["9" * 100] + ["15"] * 14), ALPHABET, 15)
