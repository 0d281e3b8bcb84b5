"""Dividing rollouts among candidates: those that are worse at the stated confidence get no more.

All candidates still in the race have had the same draws, so they are compared by the differences draw by
draw, whose spread is much smaller than that of the values themselves (common random numbers). Checks come at
growing numbers of draws; check k may err with probability (1 - confidence) / (k (k + 1)), shared by all
comparisons, so that all checks together drop the best candidate with at most 1 - confidence (by the normal
approximation of means). Sums are whole numbers: the order in which blocks of draws arrive changes nothing.
Products are those of values less the first one found, and summed up without bound: leads of any size and any
number of draws leave them exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.search import simulating_narrow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SPREAD, WIN, OPPONENT_SCORE, OWN_SCORE, OPPONENT_BINGO, OWN_BINGO, LEAVE, ENDED = range(8)
"""The columns of what a rollout found; simulation.h describes them."""

FIRST_CHECK: Final = 64
"""Draws before the first check: fewer are too few for the normal approximation."""

_GROWTH: Final = 5  # a check every time the draws have grown by a fifth


@dataclass(frozen=True, slots=True)
class Means:
    """Hold a candidate's means (columns as above, in the kernel's units), errors of the first two, draws."""

    values: tuple[float, ...]
    spread_error: float
    win_error: float
    draws: int


class Race:
    """Candidates, what their rollouts found so far, and which are still in the race."""

    def __init__(self, count: int, confidence: float | None, *, by_win: bool) -> None:
        """Take the number of candidates, the confidence (None: drop nobody), and what decides.

        `by_win`: the share of wins, and the spread among those that win equally often; else the spread.
        """
        self.alive: NDArray[np.int32] = np.arange(count, dtype=np.int32)
        self.draws = 0  # of every candidate still in the race
        self._by_win = by_win
        self._confidence = confidence
        self.checks = 0  # made so far
        self._next_check = FIRST_CHECK
        self._draws = np.zeros(count, np.int64)
        self._sums = np.zeros((count, simulating_narrow.COLUMNS), np.int64)
        # By column (spread, win): the value that is taken off all others before they are multiplied, and the
        # products of what two candidates found in the same draw, summed up.
        self._offsets: tuple[int, int] | None = None
        self._products = np.zeros((2, count, count), object)

    @property
    def decided(self) -> bool:
        """Tell whether one candidate is left of several, or a lone one has had the draws of a first check."""
        return self._confidence is not None and len(self.alive) <= 1 and self.draws >= FIRST_CHECK

    def until_check(self) -> int:
        """Return the draws left before the next check."""
        return self._next_check - self.draws

    def add(self, found: NDArray[np.int32]) -> None:
        """Take what the next draws found: (draws, candidates in the race, columns)."""
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
        risk = (1 - self._confidence) / (self.checks * (self.checks + 1)) / (len(self._draws) - 1)
        quantile = NormalDist().inv_cdf(1 - risk)
        best = self.order()[0]
        self.alive = np.array(
            [one for one in self.alive if one == best or not self._is_worse(one, best, quantile)], np.int32
        )

    def _is_worse(self, one: int, best: int, quantile: float) -> bool:
        for column in (WIN, SPREAD) if self._by_win else (SPREAD,):
            behind, error = self._behind(column, one, best)
            if behind or error:  # else they were equal in every draw
                return behind > quantile * error
        return False

    def _behind(self, column: int, one: int, best: int) -> tuple[float, float]:
        """Return by how much the best is ahead on average, and the standard error of that."""
        products, draws = self._products[column], int(self._draws[one])
        ahead = int(self._sums[best, column] - self._sums[one, column])
        squares = products[best, best] + products[one, one] - 2 * products[best, one]
        # In whole numbers: the difference of two large and nearly equal sums.
        variance = (draws * squares - ahead * ahead) / (draws * (draws - 1))
        return ahead / draws, sqrt(variance / draws)

    def order(self) -> list[int]:
        """Return the candidates, best first: those in the race before those dropped, each by their means.

        Equals stand as they were given.
        """
        in_race = np.zeros(len(self._draws), bool)
        in_race[self.alive] = True
        draws = np.maximum(self._draws, 1)
        win = self._sums[:, WIN] / draws if self._by_win else np.zeros(len(draws))
        spread = self._sums[:, SPREAD] / draws
        return [int(one) for one in np.lexsort([-spread, -win, ~in_race])]

    def means(self, one: int) -> Means | None:
        """Return what the rollouts of a candidate found; None if it had none."""
        draws = int(self._draws[one])
        if not draws:
            return None
        errors = []
        for column, offset in zip((SPREAD, WIN), self._offsets or (), strict=False):
            total = int(self._sums[one, column]) - draws * offset
            squares = self._products[column, one, one]
            variance = (draws * squares - total * total) / (draws * max(draws - 1, 1))
            errors.append(sqrt(variance / draws))
        values = tuple([int(value) / draws for value in self._sums[one]])
        return Means(values, errors[0], errors[1], draws)


def _without_overflow(values: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield values, draw by draw, in parts whose products summed up fit in 63 bits."""
    largest = int(np.abs(values).max(initial=1)) or 1
    rows = max(1, 2**62 // largest**2)
    for first in range(0, len(values), rows):
        yield values[first : first + rows]
