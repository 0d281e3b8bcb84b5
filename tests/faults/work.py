"""Count the executed lines of a call, so that no test depends on the speed or load of the machine."""

from __future__ import annotations

import gc
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

Input = TypeVar("Input")

TIMEOUT = 120
"""Seconds after which a call is considered stuck; each call here takes less than one."""


def executed_lines(call: Callable[[], object]) -> int:
    """Count the lines of Python that a call executes in this thread; each round of a loop counts again.

    Lines, not bytecode instructions: the tracing of instructions differs between versions of Python. The work
    that C code does within a line is not counted. The garbage collector is off: it would run finalizers of
    other tests' objects, and their lines would count.
    """
    count = 0

    def trace_line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace_line

    before = sys.gettrace()
    gc.disable()
    sys.settrace(trace_line)
    try:
        call()
    finally:
        sys.settrace(before)
        gc.enable()
    return count


def assert_linear(take: Callable[[Input], object], make: Callable[[int], Input], size: int) -> int:
    """Assert that twice the input executes about twice the lines; return the lines for the full input.

    The first call, which is not counted, fills the caches.
    """
    half, full = make(size // 2), make(size)
    take(half)
    few, more = executed_lines(lambda: take(half)), executed_lines(lambda: take(full))
    assert more <= 2.3 * few + 1_000, f"{few} lines for {size // 2}, {more} for {size}"
    return more


@contextmanager
def not_stuck(seconds: float = TIMEOUT) -> Iterator[None]:
    """Raise TimeoutError in a block that runs far longer than any correct one.

    This finds what `executed_lines` cannot: a regular expression, or a copy in each round of a loop, whose
    work grows with the square of the input. On an input of a megabyte the square takes many minutes.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"not finished after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
