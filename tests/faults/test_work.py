"""The counter of executed lines detects a quadratic loop of any form, on every version of Python."""

from __future__ import annotations

import re
from itertools import repeat
from typing import TYPE_CHECKING

import pytest

from tests.faults.work import assert_linear, executed_lines, not_stuck

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 400


def two_loops(size: int) -> None:
    for _ in range(size):
        for _ in range(size):
            pass


def a_comprehension(size: int) -> None:
    [[inner + 1 for inner in range(size)] for _ in range(size)]


def a_generator(size: int) -> None:
    sum(sum(1 for _ in range(size)) for _ in range(size))


def a_while(size: int) -> None:
    left = size * size
    while left:
        left -= 1


@pytest.mark.parametrize("square", [two_loops, a_comprehension, a_generator, a_while])
def test_a_square_is_found(square: Callable[[int], None]) -> None:
    assert executed_lines(lambda: square(SIZE)) >= SIZE * SIZE
    with pytest.raises(AssertionError, match="lines for 200"):
        assert_linear(square, int, SIZE)


def test_a_loop_is_linear() -> None:
    def take(text: str) -> None:
        for letter in text:
            letter.upper()

    assert 2 * SIZE <= assert_linear(take, lambda size: "a" * size, SIZE) <= 2 * SIZE + 10


class Garbage:
    """An object in a cycle, whose finalizer takes a thousand lines."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        for _ in range(1_000):
            pass


def test_finalizers_of_other_objects_are_not_counted() -> None:
    def allocate() -> None:
        Garbage()
        list(map(list, repeat((), 10_000)))  # enough for the collector to run

    assert executed_lines(allocate) < 100


def test_a_regular_expression_that_does_not_end_is_stopped() -> None:
    with pytest.raises(TimeoutError), not_stuck(0.2):
        re.fullmatch("(a|a)*b", "a" * 60)
    with not_stuck(0.2):
        re.fullmatch("a*b", "a" * 60)
