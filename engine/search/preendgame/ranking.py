"""Candidates and what is known of each, draw by draw: settled until the best is known."""

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

    What the bounds come to is kept as they narrow: `lower` and `upper`, the least and the most weight of
    wins, ties half; the weight of the worlds whose winner is settled; in how many worlds the spread is open.
    """

    turn: Turn
    equity: int
    board: LoadedBoard
    empties: bool
    worlds: Sequence[World]
    guess: int  # of the final spread, for worlds not looked at
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
        """Take bounds on the final spread in a world, and a guess of it."""
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
        """The weight of wins, ties half, as far as it is known or guessed; else half of all.

        Of a move that leaves tiles in the bag only what is known counts: a guess there is worth little.
        """
        return self._tallied()[0]

    @property
    def mean_spread(self) -> float:
        """The mean of the final spreads, known or guessed."""
        return self._tallied()[1]

    @property
    def is_known(self) -> bool:
        """Whether it is known in all worlds who wins."""
        return self.settled_weight == self.total

    def settled(self, number: int) -> bool:
        """Tell whether it is known who wins in a world."""
        low, high = self.bounds[number]
        return win(low) == win(high)

    def spread(self, number: int) -> int:
        """Return the final spread in a world, or what is guessed of it."""
        low, high = self.bounds[number]
        return min(max(self.guesses.get(number, self.guess), low), high)

    def _tallied(self) -> tuple[float, float]:
        """Return the wins and the mean spread; looks only at worlds of which something was learnt."""
        if self._tally is None:
            known = [(self.worlds[number].weight, number, self.spread(number)) for number in self.guesses]
            rest = self.total - sum([weight for weight, _, _ in known])
            spread = rest * self.guess + sum([weight * spread for weight, _, spread in known])
            wins = self.lower
            if self.empties and not known:
                wins = self.total / 2  # its points alone would put it before those that were looked at
            elif self.empties:
                wins = rest * win(self.guess) + sum([weight * win(spread) for weight, _, spread in known])
            self._tally = wins, spread / self.total
        return self._tally


class Judge(Protocol):
    """Says what comes of a candidate in a world."""

    def at_least(self, candidate: Candidate, number: int, target: int) -> Bounds:
        """Return bounds on the mover's final spread, one of them on the asked side of `target` if it can."""

    def exact(self, candidate: Candidate, number: int) -> Bounds:
        """Return bounds on the final spread, equal if it can."""

    def guess(self, candidate: Candidate, number: int) -> int:
        """Return a guess of the final spread."""


@dataclass
class Ranking:
    """Hold candidates over worlds, in the order of their equity, and settle them by a judge.

    `ties`: also settle those that can only be as good as the best; otherwise the order of equity is kept,
    and the first of equals is the best.
    """

    candidates: list[Candidate]
    worlds: list[World]
    ties: bool = True
    progress: Callable[[], None] | None = None
    _losses: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self._losses = [0.0] * len(self.worlds)

    def round(self, judge: Judge) -> None:
        """Settle every candidate that could be best, world by world, as far as the judge's limits go.

        Moves that empty the bag come first, for what is beneath them are endgames alone; of the worlds those
        that cost other candidates most.
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
        """Ask who wins in a world."""
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
        """Return the weight of wins that some candidate is sure of."""
        return max(candidate.lower for candidate in self.candidates)

    def is_beaten(self, candidate: Candidate) -> bool:
        """Tell whether another candidate is sure of more wins than this one can have."""
        least = max([one.lower for one in self.candidates if one is not candidate], default=-INFINITE)
        return candidate.upper < least or (
            not self.ties and candidate.upper == least and not candidate.is_known
        )

    def contenders(self) -> list[Candidate]:
        """Return the candidates that may be best, the most wins first, then the best spread."""
        least = self.best_lower()
        return sorted([one for one in self.candidates if one.upper >= least], key=merit)

    def is_over(self) -> bool:
        """Tell whether nothing is left to settle."""
        return all(one.stopped or one.is_known for one in self.candidates)


def merit(candidate: Candidate) -> tuple[float, float, int]:
    """Return by what candidates are sorted, the best least."""
    return -candidate.wins, -candidate.mean_spread, -candidate.equity
