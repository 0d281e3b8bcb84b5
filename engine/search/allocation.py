"""Dividing rollouts among candidates: those that are worse at the stated confidence get no more.

All candidates still in the race have had the same draws, so they are compared by the differences draw by
draw, whose spread is much smaller than that of the values themselves (common random numbers). Checks come at
growing numbers of draws; check k may err with probability (1 - confidence) / (k (k + 1)), shared by all
comparisons, so that all checks together drop the best candidate with at most 1 - confidence, by the normal
approximation of means.

That approximation fails for few draws and rare wins: a share seen as 0 seems to have no error. So
differences in wins, which are from -1 to 1, are judged as if four more had been seen, two of each extreme
(the "plus four" of A. Agresti and B. Coull 1998, The American Statistician 52); tests measure how often the
best is lost.

The spread drops nobody while wins may still differ by EQUAL_WINS: only one who won just as much as the best
in every draw, of so many that a difference of that share would have shown.

Sums are whole numbers: the order in which blocks of draws arrive changes nothing. Products are those of
values less the first one found, and summed up without bound: leads of any size and any number of draws leave
them exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log1p, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.search import rollout_narrow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SPREAD, WIN, OPPONENT_SCORE, OWN_SCORE, OPPONENT_BINGO, OWN_BINGO, LEAVE, ENDED = range(8)
"""The columns of what a rollout found; rollout.h describes them."""

FIRST_CHECK: Final = 64
"""Draws before the first check: fewer are too few for the normal approximation."""

EQUAL_WINS: Final = 0.01
"""The difference in the share of wins below which the spread may decide."""

_SUPPOSED: Final = 4  # differences in wins, half of them 1 and half -1
_GROWTH: Final = 5  # a check every time the draws have grown by a fifth


@dataclass(frozen=True, slots=True)
class Means:
    """Hold a candidate's means (columns as above, in the kernel's units), errors of the first two, draws.

    The error of the wins is as if one more draw had been won and one lost: a share seen as 0 or 1 has one.
    """

    values: tuple[float, ...]
    spread_error: float
    win_error: float
    draws: int


class Race:
    """Candidates, what their rollouts found so far, and which are still in the race."""

    def __init__(
        self, count: int, confidence: float | None, *, by_win: bool, only_draw: bool = False
    ) -> None:
        """Take the number of candidates, the confidence (None: drop nobody), and what decides.

        `by_win`: the share of wins, and the spread among those that win equally often; else the spread.
        `only_draw`: all draws are the same one, so what it finds is no estimate.
        """
        self.alive: NDArray[np.int32] = np.arange(count, dtype=np.int32)
        self.draws = 0  # of every candidate still in the race
        self._by_win = by_win
        self._only_draw = only_draw
        self._confidence = confidence
        self.checks = 0  # made so far
        self._next_check = FIRST_CHECK
        self._draws = np.zeros(count, np.int64)
        self._sums = np.zeros((count, rollout_narrow.COLUMNS), np.int64)
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
        # Of each comparison: by wins and by spread share it.
        risk = (1 - self._confidence) / (len(self._draws) - 1) / (2 if self._by_win else 1)
        best = self.order()[0]
        self.alive = np.array(
            [one for one in self.alive if one == best or not self._is_worse(one, best, risk)], np.int32
        )

    def _is_worse(self, one: int, best: int, risk: float) -> bool:
        quantile = NormalDist().inv_cdf(1 - risk / (self.checks * (self.checks + 1)))
        if self._by_win:
            behind, error = self._behind(WIN, one, best, 0 if self._only_draw else _SUPPOSED)
            if self._ahead(WIN, one, best)[1]:
                return behind > quantile * error
            if not self._only_draw and self.draws * log1p(-EQUAL_WINS) > log(risk):
                return False
        behind, error = self._behind(SPREAD, one, best)
        return behind > quantile * error

    def _ahead(self, column: int, one: int, best: int) -> tuple[int, int]:
        """Return the sums of what the best is ahead by, draw by draw, and of the squares of that."""
        products = self._products[column]
        squares = products[best, best] + products[one, one] - 2 * products[best, one]
        return int(self._sums[best, column] - self._sums[one, column]), int(squares)

    def _behind(self, column: int, one: int, best: int, supposed: int = 0) -> tuple[float, float]:
        """Return by how much the best is ahead on average, and the standard error of that.

        `supposed`: how many differences of a whole win, half of them each way, are counted besides.
        """
        ahead, squares = self._ahead(column, one, best)
        draws = int(self._draws[one]) + supposed
        squares += supposed * rollout_narrow.WIN_UNITS**2
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
        unit = rollout_narrow.WIN_UNITS
        supposed = {SPREAD: (), WIN: () if self._only_draw else (0, unit)}
        for column, offset in zip((SPREAD, WIN), self._offsets or (), strict=False):
            more = [value - offset for value in supposed[column]]
            count = draws + len(more)
            total = int(self._sums[one, column]) - draws * offset + sum(more)
            squares = self._products[column, one, one] + sum([value * value for value in more])
            variance = (count * squares - total * total) / (count * max(count - 1, 1))
            errors.append(sqrt(variance / count))
        values = tuple([int(value) / draws for value in self._sums[one]])
        return Means(values, errors[0], errors[1], draws)


def _without_overflow(values: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield values, draw by draw, in parts whose products summed up fit in 63 bits."""
    largest = int(np.abs(values).max(initial=1)) or 1
    rows = max(1, 2**62 // largest**2)
    for first in range(0, len(values), rows):
        yield values[first : first + rows]
