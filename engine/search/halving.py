"""Allocation of rollouts for players, who need only the best move: sequential halving with static estimates.

The rollouts are divided into as many equal rounds as the candidates can be halved. After each round the worse
half is dropped, so that the leaders get most of the rollouts. The checks of a Race drop clearly worse
candidates earlier. Source: [Karnin2013].

The static estimate of each candidate counts as PRIOR_DRAWS rollouts. With few rollouts it decides, because
differences between single rollouts are mostly chance.
"""

from __future__ import annotations

from math import ceil, log2
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.search.allocation import SPREAD, WIN, Race

if TYPE_CHECKING:
    from numpy.typing import NDArray

PRIOR_DRAWS: Final = 30
"""The number of rollouts that a static estimate counts for; between 15 and 60 the loss hardly differs."""


class Halving(Race):
    """A race in which the worse half drops out after each round."""

    def __init__(
        self,
        prior: NDArray[np.int64],
        iterations: int,
        confidence: float | None,
        *,
        by_win: bool,
        only_draw: bool = False,
    ) -> None:
        """Take the static estimates and the number of rollouts of all candidates together.

        `prior`: chances in the units of rollout.h with `by_win`, else spreads in millipoints; the other
        arguments as those of a Race.
        """
        super().__init__(len(prior), confidence, by_win=by_win, only_draw=only_draw)
        self._prior = prior
        self._prior_draws = 0 if only_draw else PRIOR_DRAWS
        self._left = iterations
        self._halved = False
        self._begin_round()

    @property
    def decided(self) -> bool:
        """Return whether one candidate is left."""
        return len(self.alive) <= 1

    @property
    def certain(self) -> bool:
        """Return whether one candidate is left and all others were dropped by checks."""
        return self.decided and not self._halved

    def until_check(self) -> int:
        """Return the draws left before the next check or the end of the round."""
        return min(super().until_check(), self._round_end - self.draws)

    def add(self, found: NDArray[np.int32]) -> None:
        """Add the results of more draws: (draws, candidates in the race, columns)."""
        self._left -= len(found) * len(self.alive)
        super().add(found)
        if self.draws >= self._round_end:
            survivors = min(self._survivors, len(self.alive))
            self._halved = self._halved or survivors < len(self.alive)
            self.alive = np.sort(np.array(self.order()[:survivors], np.int32))
            self._begin_round()

    def _begin_round(self) -> None:
        """Set the end of the round, in draws, and how many candidates are left after it."""
        count = len(self.alive)
        rounds = max(1, ceil(log2(max(count, 1))))
        self._survivors = max(1, ceil(count / 2))
        self._round_end = self.draws + max(1, self._left // rounds // max(count, 1))

    def order(self) -> list[int]:
        """Return the candidates, best first, by rollouts and static estimates; dropped ones last."""
        sums = self._sums[:, WIN if self._by_win else SPREAD]
        value = (sums + self._prior_draws * self._prior) / np.maximum(self._draws + self._prior_draws, 1)
        in_race = np.zeros(len(value), bool)
        in_race[self.alive] = True
        spread = self._sums[:, SPREAD] / np.maximum(self._draws, 1)
        return [int(one) for one in np.lexsort([-spread, -value, -self._draws, ~in_race])]
