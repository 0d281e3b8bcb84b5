"""Larger bags: random draws, static play by both sides until the bag is empty, then an endgame."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Final

from engine.search.preendgame.opponents import Pessimistic
from engine.search.preendgame.result import win

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.search.preendgame.candidate import Candidate
    from engine.search.preendgame.opponents import Equities, View
    from engine.search.preendgame.perfect import Perfect
    from engine.search.preendgame.turns import PreendgameState
    from engine.search.preendgame.worlds import World

MIN_DRAWS: Final = 24  # before a candidate may be stopped
STOPPING_ERRORS: Final = 3.0
"""Standard errors of the difference behind the best candidate at which a candidate is dropped."""


@dataclass
class Sample:
    """Hold the outcomes of a candidate by draw: wins (a tie counts half) and final spreads."""

    candidate: Candidate
    wins: list[float] = field(default_factory=list)
    spreads: list[int] = field(default_factory=list)
    stopped: bool = False

    @property
    def win(self) -> float:
        """The mean of the wins."""
        return sum(self.wins) / max(1, len(self.wins))

    @property
    def spread(self) -> float:
        """The mean of the final spreads."""
        return sum(self.spreads) / max(1, len(self.spreads))

    @property
    def error(self) -> float:
        """The standard error of `win`."""
        return standard_error(self.wins, 0.0, 1.0)


def standard_error(values: Sequence[float], least: float, most: float) -> float:
    """Return the standard error of the mean of values between `least` and `most`.

    One value at each end is added, so that the error of equal values is not 0.
    """
    seen = [*values, least, most]
    count = len(seen)
    mean = sum(seen) / count
    return sqrt(sum([(value - mean) ** 2 for value in seen]) / (count - 1) / count)


class Sampling:
    """Plays candidates to the end of the game in random worlds."""

    def __init__(
        self, perfect: Perfect, view: View, candidates: Sequence[Candidate], equities: Equities
    ) -> None:
        self.perfect, self.view, self.equities = perfect, view, equities
        self.samples = [Sample(candidate) for candidate in candidates]

    def draw(self, world: World) -> None:
        """Play every candidate that is not stopped in one more world.

        Raises BudgetSpentError; then the world counts for none of them.
        """
        running = [sample for sample in self.samples if not sample.stopped]
        spreads = [self.played_out(sample.candidate, world) for sample in running]
        for sample, (wins, spread) in zip(running, spreads, strict=True):
            sample.wins.append(wins)
            sample.spreads.append(spread)
        self.stop()

    def stop(self) -> None:
        """Stop the candidates that are significantly behind the best one."""
        best = self.order()[0]
        for sample in self.samples:
            count = len(sample.wins)
            if sample is best or sample.stopped or count < MIN_DRAWS:
                continue
            behind = [one - other for one, other in zip(best.wins, sample.wins, strict=False)]
            sample.stopped = sum(behind) / count > STOPPING_ERRORS * standard_error(behind, -1.0, 1.0)

    def order(self) -> list[Sample]:
        """Return the samples, the best first; stopped ones last."""
        return sorted(self.samples, key=lambda s: (s.stopped, -s.win, -s.spread, -s.candidate.equity))

    def played_out(self, candidate: Candidate, world: World) -> tuple[float, int]:
        """Return the win and the final spread of a candidate in a world."""
        perfect, turns, view = self.perfect, self.perfect.turns, self.view
        judge = Pessimistic(perfect, view, [world])
        state: PreendgameState | None = judge.after(candidate, 0)
        if state is None:
            spread = judge.over(candidate, 0)[0]
            return win(spread), spread
        spread, sign = view.spread + candidate.turn.score, -1
        while state.bag:
            perfect.check()
            moves = turns.of(state.board, state.own)
            values = self.equities(state.board, state.own, moves)
            turn = moves[int(values.argmax())]
            after = turns.after(state, turn)
            if after is None:
                spread += sign * turns.end_value(state, turn)
                return win(spread), spread
            spread += sign * turn.score
            sign = -sign
            state = after
        return self.ended(state, spread, sign)

    def ended(self, state: PreendgameState, spread: int, sign: int) -> tuple[float, int]:
        """Return the win and the final spread of an endgame; estimates if the node limit comes first."""
        low, high = self.perfect.at_least(state, 1 - sign * spread)
        if high <= -sign * spread:
            low, high = self.perfect.at_least(state, -sign * spread)
        value = self.perfect.estimate(state)
        spread += sign * min(max(value, low), high)
        return win(spread), spread
