"""When a search must stop, and why it stopped."""

from __future__ import annotations

from contextlib import contextmanager
from threading import RLock
from time import monotonic_ns
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMPLETE: Final = "complete"
BUDGET: Final = "budget"
DEADLINE: Final = "deadline"
"""Why a search ended: it was finished, its work was used up, or its deadline had passed."""


class Deadline:
    """Hold the time at which a search must stop: `at`, in nanoseconds of the monotonic clock; 0: never.

    Another thread may call `cut` to end the search at once; it returns its result so far.
    """

    __slots__ = ("_lock", "_stops", "at")

    def __init__(self, at: int = 0) -> None:
        """Take the time."""
        self.at = at
        self._stops: list[Callable[[], None]] = []
        # While `cut` holds it, no search leaves `stopping`: another search may have its kernel after that. A
        # signal handler may cut in the middle of `stopping`, in the same thread.
        self._lock = RLock()

    @classmethod
    def after(cls, milliseconds: float | None) -> Deadline:
        """Return a deadline `milliseconds` from now; None: one that never passes."""
        return cls() if milliseconds is None else cls(monotonic_ns() + int(1_000_000 * milliseconds))

    @property
    def passed(self) -> bool:
        """Whether the deadline has passed."""
        return bool(self.at) and monotonic_ns() >= self.at

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the deadline, 0 if it has passed, None if it never passes."""
        return max(0, self.at - monotonic_ns()) / 1e9 if self.at else None

    def within(self, milliseconds: float | None) -> Deadline:
        """Move the deadline to at most `milliseconds` from now (None: leave it) and return it."""
        if milliseconds is not None:
            at = monotonic_ns() + int(1_000_000 * milliseconds)
            self.at = min(self.at or at, at)
        return self

    def before(self, milliseconds: float) -> Deadline:
        """Return a deadline that passes `milliseconds` earlier, and that `cut` ends too."""
        found = Deadline(self.at and max(1, self.at - int(1_000_000 * milliseconds)))
        self._stops.append(found.cut)
        if self.passed:  # perhaps it was cut before the line above
            found.cut()
        return found

    def cut(self) -> None:
        """End all searches with this deadline now; any thread may call it."""
        self.at = min(self.at or monotonic_ns(), monotonic_ns())
        with self._lock:
            for stop in tuple(self._stops):
                stop()

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        """Make `cut` call `stop` while the block runs, never later, for kernels that read the deadline only
        when they start.
        """
        self._stops.append(stop)
        try:
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)
