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
    """Hold a move, its equity in millipoints, the board after it, and bounds on the final spread by world."""

    turn: Turn
    equity: int
    board: LoadedBoard
    empties: bool
    bounds: list[Bounds]
    guesses: list[int]
    stopped: bool = False

    def lower(self, worlds: Sequence[World]) -> float:
        """Return the least weight of wins, ties half."""
        return sum([w.weight * win(low) for w, (low, _) in zip(worlds, self.bounds, strict=True)])

    def wins(self, worlds: Sequence[World]) -> float:
        """Return the weight of wins, ties half, as far as it is known or guessed.

        Of a move that leaves tiles in the bag only what is known counts: a guess there is worth little.
        """
        return sum(
            [
                w.weight * win(self.spread(n) if self.empties else self.bounds[n][0])
                for n, w in enumerate(worlds)
            ]
        )

    def upper(self, worlds: Sequence[World]) -> float:
        """Return the most weight of wins, ties half."""
        return sum([w.weight * win(high) for w, (_, high) in zip(worlds, self.bounds, strict=True)])

    def settled(self, number: int) -> bool:
        """Tell whether it is known who wins in a world."""
        low, high = self.bounds[number]
        return win(low) == win(high)

    def spread(self, number: int) -> int:
        """Return the final spread in a world, or what is guessed of it."""
        low, high = self.bounds[number]
        return min(max(self.guesses[number], low), high)


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
        target = 1 if low >= 0 or judge.guess(candidate, number) > 0 else 0
        for _ in range(2):
            found = judge.at_least(candidate, number, target)
            low, high = max(low, found[0]), min(high, found[1])
            candidate.bounds[number] = low, high
            target = 1 - target
            if candidate.settled(number) or not low <= target - 1 < high:
                break
        candidate.guesses[number] = judge.guess(candidate, number)
        self._losses[number] += self.worlds[number].weight * (1 - win(high))

    def best_lower(self) -> float:
        """Return the weight of wins that some candidate is sure of."""
        return max(candidate.lower(self.worlds) for candidate in self.candidates)

    def is_beaten(self, candidate: Candidate) -> bool:
        """Tell whether another candidate is sure of more wins than this one can have."""
        upper = candidate.upper(self.worlds)
        least = max(
            (one.lower(self.worlds) for one in self.candidates if one is not candidate), default=-INFINITE
        )
        return upper < least or (not self.ties and upper == least and not self.is_known(candidate))

    def is_known(self, candidate: Candidate) -> bool:
        """Tell whether all worlds of a candidate are settled."""
        return all(candidate.settled(number) for number in range(len(self.worlds)))

    def contenders(self) -> list[Candidate]:
        """Return the candidates that may be best, the most wins first, then the best spread."""
        least = self.best_lower()
        found = [one for one in self.candidates if one.upper(self.worlds) >= least]
        return sorted(found, key=self.merit)

    def is_over(self) -> bool:
        """Tell whether nothing is left to settle."""
        return all(one.stopped or self.is_known(one) for one in self.candidates)

    def mean_spread(self, candidate: Candidate) -> float:
        """Return the mean of the final spreads."""
        total = sum(world.weight for world in self.worlds)
        return sum([w.weight * candidate.spread(n) for n, w in enumerate(self.worlds)]) / total

    def merit(self, candidate: Candidate) -> tuple[float, float, int]:
        """Return by what candidates are sorted, the best least."""
        return -candidate.wins(self.worlds), -self.mean_spread(candidate), -candidate.equity


def unknown(count: int) -> list[Bounds]:
    """Return the bounds of so many worlds of which nothing is known."""
    return [UNKNOWN] * count
