"""Allocation of rollouts: candidates that are worse than the best one at a stated confidence get no more.

All candidates in the race have the same draws. They are compared by their differences draw by draw, which
vary much less than the values themselves (common random numbers). The candidates are checked at growing
numbers of draws. Check k may be wrong with probability (1 - confidence) / (k (k + 1)), divided among its
comparisons. So all checks together drop the best candidate with a probability of at most 1 - confidence, by
the normal approximation of means.

The normal approximation fails for few draws and rare wins: an observed share of 0 seems to have no error.
Therefore differences in wins, which lie between -1 and 1, are judged as if four more had been observed, two
at each end (the "plus four" rule of A. Agresti and B. Coull 1998, The American Statistician 52). Tests
measure how often the best candidate is lost.

Wins decide before the spread does. A candidate is dropped by the spread only if it won as much as the best
one in every draw, and there are enough draws to show a difference of EQUAL_WINS.

All sums are integers, so the order in which blocks of draws arrive does not matter. The first observed value
is subtracted from all values before they are multiplied, and the products are summed in Python's integers, so
that they are exact for any score.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log1p, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.search.search_narrow import COLUMNS, WIN_UNITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SPREAD, WIN, OPPONENT_SCORE, OWN_SCORE, OPPONENT_BINGO, OWN_BINGO, LEAVE, ENDED, DOUBT = range(9)
"""The columns of what a rollout found; rollout.h describes them."""

FIRST_CHECK: Final = 64
"""Draws before the first check; fewer do not suffice for the normal approximation."""

EQUAL_WINS: Final = 0.01
"""If shares of wins differ by less than this, the spread may decide."""

_PSEUDO_DRAWS: Final = 4  # added to the differences in wins, half of them 1 and half -1
_GROWTH: Final = 5  # a check each time the draws have grown by a fifth


@dataclass(frozen=True, slots=True)
class Means:
    """Hold the means of a candidate (the columns above, in the units of rollout.h) and their number of draws.

    `spread_error` and `win_error` are standard errors. The latter counts one more win and one more loss, so
    that an observed share of 0 or 1 has an error too.
    """

    values: tuple[float, ...]
    spread_error: float
    win_error: float
    draws: int


class Race:
    """Hold the results of candidates so far, and which of them are still in the race."""

    def __init__(
        self, count: int, confidence: float | None, *, by_win: bool, only_draw: bool = False
    ) -> None:
        """Take the number of candidates, the confidence (None: never drop one), and what decides.

        `by_win`: the share of wins, then the spread; else the spread alone. `only_draw`: all draws are equal,
        so the results have no sampling error.
        """
        self.alive: NDArray[np.int32] = np.arange(count, dtype=np.int32)
        self.draws = 0  # of every candidate still in the race
        self._by_win = by_win
        self._only_draw = only_draw
        self._confidence = confidence
        self.checks = 0  # number of checks so far
        self._next_check = FIRST_CHECK
        self._draws = np.zeros(count, np.int64)
        self._sums = np.zeros((count, COLUMNS), np.int64)
        # Of spread and win: the value subtracted from all others before they are multiplied, and the sums
        # over the draws of the products of two candidates' values.
        self._offsets: tuple[int, int] | None = None
        self._products = np.zeros((2, count, count), object)

    @property
    def decided(self) -> bool:
        """Return whether one candidate is left, after the draws of at least the first check."""
        return self._confidence is not None and len(self.alive) <= 1 and self.draws >= FIRST_CHECK

    @property
    def certain(self) -> bool:
        """Return whether the best candidate is found at the stated confidence."""
        return self.decided

    def until_check(self) -> int:
        """Return the draws left before the next check."""
        return self._next_check - self.draws

    def add(self, found: NDArray[np.int32]) -> None:
        """Add the results of more draws: (draws, candidates in the race, columns)."""
        values = found.astype(np.int64)
        self._draws[self.alive] += len(values)
        self._sums[self.alive] += values.sum(axis=0)
        if self._offsets is None and len(values):
            self._offsets = int(values[0, 0, SPREAD]), int(values[0, 0, WIN])
        block = np.ix_(self.alive, self.alive)
        for column, offset in zip((SPREAD, WIN), self._offsets or (), strict=False):
            for part in _without_overflow(values[:, :, column] - offset):
                self._products[column][block] += (part.T @ part).astype(object)
        self.draws += len(values)
        if self.draws >= self._next_check:
            self._check()

    def _check(self) -> None:
        self.checks += 1
        self._next_check = self.draws + max(1, self.draws // _GROWTH)
        if self._confidence is None or len(self.alive) < 2:
            return
        # Of one comparison; wins and spread share it.
        risk = (1 - self._confidence) / (len(self._draws) - 1) / (2 if self._by_win else 1)
        best = self.order()[0]
        self.alive = np.array(
            [one for one in self.alive if one == best or not self._is_worse(one, best, risk)], np.int32
        )

    def _is_worse(self, one: int, best: int, risk: float) -> bool:
        quantile = NormalDist().inv_cdf(1 - risk / (self.checks * (self.checks + 1)))
        if self._by_win:
            behind, error = self._behind(WIN, one, best, 0 if self._only_draw else _PSEUDO_DRAWS)
            if self._ahead(WIN, one, best)[1]:
                return behind > quantile * error
            if not self._only_draw and self.draws * log1p(-EQUAL_WINS) > log(risk):
                return False
        behind, error = self._behind(SPREAD, one, best)
        return behind > quantile * error

    def _ahead(self, column: int, one: int, best: int) -> tuple[int, int]:
        """Return the sums over the draws of the lead of the best candidate, and of its square."""
        products = self._products[column]
        squares = products[best, best] + products[one, one] - 2 * products[best, one]
        return int(self._sums[best, column] - self._sums[one, column]), int(squares)

    def _behind(self, column: int, one: int, best: int, pseudo_draws: int = 0) -> tuple[float, float]:
        """Return the mean lead of the best candidate and its standard error.

        `pseudo_draws`: number of further differences of 1 and -1, half of each, that are counted.
        """
        ahead, squares = self._ahead(column, one, best)
        draws = int(self._draws[one]) + pseudo_draws
        squares += pseudo_draws * WIN_UNITS**2
        # In integers: the difference of two large and nearly equal sums.
        variance = (draws * squares - ahead * ahead) / (draws * (draws - 1))
        return ahead / draws, sqrt(variance / draws)

    def order(self) -> list[int]:
        """Return the candidates, best first: by their means, dropped ones last; equal ones in the given
        order.
        """
        in_race = np.zeros(len(self._draws), bool)
        in_race[self.alive] = True
        draws = np.maximum(self._draws, 1)
        win = self._sums[:, WIN] / draws if self._by_win else np.zeros(len(draws))
        spread = self._sums[:, SPREAD] / draws
        return [int(one) for one in np.lexsort([-spread, -win, ~in_race])]

    def means(self, one: int) -> Means | None:
        """Return the means of a candidate, None if it had no rollout."""
        draws = int(self._draws[one])
        if not draws:
            return None
        errors = []
        unit = WIN_UNITS
        pseudo_values = {SPREAD: (), WIN: () if self._only_draw else (0, unit)}
        for column, offset in zip((SPREAD, WIN), self._offsets or (), strict=False):
            more = [value - offset for value in pseudo_values[column]]
            count = draws + len(more)
            total = int(self._sums[one, column]) - draws * offset + sum(more)
            squares = self._products[column, one, one] + sum([value * value for value in more])
            variance = (count * squares - total * total) / (count * max(count - 1, 1))
            errors.append(sqrt(variance / count))
        values = tuple([int(value) / draws for value in self._sums[one]])
        return Means(values, errors[0], errors[1], draws)


def _without_overflow(values: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield consecutive rows of values, so few at a time that sums of products fit in 63 bits."""
    largest = int(np.abs(values).max(initial=1)) or 1
    rows = max(1, 2**62 // largest**2)
    for first in range(0, len(values), rows):
        yield values[first : first + rows]
