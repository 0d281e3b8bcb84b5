"""How often a client may ask: the generic cell rate algorithm, over shared memory.

For every client one number is kept, the time at which its whole allowance will be back. The table is made
before the workers are forked, so the limit holds over all workers of a machine without a call to anything.
Two workers that write at the very same moment may lose a count to each other: a request for free, no more.
"""

from __future__ import annotations

import mmap
import time
from dataclasses import dataclass
from hashlib import blake2b
from math import ceil
from secrets import token_bytes
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

WINDOW: Final = 60.0
"""Seconds in which a full allowance comes back."""

CLIENTS: Final = 8192
"""Clients remembered at once; beyond them, those whose allowance is back first are forgotten."""

_PROBES: Final = 8  # places of the table in which a client may stand


@dataclass(frozen=True, slots=True)
class Verdict:
    """Say whether a request is allowed; `wait` and `reset` are seconds until one is, and until all are."""

    allowed: bool
    limit: int
    remaining: int
    wait: float
    reset: float


class RateTable:
    """Remember when the allowance of each client will be whole again; shared with the children of a fork."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        # A place is a client's 8-byte name and its time. Linux's monotonic clock is one for all processes.
        self._page = mmap.mmap(-1, CLIENTS * 16)
        self._names = memoryview(self._page)[: CLIENTS * 8].cast("Q")
        self._times = memoryview(self._page)[CLIENTS * 8 :].cast("d")
        self._salt = token_bytes(16)  # so that nobody can choose addresses that share a place
        self._clock = clock
        self._lock = Lock()

    def ask(self, client: str, limit: int) -> Verdict:
        """Take one request of `limit` a minute from a client's allowance, if there is one left."""
        interval = WINDOW / limit
        with self._lock:
            now = self._clock()
            place = self._place(client)
            ahead = max(self._times[place] - now, 0.0)  # of allowance already spent, in seconds
            wait = ahead - (WINDOW - interval)
            allowed = wait <= 1e-9
            if allowed:
                ahead += interval
                self._times[place] = now + ahead
        remaining = int((WINDOW - ahead) / interval + 1e-6)
        return Verdict(allowed, limit, remaining, max(wait, 0.0), ahead)

    def _place(self, client: str) -> int:
        name = int.from_bytes(blake2b(client.encode(), digest_size=8, key=self._salt).digest(), "little") or 1
        places = [(name + probe) % CLIENTS for probe in range(_PROBES)]
        for place in places:
            if self._names[place] == name:
                return place
        place = min(places, key=self._times.__getitem__)
        self._names[place] = name
        self._times[place] = 0.0
        return place


def in_whole_seconds(seconds: float) -> str:
    """Write a time for a header: whole seconds, rounded up."""
    return str(ceil(seconds))
