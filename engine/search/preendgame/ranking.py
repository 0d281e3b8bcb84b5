"""The candidates of a pre-endgame and their bounds by world, narrowed until the best candidate is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from engine.search.preendgame.perfect import INFINITE, UNKNOWN, Bounds
from engine.search.preendgame.result import win

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.loaded_board import LoadedBoard
    from engine.search.preendgame.turns import Turn
    from engine.search.preendgame.worlds import World


@dataclass
class Candidate:
    """Hold a move, its equity in millipoints, the board after it, and bounds on the final spread by world.

    Updated with the bounds: `lower` and `upper`, bounds on the weight of wins (a tie counts half);
    `settled_weight`, of worlds whose winner is known; `open_spreads`, the number of worlds whose spread is
    not. `empties`: the move empties the bag. `guess`: estimate of the final spread for worlds without one of
    their own.
    """

    turn: Turn
    equity: int
    board: LoadedBoard
    empties: bool
    worlds: Sequence[World]
    guess: int
    stopped: bool = False
    bounds: list[Bounds] = field(init=False)
    guesses: dict[int, int] = field(init=False, default_factory=dict)
    total: int = field(init=False)
    lower: float = field(init=False, default=0.0)
    upper: float = field(init=False)
    settled_weight: int = field(init=False, default=0)
    open_spreads: int = field(init=False)
    _tally: tuple[float, float] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.bounds = [UNKNOWN] * len(self.worlds)
        self.total = sum([world.weight for world in self.worlds])
        self.upper = float(self.total)
        self.open_spreads = len(self.worlds)

    def learn(self, number: int, found: Bounds, guess: int) -> None:
        """Narrow the bounds on the final spread in a world, and set the estimate of it."""
        before, weight = self.bounds[number], self.worlds[number].weight
        low, high = self.bounds[number] = max(before[0], found[0]), min(before[1], found[1])
        was_settled = win(before[0]) == win(before[1])
        self.lower += weight * (win(low) - win(before[0]))
        self.upper += weight * (win(high) - win(before[1]))
        self.settled_weight += weight * ((win(low) == win(high)) - was_settled)
        self.open_spreads -= (low == high) - (before[0] == before[1])
        self.guesses[number] = guess
        self._tally = None

    @property
    def wins(self) -> float:
        """The weight of wins (a tie counts half), known or estimated; half of the total if nothing is known.

        For a move that leaves tiles in the bag only known wins count, because estimates are poor there.
        """
        return self._tallied()[0]

    @property
    def mean_spread(self) -> float:
        """The mean of the final spreads, known or estimated."""
        return self._tallied()[1]

    @property
    def is_known(self) -> bool:
        """Whether it is known in all worlds who wins."""
        return self.settled_weight == self.total

    def settled(self, number: int) -> bool:
        """Return whether the winner of a world is known."""
        low, high = self.bounds[number]
        return win(low) == win(high)

    def spread(self, number: int) -> int:
        """Return the final spread in a world, known or estimated."""
        low, high = self.bounds[number]
        return min(max(self.guesses.get(number, self.guess), low), high)

    def _tallied(self) -> tuple[float, float]:
        """Return the wins and the mean spread."""
        if self._tally is None:
            known = [(self.worlds[number].weight, number, self.spread(number)) for number in self.guesses]
            rest = self.total - sum([weight for weight, _, _ in known])
            spread = rest * self.guess + sum([weight * spread for weight, _, spread in known])
            wins = self.lower
            if self.empties and not known:
                wins = self.total / 2  # its points alone would rank it above examined moves
            elif self.empties:
                wins = rest * win(self.guess) + sum([weight * win(spread) for weight, _, spread in known])
            self._tally = wins, spread / self.total
        return self._tally


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


@dataclass
class Ranking:
    """Hold candidates in the order of their equity, and narrow their bounds by a judge.

    `ties`: also settle candidates that can at most equal the best one; otherwise the first of equals is the
    best.
    """

    candidates: list[Candidate]
    worlds: list[World]
    ties: bool = True
    progress: Callable[[], None] | None = None
    _losses: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self._losses = [0.0] * len(self.worlds)

    def round(self, judge: Judge) -> None:
        """Settle every candidate that could be best, world by world, as far as the judge's limits allow.

        Moves that empty the bag come first, because only endgames follow them. The first worlds are those
        that other candidates lose most often.
        """
        for candidate in sorted(self.candidates, key=lambda one: self.ties and not one.empties):
            if self.is_beaten(candidate):
                candidate.stopped = True
                continue
            for number in sorted(range(len(self.worlds)), key=lambda n: -self._losses[n]):
                if candidate.settled(number):
                    continue
                self.settle(judge, candidate, number)
                if self.is_beaten(candidate):
                    candidate.stopped = True
                    break
            if self.progress:
                self.progress()

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
        self._losses[number] += self.worlds[number].weight * (1 - win(high))

    def best_lower(self) -> float:
        """Return the highest lower bound of a candidate."""
        return max(candidate.lower for candidate in self.candidates)

    def is_beaten(self, candidate: Candidate) -> bool:
        """Return whether another candidate certainly wins more than this one can."""
        least = max([one.lower for one in self.candidates if one is not candidate], default=-INFINITE)
        return candidate.upper < least or (
            not self.ties and candidate.upper == least and not candidate.is_known
        )

    def contenders(self) -> list[Candidate]:
        """Return the candidates that may be best, the most wins first, then the best spread."""
        least = self.best_lower()
        return sorted([one for one in self.candidates if one.upper >= least], key=merit)

    def is_over(self) -> bool:
        """Return whether every candidate is settled or beaten."""
        return all(one.stopped or one.is_known for one in self.candidates)


def merit(candidate: Candidate) -> tuple[float, float, int]:
    """Return the key that sorts candidates, the best first."""
    return -candidate.wins, -candidate.mean_spread, -candidate.equity
