"""A candidate of a pre-endgame: the bounds on its final spread by world, and on its wins."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.search.preendgame.perfect import UNKNOWN, Bounds
from engine.search.preendgame.result import win

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.loaded_board import LoadedBoard
    from engine.search.preendgame.turns import ScoredMove
    from engine.search.preendgame.worlds import World


@dataclass
class Candidate:
    """Hold a move, its equity in millipoints, the board after it, and bounds on the final spread by world.

    Updated with the bounds: `lower` and `upper`, bounds on the weight of wins (a tie counts half);
    `settled_weight`, of worlds whose winner is known; `open_spreads`, the number of worlds whose spread is
    not. `empties`: the move empties the bag. `guess`: estimate of the final spread for worlds without one of
    their own.
    """

    turn: ScoredMove
    equity: int
    board: LoadedBoard
    empties: bool
    worlds: Sequence[World]
    guess: int
    bounds: list[Bounds] = field(init=False)
    guesses: dict[int, int] = field(init=False, default_factory=dict)
    total: int = field(init=False)
    lower: float = field(init=False, default=0.0)
    upper: float = field(init=False)
    settled_weight: int = field(init=False, default=0)
    open_spreads: int = field(init=False)

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

    @property
    def is_known(self) -> bool:
        """Whether it is known in all worlds who wins."""
        return self.settled_weight == self.total

    @property
    def mean_spread(self) -> float:
        """The mean of the final spreads, known or estimated."""
        spreads = [world.weight * self.spread(number) for number, world in enumerate(self.worlds)]
        return sum(spreads) / self.total

    def settled(self, number: int) -> bool:
        """Return whether the winner of a world is known."""
        low, high = self.bounds[number]
        return win(low) == win(high)

    def spread(self, number: int) -> int:
        """Return the final spread in a world, known or estimated."""
        low, high = self.bounds[number]
        return min(max(self.guesses.get(number, self.guess), low), high)


def merit(candidate: Candidate) -> tuple[float, bool, float, float, int]:
    """Return the key that sorts candidates, the best first: by what is proven, then by the estimates.

    A candidate that was not examined stands behind all that were. Between equal bounds the mean spread
    decides if the winners are known, else the equity.
    """
    spread = candidate.mean_spread if candidate.is_known else 0.0
    return -candidate.lower, not candidate.guesses, -candidate.upper, -spread, -candidate.equity
