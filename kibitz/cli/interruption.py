"""Searches that Ctrl-C ends with the result so far."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Deadline

Found = TypeVar("Found")


def until_interrupted(work: Callable[[], Found], deadline: Deadline) -> tuple[Found, bool]:
    """Return the result of `work`, and whether Ctrl-C cut its deadline; a second Ctrl-C is raised.

    The work runs in a thread of its own, because Python handles no signal while a kernel runs in the main
    thread.
    """
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            return future.result(), False
        except KeyboardInterrupt:
            deadline.cut()
            return future.result(), True
