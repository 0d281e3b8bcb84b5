"""Proven bounds on a spread, of one search or of all threads of a search."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Final

UNBOUNDED: Final = 100_000
"""Points that no spread reaches."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Hold proven bounds on a spread in points, for one side."""

    lower: int = -UNBOUNDED
    upper: int = UNBOUNDED

    @property
    def exact(self) -> bool:
        """Whether the spread is proven."""
        return self.lower == self.upper

    @property
    def decided(self) -> bool:
        """Whether it is certain that this final spread is a win, a tie or a loss."""
        return self.lower > 0 or self.upper < 0 or self.exact

    def of_other_side(self) -> Bounds:
        """Return the same bounds as the other side sees them."""
        return Bounds(-self.upper, -self.lower)

    def plus(self, points: int) -> Bounds:
        """Return the bounds on a spread that is `points` higher."""
        return Bounds(self.lower + points, self.upper + points)

    def meet(self, other: Bounds) -> Bounds:
        """Return what both bounds together prove."""
        return Bounds(max(self.lower, other.lower), min(self.upper, other.upper))


class SharedBounds:
    """Hold the bounds that the threads of a search have proven together."""

    def __init__(self) -> None:
        """Begin with nothing proven."""
        self.bounds = Bounds()
        self._lock = Lock()

    def meet(self, found: Bounds) -> None:
        """Add what a thread has proven."""
        with self._lock:
            self.bounds = self.bounds.meet(found)
