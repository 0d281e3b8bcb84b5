"""When a search must stop, and why it stopped."""

from __future__ import annotations

from contextlib import contextmanager
from time import monotonic_ns
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMPLETE: Final = "complete"
BUDGET: Final = "budget"
DEADLINE: Final = "deadline"
"""Why a search ended: it had its answer, its work was spent, or its time was up."""


class Deadline:
    """Hold the moment at which to stop: `at`, in nanoseconds of the monotonic clock; 0: there is none.

    Another thread may draw it nearer while a search runs: `cut` ends the search with what it knows.
    """

    __slots__ = ("_stops", "at")

    def __init__(self, at: int = 0) -> None:
        """Take the moment."""
        self.at = at
        self._stops: list[Callable[[], None]] = []

    @classmethod
    def after(cls, milliseconds: float | None) -> Deadline:
        """Return the deadline that many milliseconds from now; none for None."""
        return cls() if milliseconds is None else cls(monotonic_ns() + int(1_000_000 * milliseconds))

    @property
    def passed(self) -> bool:
        """Tell whether it is over."""
        return bool(self.at) and monotonic_ns() >= self.at

    @property
    def seconds_left(self) -> float | None:
        """The seconds until it, 0 if it is over; None if there is none."""
        return max(0, self.at - monotonic_ns()) / 1e9 if self.at else None

    def within(self, milliseconds: float | None) -> Deadline:
        """Draw it nearer, to at most that many milliseconds from now, and return it; None changes nothing."""
        if milliseconds is not None:
            at = monotonic_ns() + int(1_000_000 * milliseconds)
            self.at = min(self.at or at, at)
        return self

    def cut(self) -> None:
        """End whatever runs until this deadline, now; any thread may ask."""
        self.at = min(self.at or monotonic_ns(), monotonic_ns())
        for stop in tuple(self._stops):
            stop()

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        """Have `cut` call `stop` while the block runs: for kernels, which were told the moment beforehand."""
        self._stops.append(stop)
        try:
            yield
        finally:
            self._stops.remove(stop)
