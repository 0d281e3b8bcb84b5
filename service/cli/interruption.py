"""Ctrl-C while a search runs: what is known so far is the answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Deadline

Found = TypeVar("Found")


def until_interrupted(work: Callable[[], Found], deadline: Deadline) -> tuple[Found, bool]:
    """Return what `work` returns, and whether Ctrl-C cut its deadline; a second Ctrl-C is raised.

    The work has a thread of its own, for no signal reaches Python while a kernel runs.
    """
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            return future.result(), False
        except KeyboardInterrupt:
            deadline.cut()
            return future.result(), True
