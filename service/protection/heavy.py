"""A bound on heavy work: what takes a core for long is refused rather than queued."""

from __future__ import annotations

from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Final

from service.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.observability.counts import Counts

RETRY_SECONDS: Final = 2


class HeavyWork:
    """Let `limit` pieces of heavy work run at once in this process; resources ask for a slot.

    `seats` more threads may wait for what another is doing. Both together must be below the number of
    threads: a thread has to be left to say no.
    """

    def __init__(self, limit: int, counts: Counts, seats: int = 0) -> None:
        self._free = BoundedSemaphore(limit)
        self._seats = seats
        self._lock = Lock()
        self.seats_taken = 0
        """Threads that wait in a seat now."""
        self._counts = counts
        counts.heavy_slots.put(value=limit)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Hold a slot for the work inside; raises a Problem (503 "busy", Retry-After) if none is free."""
        if not self._free.acquire(blocking=False):
            self._counts.refused.add("busy")
            raise Problem(
                503,
                "busy",
                "as much heavy work as this server takes is under way",
                headers={"Retry-After": str(RETRY_SECONDS)},
            )
        self._counts.heavy.add(amount=1.0)
        try:
            yield
        finally:
            self._counts.heavy.add(amount=-1.0)
            self._free.release()

    @contextmanager
    def seat(self) -> Iterator[None]:
        """Wait inside for heavy work that another thread does: in a seat, or if none is free in a slot.

        Raises a Problem (503 "busy", Retry-After) if there is neither.
        """
        if not self._sit():
            with self.slot():
                yield
            return
        try:
            yield
        finally:
            with self._lock:
                self.seats_taken -= 1

    def _sit(self) -> bool:
        with self._lock:
            if self.seats_taken == self._seats:
                return False
            self.seats_taken += 1
            return True
