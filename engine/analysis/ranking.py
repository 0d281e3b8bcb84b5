"""The order of all moves of a position: plays, exchanges and the pass."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.analysis.moves import other_moves
from engine.position import Exchange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.analysis.request import AnalysisOptions
    from engine.evaluation.evaluators import LeaveValues
    from engine.movegen import Plays
    from engine.position import Move, Position


class Ranked(NamedTuple):
    """Hold a move, its rank among all legal moves (from 1), and what an evaluator says of it, millipoints."""

    rank: int
    move: Move
    equity: int | None
    leave_value: int | None


class Ranking:
    """Rank the moves of a position by score or by equity.

    By score the plays come first, in the order of ties of `Plays.best`, then the exchanges and the pass,
    which score nothing. By equity all stand in one order; of equal moves plays come first, then exchanges.
    """

    def __init__(
        self, position: Position, plays: Plays, options: AnalysisOptions, values: LeaveValues | None
    ) -> None:
        self._position = position
        self._plays = plays
        self._options = options
        self._values = values

    def listed(self) -> Iterator[Ranked]:
        """Yield the moves to list: the plays, and the others if asked for; the pass also if it is alone."""
        options, plays = self._options, self._plays
        wants_others = options.include_exchanges or not len(plays)
        if options.sort == "score" and not wants_others:
            for rank, index in enumerate(plays.best(options.top_n), start=1):
                yield self._ranked_play(rank, int(index))
            return
        first = 0 if options.include_exchanges else len(self.others) - 1
        listed = 0
        for rank, entry in enumerate(self._sequence.tolist(), start=1):
            if listed == options.top_n:
                return
            if entry < len(plays):
                yield self._ranked_play(rank, int(self._order[entry]))
            elif wants_others and entry - len(plays) >= first:
                yield self._ranked_other(rank, self.others[entry - len(plays)])
            else:
                continue
            listed += 1

    def of_play(self, index: int) -> Ranked:
        """Return a play, given by its index, with its rank."""
        place = int(np.flatnonzero(self._order == index)[0])
        return self._ranked_play(self._rank(place), index)

    def of_other(self, move: Move) -> Ranked | None:
        """Return an exchange or the pass with its rank, None if it is not legal."""
        if move not in self.others:
            return None
        return self._ranked_other(self._rank(len(self._plays) + self.others.index(move)), move)

    @cached_property
    def others(self) -> list[Move]:
        """The legal moves that are no plays."""
        return list(other_moves(self._position))

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        """Indices of all plays, best first."""
        return self._plays.best(len(self._plays), by="equity" if self._options.sort == "equity" else "score")

    @cached_property
    def _sequence(self) -> NDArray[np.intp]:
        """Every move, best first: places in `_order`, then, counted on, in `others`."""
        if self._options.sort != "equity" or self._values is None:
            return np.arange(len(self._plays) + len(self.others))
        others = [self._leave_value(move) or 0 for move in self.others]
        equities = np.concatenate([self._plays.array["equity"][self._order], others]).astype(np.int64)
        return np.argsort(-equities, kind="stable")

    def _rank(self, entry: int) -> int:
        return int(np.flatnonzero(self._sequence == entry)[0]) + 1

    def _ranked_play(self, rank: int, index: int) -> Ranked:
        move = self._plays.move(index)
        if self._values is None:
            return Ranked(rank, move, None, None)
        play = self._plays.array[index]
        return Ranked(rank, move, int(play["equity"]), int(self._values.array[play["leave"]]))

    def _ranked_other(self, rank: int, move: Move) -> Ranked:
        value = self._leave_value(move)
        return Ranked(rank, move, value, value)

    def _leave_value(self, move: Move) -> int | None:
        if self._values is None:
            return None
        kept = Counter(self._position.rack.tiles)
        if isinstance(move, Exchange):
            kept.subtract(move.tiles)
        return self._values.of(bytes(sorted(kept.elements())))
