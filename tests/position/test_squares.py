"""The kernel of tiles as bytes, held against plain Python."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.position.squares import loose, ordered, parts, tile_counts, unseen
from engine.rules import tile_set

ENGLISH = tile_set("english")
SIDE = 10

squares = st.lists(
    st.sampled_from([0, 0, 0, 1, 5, 26, 0x81, 0x9A]), min_size=SIDE * SIDE, max_size=SIDE * SIDE
).map(bytes)


@given(st.binary(max_size=40))
def test_tiles_are_put_in_order(tiles) -> None:
    assert ordered(tiles) == bytes(sorted(tiles))
    in_order = ordered(tiles)
    assert ordered(in_order) is in_order


@given(st.lists(st.integers(0, 9), max_size=9).map(lambda tiles: bytes(sorted(tiles))))
def test_parts_are_counted(tiles) -> None:
    chosen = {part for size in range(len(tiles) + 1) for part in combinations(tiles, size)}
    assert parts(tiles) == len(chosen)


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
