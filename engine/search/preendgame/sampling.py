"""Larger bags: random draws, static play by both sides until the bag is empty, then an endgame.

A move that empties the bag is followed by nothing but the endgame, so the order of the bag does not matter.
If there are few enough bags, all are examined, and its wins are counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Final

from engine.search.preendgame.opponents import Pessimistic
from engine.search.preendgame.perfect import NODE_LIMITS
from engine.search.preendgame.result import win

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.search.preendgame.candidate import Candidate
    from engine.search.preendgame.opponents import Equities, View
    from engine.search.preendgame.perfect import Bounds, Perfect
    from engine.search.preendgame.turns import PreendgameState
    from engine.search.preendgame.worlds import World

MIN_DRAWS: Final = 24  # before a candidate may be stopped
STOPPING_ERRORS: Final = 3.0
"""Standard errors of the difference behind the best candidate at which a candidate is dropped."""


@dataclass
class Sample:
    """Hold the outcomes of a candidate by draw: wins (a tie counts half) and final spreads.

    `counts`: the worlds of the candidate are all that there are, and what is proven of them holds against any
    opponent.
    """

    candidate: Candidate
    wins: list[float] = field(default_factory=list)
    spreads: list[int] = field(default_factory=list)
    stopped: bool = False
    counts: bool = False

    def is_done(self, number: int) -> bool:
        """Return whether all draws were examined before the one with this number."""
        return self.counts and number >= len(self.candidate.worlds)

    def open_draws(self) -> list[int]:
        """Return the draws to search further until the wins are counted."""
        if self.stopped or not self.counts:
            return []
        return [number for number in range(len(self.wins)) if not self.candidate.settled(number)]

    def note(self, number: int, bounds: Bounds, guess: int) -> None:
        """Store bounds on the final spread in a world, the next one or an earlier one, and an estimate."""
        spread = min(max(guess, bounds[0]), bounds[1])
        self.wins[number : number + 1] = [win(spread)]
        self.spreads[number : number + 1] = [spread]
        if self.counts:
            self.candidate.learn(number, bounds, guess)

    @property
    def is_counted(self) -> bool:
        """Whether it is known how often the candidate wins, not estimated."""
        return self.counts and self.candidate.is_known

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
    """Plays candidates to the end of the game in random worlds.

    `counts`: the worlds of the candidates are every bag, and are drawn first.
    """

    def __init__(
        self,
        perfect: Perfect,
        view: View,
        candidates: Sequence[Candidate],
        equities: Equities,
        *,
        counts: bool,
    ) -> None:
        self.perfect, self.view, self.equities = perfect, view, equities
        self.worlds: list[World] = []  # those drawn so far
        self.judge = Pessimistic(perfect, view, self.worlds)
        self.samples = [Sample(one, counts=counts and one.empties) for one in candidates]

    def run(self, worlds: Iterable[World]) -> Iterator[None]:
        """Play the candidates in world after world, then search what the first node limit left open.

        Yields after each step; raises BudgetSpentError.
        """
        for world in worlds:
            self.draw(world)
            yield
        for limit in NODE_LIMITS[1:]:
            self.judge.allow(limit)
            for sample in self.samples:
                for number in sample.open_draws():
                    sample.note(number, *self.played_out(sample.candidate, number))
                    yield

    def draw(self, world: World) -> None:
        """Play every candidate that is not stopped in one more world, unless all its draws were examined.

        Raises BudgetSpentError; then the world counts for none of them.
        """
        number = len(self.worlds)
        self.worlds.append(world)
        running = [sample for sample in self.samples if not sample.stopped and not sample.is_done(number)]
        found = [self.played_out(sample.candidate, number) for sample in running]
        for sample, (bounds, guess) in zip(running, found, strict=True):
            sample.note(number, bounds, guess)
        self.stop()

    def stop(self) -> None:
        """Stop the candidates that are significantly behind the best one."""
        best = self.order()[0]
        for sample in self.samples:
            behind = [one - other for one, other in zip(best.wins, sample.wins, strict=False)]
            count = len(behind)
            if sample is best or sample.stopped or count < MIN_DRAWS:
                continue
            sample.stopped = sum(behind) / count > STOPPING_ERRORS * standard_error(behind, -1.0, 1.0)

    def order(self) -> list[Sample]:
        """Return the samples, the best first, of equal ones a counted one; stopped ones last."""
        return sorted(
            self.samples,
            key=lambda s: (s.stopped, -s.win, not s.is_counted, -s.spread, -s.candidate.equity),
        )

    def played_out(self, candidate: Candidate, number: int) -> tuple[Bounds, int]:
        """Return bounds on the final spread of a candidate in a world, and an estimate of it."""
        perfect, turns, view = self.perfect, self.perfect.turns, self.view
        state: PreendgameState | None = self.judge.after(candidate, number)
        if state is None:
            return _known(self.judge.over(candidate, number)[0])
        spread, sign = view.spread + candidate.turn.score, -1
        while state.bag:
            perfect.check()
            moves = turns.of(state.board, state.own)
            values = self.equities(state.board, state.own, moves)
            turn = moves[int(values.argmax())]
            after = turns.after(state, turn)
            if after is None:
                return _known(spread + sign * turns.end_value(state, turn))
            spread += sign * turn.score
            sign = -sign
            state = after
        return self.ended(state, spread, sign)

    def ended(self, state: PreendgameState, spread: int, sign: int) -> tuple[Bounds, int]:
        """Return bounds on the final spread of an endgame, which show who wins unless the node limit comes
        first, and an estimate; `sign`: 1 if we are on turn, else -1.
        """
        low, high = self.perfect.at_least(state, 1 - sign * spread)
        if high <= -sign * spread:
            low, high = self.perfect.at_least(state, -sign * spread)
        ends = sorted((spread + sign * low, spread + sign * high))
        return (ends[0], ends[1]), spread + sign * self.perfect.estimate(state)


def _known(spread: int) -> tuple[Bounds, int]:
    return (spread, spread), spread
