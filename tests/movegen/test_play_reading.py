"""The kernel that reads lists of plays finds what numpy and plain Python find."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.movegen.play_reading import best, laid
from engine.movegen.plays import ONE_TILE, PLAY_DTYPE

SIDE = 15
WORDS = [bytes(range(length)) for length in range(2, 8)]

# Few different values, so that there are ties of every kind.
rows = st.lists(
    st.tuples(
        st.integers(0, 5),
        st.integers(-3, 3),
        st.integers(-3, 3),
        st.integers(0, 3),
        st.integers(0, 2 * SIDE - 1),
        st.integers(0, 3),
        st.integers(1, 2),
        st.integers(1, 2),
        st.integers(0, 127),
    ),
    max_size=60,
)


def array_of(plays: list[tuple[int, ...]]) -> np.ndarray:
    return np.array(plays, PLAY_DTYPE)


def as_bytes(array: np.ndarray) -> np.ndarray:
    return array.view(np.uint8)


@settings(deadline=None)
@given(rows, st.integers(-1, 70), st.booleans())
def test_the_best_stand_in_the_documented_order(plays, count, by_score) -> None:
    array = array_of(plays)
    value = array["score" if by_score else "equity"]
    keys = [array[name] for name in ("blanks", "word", "length", "start", "line")]
    expected = np.lexsort([*keys, -value])[: max(count, 0)]
    assert best(as_bytes(array), count, by_score).tolist() == expected.tolist()


@settings(deadline=None)
@given(
    st.integers(0, len(WORDS) - 1),
    st.integers(0, 2**8 - 1),
    st.integers(0, SIDE - 1),
    st.integers(0, 8),
    st.booleans(),
    st.sets(st.integers(0, SIDE * SIDE - 1), max_size=150),
)
def test_a_play_lays_down_what_does_not_lie_there(word, blanks, line, start, down, taken) -> None:
    squares = bytes(7 if place in taken else 0 for place in range(SIDE * SIDE))
    length = len(WORDS[word])
    play = array_of([(word, 0, 0, blanks, line + SIDE * down, start, length, 1, 0)])
    row, column = (start, line) if down else (line, start)
    expected = []
    for i in range(length):
        place = (row + i * down) * SIDE + column + i * (not down)
        letter = WORDS[word][i] + 1 | (0x80 if blanks >> i & 1 else 0)
        expected.append(0 if squares[place] else letter)
    found = laid(as_bytes(play), [0, -1], squares, SIDE, lambda at: WORDS[at])
    assert found == [(row, column, down, tuple(expected))] * 2


def test_a_tile_alone_and_plays_that_do_not_fit() -> None:
    alone = as_bytes(array_of([(ONE_TILE | 3, 0, 0, 1, SIDE + 2, 4, 1, 1, 0)]))
    assert laid(alone, [0], bytes(SIDE * SIDE), SIDE, WORDS.__getitem__) == [(4, 2, True, (0x84,))]
    for index in (1, -2):
        with pytest.raises(IndexError, match="there is no play"):
            laid(alone, [index], bytes(SIDE * SIDE), SIDE, WORDS.__getitem__)
    outside = as_bytes(array_of([(5, 0, 0, 0, 3, 10, 7, 1, 0)]))
    with pytest.raises(ValueError, match="fit on the board"):
        laid(outside, [0], bytes(SIDE * SIDE), SIDE, WORDS.__getitem__)
