"""The order in which the draws of candidates are examined, until the best candidate is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from engine.search.preendgame.candidate import merit
from engine.search.preendgame.perfect import UNKNOWN, Bounds
from engine.search.preendgame.result import win

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from engine.search.preendgame.candidate import Candidate
    from engine.search.preendgame.worlds import World


class Judge(Protocol):
    """Evaluates a candidate in a world, by a model of the opponent."""

    def allow(self, nodes: int) -> None:
        """Set the node limit of one endgame."""

    def at_least(self, candidate: Candidate, number: int, target: int) -> Bounds:
        """Return bounds on the final spread that show whether it is at least `target`, if the limits allow
        it.
        """

    def exact(self, candidate: Candidate, number: int) -> Bounds:
        """Return bounds on the final spread, equal if the limits allow it."""

    def guess(self, candidate: Candidate, number: int) -> int:
        """Return an estimate of the final spread."""


OPEN_SHARE: Final = 0.7
"""Share of a proven win that a probable win counts, to prefer candidates with proven wins."""
EFFORT: Final = 0.03
"""Share of the draws that a candidate must lead by, to examine one of its draws with the second node limit.

With later ones it is multiplied by the square of the number of limits before.
"""
BEHIND: Final = 0.01
"""Share of the draws by which a candidate leads another for each point of equity more."""
LEAVES_TILES: Final = 2
"""Number of the first node limit of a move that leaves tiles in the bag: many endgames follow it, and low
limits rarely settle all of them.
"""


class Goal(Enum):
    """What a ranking shall settle."""

    BEST = "best"
    """Until no other candidate can win more than one of them."""
    FIRST = "first"
    """Until the best one is known, of equal ones that with the most equity."""
    EQUALS = "equals"
    """Until it is known of all that may be best how often they win."""


@dataclass
class CandidateRanking:
    """Hold candidates in the order of their equity, and narrow their bounds by a judge.

    `limits`: node limits of one endgame, ascending; a draw that one does not settle is examined again with
    the next one.
    """

    candidates: list[Candidate]
    worlds: list[World]
    limits: Sequence[int]
    progress: Callable[[], None] | None = None
    _equity: NDArray[np.float64] = field(init=False)
    _lower: NDArray[np.float64] = field(init=False)
    _upper: NDArray[np.float64] = field(init=False)
    _open: NDArray[np.float64] = field(init=False)
    _tries: NDArray[np.int64] = field(init=False)
    _next_tries: NDArray[np.float64] = field(init=False)
    _won: NDArray[np.float64] = field(init=False)
    _settled: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        weights = np.array([world.weight for world in self.worlds], float)
        self._equity = np.array([one.equity for one in self.candidates], float)
        self._lower = np.zeros(len(self.candidates))
        self._upper = np.full(len(self.candidates), weights.sum())
        # By candidate and world: the weight of the wins that are not decided, and how many limits were tried.
        self._open = np.tile(weights, (len(self.candidates), 1))
        self._tries = np.zeros(self._open.shape, np.int64)
        for at, one in enumerate(self.candidates):
            self._tries[at] = 0 if one.empties else min(LEAVES_TILES, len(self.limits) - 1)
        # By candidate: the fewest of `_tries` of its open draws, infinite if all are decided.
        self._next_tries = self._tries.min(axis=1).astype(float)
        # By world: the candidates settled in it, and their wins. One win and one loss are added.
        self._won = np.ones(len(self.worlds))
        self._settled = np.full(len(self.worlds), 2.0)

    def settle(self, judge: Judge, goal: Goal) -> None:
        """Settle draws until the goal is reached, or none is left that the node limits settle."""
        while (found := self.next_draw(goal)) is not None:
            at, number = found
            candidate = self.candidates[at]
            judge.allow(self.limits[self._tries[at, number]])
            self.examine(judge, candidate, number)
            low, high = (win(bound) for bound in candidate.bounds[number])
            self._lower[at], self._upper[at] = candidate.lower, candidate.upper
            self._open[at, number] = self.worlds[number].weight * (high - low)
            if low == high:
                self._settled[number] += 1
                self._won[number] += low
            self._tries[at, number] += 1
            self._next_tries[at] = np.where(self._open[at] > 0, self._tries[at], np.inf).min()
            if self.progress:
                self.progress()

    def next_draw(self, goal: Goal) -> tuple[int, int] | None:
        """Return the numbers of the candidate and the world to examine next, None if there is none.

        Of the draws of a candidate it is the one examined least often, of these the one that others lost
        most. The candidate is the leading one; for the goal FIRST that is the one with the highest upper
        bound, because no other order examines fewer draws. Otherwise it is the one that probably wins most
        (`hoped`); such wins count less than proven ones. Equity counts too, and a candidate leads by less if
        its next draw needs more nodes.
        """
        if goal is Goal.FIRST:
            leads = self._upper
        else:
            total = self.candidates[0].total
            shares = BEHIND * self._equity / 1000 - EFFORT * self._next_tries**2
            leads = self._lower + OPEN_SHARE * self.hoped() + shares * total
        is_left = self.open(goal) & (self._next_tries < len(self.limits))
        if not is_left.any():
            return None
        at = int(np.where(is_left, leads, -np.inf).argmax())
        losses = self._settled - self._won
        is_next = (self._open[at] > 0) & (self._tries[at] == self._next_tries[at])
        return at, int(np.where(is_next, losses, -np.inf).argmax())

    def hoped(self) -> NDArray[np.float64]:
        """Return for each candidate the weight that it may win of its open draws.

        In an open draw it wins as often as the candidates that are settled there.
        """
        return self._open @ (self._won / self._settled)

    def ordered(self) -> list[tuple[Candidate, float]]:
        """Return the candidates, each with an estimate of the weight that it wins, the highest first.

        A candidate that was not examined stands behind all that were.
        """
        hoped = self.hoped().tolist()
        rated = [(one, one.lower + more) for one, more in zip(self.candidates, hoped, strict=True)]
        return sorted(rated, key=lambda pair: (not pair[0].guesses, -pair[1], *merit(pair[0])))

    def open(self, goal: Goal) -> NDArray[np.bool_]:
        """Return of which candidates the draws may decide whether the goal is reached.

        A candidate matters if it may win as often as the one that wins most for certain (of equal ones that
        with the most equity). If it can win at most equally often, it matters for the goal EQUALS, and for
        FIRST if it has more equity.
        """
        most = self._lower.max()
        if goal is Goal.BEST and np.count_nonzero(self._upper > most) <= 1 and self.is_proven():
            return np.zeros(len(self.candidates), bool)
        best = int(np.where(self._lower == most, self._equity, -np.inf).argmax())
        matters = self._upper >= most
        if goal is not Goal.EQUALS:
            equals = self._upper == most
            equals[best] = False
            matters[equals] = goal is Goal.FIRST and self._equity[equals] > self._equity[best]
        found: NDArray[np.bool_] = np.logical_and(matters, np.isfinite(self._next_tries))
        return found

    def examine(self, judge: Judge, candidate: Candidate, number: int) -> None:
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
        """Return whether it is proven that no candidate wins more than the first by `merit`.

        If all others lose every draw, the first must be known too: it may be the only one not examined.
        """
        most = max([one.lower for one in self.candidates])
        if sum([one.upper > most for one in self.candidates]) > 1:  # one may be the best itself
            return False
        best = min(self.candidates, key=merit)
        beaten = all(one.upper <= best.lower for one in self.candidates if one is not best)
        return beaten and (best.lower > 0 or best.is_known)

    def contenders(self) -> list[Candidate]:
        """Return the candidates that may be best, the best first by `merit`."""
        least = max(candidate.lower for candidate in self.candidates)
        return sorted([one for one in self.candidates if one.upper >= least], key=merit)
