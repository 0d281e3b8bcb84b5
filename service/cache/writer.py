"""Storing what nobody waits for: a thread of its own does it, a hundredth of a second later, many in one go.

A value sent by itself costs whoever made it a tenth of a millisecond of processor and more; of several in one
go each costs a third of that.
"""

from __future__ import annotations

import time
from threading import Condition, Thread
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

GATHERING_SECONDS: Final = 0.01
"""How long the first of a batch waits for others."""

MOST_BYTES: Final = 1 << 20
"""What waits at most. So much is sent well within a time-out."""

_IDLE_SECONDS: Final = 5.0


class Writer:
    """Hand entries to `write`, which raises nothing; its thread is there while there is something to do."""

    def __init__(self, write: Callable[[dict[str, bytes]], None]) -> None:
        self._write = write
        self._waiting: dict[str, bytes] = {}
        self._going: dict[str, bytes] = {}  # what is being written
        self._size = 0
        self._batch = 1  # the number of the batch that waits, or that will
        self._written = 0  # the number of the last one written
        self._thread: Thread | None = None
        self._changed = Condition()

    def add(self, entries: Mapping[str, bytes]) -> dict[str, bytes]:
        """Have the entries written soon; return those for which there is no room, or no thread to be had.

        Of two values of a key the later one is written.
        """
        left: dict[str, bytes] = {}
        with self._changed:
            if not self._is_at_work():
                return {**entries}
            first = not self._waiting
            for key, value in entries.items():
                size = self._size + len(value) - len(self._waiting.get(key, b""))
                if size > MOST_BYTES:
                    left[key] = value
                else:
                    self._waiting[key] = value
                    self._size = size
            if first:
                self._changed.notify_all()
        return left

    def _is_at_work(self) -> bool:
        """Tell whether there is a thread, after starting one if need be."""
        if self._thread is None or not self._thread.is_alive():
            thread = Thread(target=self._run, name="cache writer", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # the system gives none
                return False
            self._thread = thread
        return True

    def find(self, key: str) -> bytes | None:
        """Return a value that is not written yet, so that its maker finds it meanwhile."""
        # Without the lock: what begins to go is in both for a moment, never in neither.
        value = self._waiting.get(key)
        return self._going.get(key) if value is None else value

    def settle(self, seconds: float) -> bool:
        """Wait until all that was added is written, at most so long; tell whether it is."""
        with self._changed:
            last = self._batch if self._waiting else self._batch - 1
            return self._changed.wait_for(lambda: self._written >= last, seconds)

    def _run(self) -> None:
        while True:
            with self._changed:
                if not self._changed.wait_for(lambda: self._waiting, _IDLE_SECONDS):
                    self._thread = None
                    return
            time.sleep(GATHERING_SECONDS)
            with self._changed:
                self._going = self._waiting
                self._waiting, self._size = {}, 0
                self._batch += 1
            self._write(self._going)
            with self._changed:
                self._going = {}
                self._written += 1
                self._changed.notify_all()
