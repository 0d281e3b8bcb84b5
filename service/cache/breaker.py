"""A circuit breaker: after some failures in a row, ask no more for a while."""

from __future__ import annotations

import time
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Breaker:
    """Open after `failures` failures in a row; then let one probe through every `pause` seconds.

    While it is open nobody waits for the thing that fails, save the one caller who probes it.
    """

    def __init__(
        self, failures: int = 2, pause: float = 2.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit = failures
        self._pause = pause
        self._clock = clock
        self._failures = 0
        self._next_probe = 0.0
        self._lock = Lock()

    @property
    def is_open(self) -> bool:
        """Tell whether calls are being held back."""
        return self._failures >= self._limit

    def allows(self) -> bool:
        """Tell whether to make the call now; True while open makes the caller the probe."""
        with self._lock:
            if self._failures < self._limit:
                return True
            now = self._clock()
            if now < self._next_probe:
                return False
            self._next_probe = now + self._pause
            return True

    def succeeded(self) -> None:
        """Close the breaker."""
        self._failures = 0

    def failed(self) -> bool:
        """Count a failure; return True if this one opened the breaker."""
        with self._lock:
            self._failures += 1
            self._next_probe = self._clock() + self._pause
            return self._failures == self._limit
