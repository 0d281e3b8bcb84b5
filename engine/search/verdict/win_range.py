"""`WinRange`: a win%, or the range in which it is proven to lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from engine.search.endgame.move_bounds import Bounds

CERTAIN_FIRST: Final = 0.01
"""Less than any difference between the middles of two ranges that endgames prove, multiples of 25."""


class WinRange(NamedTuple):
    """Hold the lowest and the highest win%, from 0 to 100; an estimate or a proven win% has equal ends."""

    low: float
    high: float

    @classmethod
    def exactly(cls, win_pct: float) -> WinRange:
        """Return the range that holds only one win%."""
        return cls(win_pct, win_pct)

    @classmethod
    def of_bounds(cls, bounds: Bounds) -> WinRange:
        """Return the win% for bounds on the final spread; a tie is 50."""
        return cls(*[50.0 * (1 + (spread > 0) - (spread < 0)) for spread in (bounds.lower, bounds.upper)])

    @property
    def win_pct(self) -> float | None:
        """The win%, None if the ends of the range differ."""
        return self.low if self.low == self.high else None

    @property
    def key(self) -> float:
        """What ranks moves, the highest first: the middle; of equal middles the certain one goes first."""
        return (self.low + self.high) / 2 + CERTAIN_FIRST * (self.low == self.high)


UNPROVEN: Final = WinRange(0.0, 100.0)
"""A win% about which nothing is known."""
