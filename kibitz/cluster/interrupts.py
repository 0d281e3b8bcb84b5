"""Ctrl-C, which a terminal sends to the whole process group."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def children_ignore_interrupts() -> Iterator[None]:
    """Start threads and processes in this block that ignore Ctrl-C: the command ends them itself.

    They inherit the signal mask of this thread. A Ctrl-C during the block is raised at its end.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
