"""Deadlines in processor time, so that limits mean the same on a busy machine."""

from __future__ import annotations

import time
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from engine import Deadline

if TYPE_CHECKING:
    from collections.abc import Iterator

INTERVAL: Final = 0.02  # seconds between two readings of the clock


@contextmanager
def processor_deadline(seconds: float) -> Iterator[Deadline]:
    """Yield a deadline that passes once this process has used a number of seconds of processor time."""
    deadline, ended = Deadline(), Event()
    until = time.process_time() + seconds

    def watch() -> None:
        while not ended.wait(INTERVAL):
            if time.process_time() >= until:
                deadline.cut()
                return

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield deadline
    finally:
        ended.set()
        watcher.join()
