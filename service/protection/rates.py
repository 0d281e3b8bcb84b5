"""How often each client has asked: two counters a client, in memory that all workers of a server share.

The table is made by the master before it forks, so a limit holds over all workers without a call to anything.
Two workers that write at the very same moment may lose a count to each other: a request for free, no more.
The master imports this module, so it stays light; `limiting` makes a storage for flask-limiter out of it.
"""

from __future__ import annotations

import math
import mmap
import time
from hashlib import blake2b
from secrets import token_bytes
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

CLIENTS: Final = 8192
"""Clients remembered at once; beyond them, those who have asked least are forgotten."""

_PROBES: Final = 8  # places of the table in which a client may stand


class Windows(NamedTuple):
    """Tell what a client has asked in its window, in the one before, and the seconds until this one ends."""

    previous: int
    current: int
    left: float


class RateTable:
    """Count the requests of each client by windows of equal length, which begin with its first request."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        # Linux's monotonic clock is one for all processes.
        page = memoryview(mmap.mmap(-1, CLIENTS * 24))
        self._names = page[: CLIENTS * 8].cast("Q")
        self._starts = page[CLIENTS * 8 : CLIENTS * 16].cast("d")
        self._counts = page[CLIENTS * 16 :].cast("I")  # the window before, this window
        self._salt = token_bytes(16)  # so that nobody can choose addresses that share a place
        self._clock = clock
        self._lock = Lock()

    def take(self, client: str, limit: int, seconds: int, amount: int = 1) -> bool:
        """Count `amount` requests of a client if they stay within `limit` in `seconds`; tell whether they do.

        What was asked in the window before counts by the share of it that lies less than `seconds` back.
        """
        with self._lock:
            place, (previous, current, left) = self._look(client, seconds)
            allowed = int(previous * left / seconds + current) + amount <= limit
            if allowed:
                self._counts[2 * place + 1] = current + amount
            return allowed

    def add(self, client: str, seconds: int, amount: int) -> int:
        """Count requests whatever the limit; return those of the window."""
        with self._lock:
            place, windows = self._look(client, seconds)
            self._counts[2 * place + 1] = windows.current + amount
            return windows.current + amount

    def windows(self, client: str, seconds: int) -> Windows:
        """Return what a client has asked of late."""
        with self._lock:
            return self._look(client, seconds)[1]

    def forget(self, client: str, seconds: int) -> None:
        """Count no request that a client has made so far."""
        with self._lock:
            self._starts[self._look(client, seconds)[0]] = -math.inf

    def forget_all(self) -> None:
        """Count no request that anybody has made so far."""
        with self._lock:
            for place in range(CLIENTS):
                self._starts[place] = -math.inf

    def _look(self, client: str, seconds: int) -> tuple[int, Windows]:
        """Return the place of a client, with its windows moved on to now."""
        now = self._clock()
        place = self._place(client, now - 2 * seconds)
        age = now - self._starts[place]
        if age >= 2 * seconds:
            self._counts[2 * place], self._counts[2 * place + 1] = 0, 0
            self._starts[place], age = now, 0.0
        elif age >= seconds:
            self._counts[2 * place], self._counts[2 * place + 1] = self._counts[2 * place + 1], 0
            self._starts[place] += seconds
            age -= seconds
        return place, Windows(self._counts[2 * place], self._counts[2 * place + 1], seconds - age)

    def _place(self, client: str, forgotten: float) -> int:
        """Return the place of a client; windows that began by `forgotten` say nothing any more."""
        name = int.from_bytes(blake2b(client.encode(), digest_size=8, key=self._salt).digest(), "little") or 1
        places = [(name + probe) % CLIENTS for probe in range(_PROBES)]
        for place in places:
            if self._names[place] == name:
                return place

        def asked(place: int) -> int:
            known = self._starts[place] > forgotten
            return self._counts[2 * place] + self._counts[2 * place + 1] if known else -1

        place = min(places, key=asked)
        self._names[place] = name
        self._starts[place] = -math.inf
        return place
