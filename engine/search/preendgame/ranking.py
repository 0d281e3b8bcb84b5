"""The order in which the draws of candidates are examined, until the best candidate is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Protocol

import numpy as np

from engine.search.preendgame.candidate import merit
from engine.search.preendgame.perfect import UNKNOWN, Bounds
from engine.search.preendgame.result import win

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from engine.search.preendgame.candidate import Candidate
    from engine.search.preendgame.worlds import World


class Judge(Protocol):
    """Evaluates a candidate in a world, by a model of the opponent."""

    def at_least(self, candidate: Candidate, number: int, target: int) -> Bounds:
        """Return bounds on the final spread that show whether it is at least `target`, if the limits allow
        it.
        """

    def exact(self, candidate: Candidate, number: int) -> Bounds:
        """Return bounds on the final spread, equal if the limits allow it."""

    def guess(self, candidate: Candidate, number: int) -> int:
        """Return an estimate of the final spread."""


class Goal(Enum):
    """What a ranking shall settle."""

    BEST = "best"
    """Until no other candidate can win more than one of them."""
    FIRST = "first"
    """Until the best one is known, of equal ones that with the most equity."""
    EQUALS = "equals"
    """Until it is known of all that may be best how often they win."""


@dataclass
class Ranking:
    """Hold candidates in the order of their equity, and narrow their bounds by a judge."""

    candidates: list[Candidate]
    worlds: list[World]
    progress: Callable[[], None] | None = None
    _open: NDArray[np.float64] = field(init=False)
    _won: NDArray[np.float64] = field(init=False)
    _examined: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        weights = np.array([world.weight for world in self.worlds], float)
        # By candidate and world: the weight of the wins that are not decided.
        self._open = np.tile(weights, (len(self.candidates), 1))
        # By world: wins of the candidates examined in it, and their number. One win and one loss are added.
        self._won = np.ones(len(self.worlds))
        self._examined = np.full(len(self.worlds), 2.0)

    def round(self, judge: Judge, goal: Goal) -> None:
        """Settle draws until the goal is reached, as far as the judge's limits allow.

        Each draw examined is one of the leading candidate, and of its draws the one that others lost most.
        """
        untried = [
            {at for at in range(len(self.worlds)) if not candidate.settled(at)}
            for candidate in self.candidates
        ]
        while (leader := self.leader(goal, untried)) is not None:
            candidate = self.candidates[leader]
            number = max(untried[leader], key=lambda at: (self._examined[at] - self._won[at], -at))
            untried[leader].remove(number)
            self.settle(judge, candidate, number)
            low, high = (win(bound) for bound in candidate.bounds[number])
            self._open[leader, number] = self.worlds[number].weight * (high - low)
            self._won[number] += high
            self._examined[number] += 1
            if self.progress:
                self.progress()

    def leader(self, goal: Goal, untried: list[set[int]]) -> int | None:
        """Return the number of the candidate to examine next, None if the goal is reached or all were tried.

        `untried`: by candidate, the worlds that were not examined in this round. For the goal FIRST it is the
        candidate with the highest upper bound, because no other order examines fewer draws. Otherwise it is
        the one that probably wins most: in a draw that is open for it, it wins as often as the candidates
        examined there. Moves that empty the bag come before the others, because only endgames follow them.
        """
        found = [at for at in self.open(goal) if untried[at]]
        if not found:
            return None
        if goal is Goal.FIRST:
            return max(found, key=lambda at: (self.candidates[at].upper, -at))
        expected = self._open @ (self._won / self._examined)
        return max(
            found, key=lambda at: (self.candidates[at].empties, self.candidates[at].lower + expected[at], -at)
        )

    def open(self, goal: Goal) -> list[int]:
        """Return the numbers of the candidates whose draws may decide whether the goal is reached."""
        if goal is Goal.BEST and self.is_proven():
            return []
        return [at for at, one in enumerate(self.candidates) if not one.is_known and self.matters(one, goal)]

    def matters(self, candidate: Candidate, goal: Goal) -> bool:
        """Return whether a candidate can still be what the goal asks for."""
        others = [one for one in self.candidates if one is not candidate]
        least = max([one.lower for one in others], default=-1.0)
        if candidate.upper != least or goal is Goal.EQUALS:
            return candidate.upper >= least
        rivals = [one.equity for one in others if one.lower == least]
        return goal is Goal.FIRST and candidate.equity > max(rivals)

    def settle(self, judge: Judge, candidate: Candidate, number: int) -> None:
        """Find out who wins in a world."""
        low, high = candidate.bounds[number]
        guess = judge.guess(candidate, number)
        target = 1 if low >= 0 or guess > 0 else 0
        for _ in range(2):
            candidate.learn(number, judge.at_least(candidate, number, target), guess)
            low, high = candidate.bounds[number]
            target = 1 - target
            if candidate.settled(number) or not low <= target - 1 < high:
                break
        candidate.learn(number, UNKNOWN, judge.guess(candidate, number))

    def is_proven(self) -> bool:
        """Return whether it is proven that no candidate wins more than the first by `merit`."""
        best = min(self.candidates, key=merit)
        return all(one.upper <= best.lower for one in self.candidates if one is not best)

    def contenders(self) -> list[Candidate]:
        """Return the candidates that may be best, the best first by `merit`."""
        least = max(candidate.lower for candidate in self.candidates)
        return sorted([one for one in self.candidates if one.upper >= least], key=merit)
