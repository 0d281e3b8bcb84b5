"""How much work a call is, counted rather than timed where that can be."""

from __future__ import annotations

import gc
import sys
import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

Input = TypeVar("Input")

FACTOR = 8
NEGLIGIBLE = 0.03
"""Seconds of one thread that are no matter, whatever their ratio."""


def instructions(call: Callable[[], object]) -> int:
    """Count the bytecode instructions of a call; what C code does within one of them is not seen."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        elif event == "opcode":
            count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def thread_seconds(call: Callable[[], object]) -> float:
    """Return the processor time of a call in this thread: the least of three.

    The garbage collector looks at no object that was there before, as in a server, which freezes them.
    """
    times = []
    gc.freeze()
    try:
        for _ in range(3):
            begin = time.thread_time()
            call()
            times.append(time.thread_time() - begin)
    finally:
        gc.unfreeze()
    return min(times)


def assert_linear(take: Callable[[Input], object], make: Callable[[int], Input], size: int) -> int:
    """Assert that twice the input is about twice the work; return the instructions for the whole of it.

    Instructions are counted for a quarter and a half of it. They do not show what a regular expression or a
    list does inside one of them, so the whole is timed against its eighth too: in proportion that is 8 times
    as long, and 64 times if the work grows with the square. Between them lies the mark.
    """
    quarter, half, whole, eighth = make(size // 4), make(size // 2), make(size), make(size // FACTOR)
    few, more = instructions(lambda: take(quarter)), instructions(lambda: take(half))
    assert more <= 2.3 * few + 3_000, f"{few} instructions for {size // 4}, {more} for {size // 2}"
    if (took := thread_seconds(lambda: take(whole))) > NEGLIGIBLE:
        less = thread_seconds(lambda: take(eighth))
        assert took <= 3 * FACTOR * less, f"{less:.4f} s for {size // FACTOR}, {took:.4f} s for {size}"
    return 2 * more
