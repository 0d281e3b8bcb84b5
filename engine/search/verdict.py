"""`Verdict`: what is known of how often a move wins, and by what it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.search.phase import ENDGAME, SIMULATE

if TYPE_CHECKING:
    from engine.search.endgame.bounds import Bounds

TABLE: Final = "table"
"""The win% table, as what estimated a win%; the other sources are the names of searches."""

INTERVAL: Final = 1.96
"""Standard errors on each side of an estimate that hold the true value in 95 of 100 samples."""

CERTAIN_FIRST: Final = 0.01
"""Less than any difference between the middles of two ranges that endgames prove, multiples of 25."""


class Verdict(NamedTuple):
    """Hold what is known of the win% of a move, from 0 to 100; a tie counts half.

    `low`, `high`: proven bounds, which are equal if the win% is proven; of a sample its 95 % interval within
    them. `win_pct`: the proven value or an estimate, None if only the bounds are known. `by`: TABLE, or the
    search that found it; an estimate by the table has no range: its ends are equal. `error`: the standard
    error of a sample.
    """

    low: float
    high: float
    win_pct: float | None = None
    by: str = ENDGAME
    error: float | None = None

    @classmethod
    def proven(cls, low: float, high: float, by: str = ENDGAME) -> Verdict:
        """Return a win% that is proven, or proven to lie in a range."""
        return cls(low, high, low if low == high else None, by)

    @classmethod
    def of_bounds(cls, bounds: Bounds) -> Verdict:
        """Return the win% for proven bounds on the final spread."""
        low, high = (50.0 * (1 + (spread > 0) - (spread < 0)) for spread in (bounds.lower, bounds.upper))
        return cls.proven(low, high)

    @classmethod
    def by_table(cls, win_pct: float) -> Verdict:
        """Return an estimate by the win% table."""
        return cls(win_pct, win_pct, win_pct, TABLE)

    @classmethod
    def sampled(cls, win_pct: float, error: float, by: str = SIMULATE) -> Verdict:
        """Return an estimate with its standard error."""
        reach = INTERVAL * error
        low, high = max(0.0, win_pct - reach), min(100.0, win_pct + reach)
        return cls(round(low, 3), round(high, 3), win_pct, by, error)

    @property
    def is_proven(self) -> bool:
        """Whether the win% is proven."""
        return self.low == self.high and self.by != TABLE and self.error is None

    @property
    def key(self) -> float:
        """What ranks moves, the highest first: the estimate, else the middle; of equal ones a proven one."""
        middle = (self.low + self.high) / 2 if self.win_pct is None else self.win_pct
        return middle + CERTAIN_FIRST * self.is_proven

    def of_other_side(self) -> Verdict:
        """Return the same for the opponent of a game of two."""
        win_pct = None if self.win_pct is None else 100 - self.win_pct
        return self._replace(low=100 - self.high, high=100 - self.low, win_pct=win_pct)

    def text(self, digits: int = 0) -> str:
        """Format the estimate, "48.2"; without one the range, "50-100"."""
        if self.win_pct is not None:
            return f"{self.win_pct:.{digits}f}"
        return f"{self.low:.0f}-{self.high:.0f}"


UNPROVEN: Final = Verdict.proven(0.0, 100.0)
"""A win% about which nothing is known."""
