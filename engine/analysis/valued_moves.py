"""The values of all legal moves of a position: the best ones, the rank of one, and a missed bingo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.analysis.lending import lent_evaluator, lent_generator
from engine.analysis.move_report import tiles_left, used_tiles
from engine.movegen import leaves
from engine.position import Exchange, Pass, Play, format_move

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.evaluation.evaluators import LeaveValues
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen import Plays
    from engine.position import Move, Position

ILLEGAL: Final = int(np.iinfo(np.int32).min)
"""The equity of an illegal exchange: less than that of any legal move."""


@dataclass(frozen=True, slots=True)
class ValuedMove:
    """Hold a move, its points, its equity and leave value in millipoints, and how many tiles it places."""

    move: Move
    score: int
    equity: int
    leave_value: int
    placed: int


class ValuedMoves:
    """Hold the values of all legal moves of a position, by one evaluator.

    Only the moves that are returned become objects; all others stay in the arrays of the generator, so that
    a turn takes a fraction of a millisecond.
    """

    def __init__(self, position: Position, board: LoadedBoard, lexicon: Lexicon, evaluator: str) -> None:
        self._position = position
        self._values: LeaveValues | None = None
        array = None
        with (
            lent_evaluator(evaluator, lexicon, position.rules, expect_bingos=False) as leave_evaluator,
            lent_generator("internal_words", lexicon) as movegen,
        ):
            self._weighs_pass = leave_evaluator is not None and leave_evaluator.weighs_pass
            if leave_evaluator is not None:
                self._values, _ = leave_evaluator.leave_values(board, position)
                array = self._values.array
            self._plays: Plays = movegen.generate(board, position.rack, position.rules, array)
            if leave_evaluator is not None:
                leave_evaluator.adjust(self._plays, position)
        self._exchanges = self._exchange_values(array)

    def _exchange_values(self, array: NDArray[np.int32] | None) -> NDArray[np.int32]:
        """Return the equity of each exchange, by the number of its leave; empty if none is legal.

        An exchange of more tiles than the bag holds gets ILLEGAL.
        """
        bag, rules, rack = self._position.bag_count(), self._position.rules, self._position.rack
        if array is None:
            array = np.zeros(len(leaves(rack)), np.int32)
        if not bag or bag < rules.exchange_limit:
            return array[:0]
        if bag >= len(rack):
            return array[:-1]  # the last leave is the full rack: the pass
        least = len(rack) - bag
        sizes = np.array([len(leave) for leave in leaves(rack)[:-1]])
        return np.where(sizes >= least, array[:-1], ILLEGAL)

    @property
    def plays(self) -> Plays:
        """The legal plays."""
        return self._plays

    @property
    def _pass_value(self) -> int:
        return 0 if self._values is None else int(self._values.array[-1])

    def best(self) -> ValuedMove:
        """Return the move with the most equity; plays go before exchanges, and these before the pass."""
        exchange = int(self._exchanges.max(initial=ILLEGAL))
        best = None
        if len(self._plays):
            best = self._play(int(self._plays.best(1, by="equity")[0]))
        if exchange > (ILLEGAL if best is None else best.equity):
            best = self._best_exchange(exchange)
        if best is None or self._pass_value > best.equity:
            best = ValuedMove(Pass(), 0, self._pass_value, self._pass_value, 0)
        return best

    def top(self, count: int) -> list[ValuedMove]:
        """Return the moves with the most equity.

        The pass is among them only if there is no other move or the evaluator weighs it.
        """
        moves = [self._play(int(at)) for at in self._plays.best(count, by="equity")]
        rack = self._position.rack
        rack_leaves = leaves(rack)
        for at in np.argsort(-self._exchanges, kind="stable")[:count].tolist():
            value = int(self._exchanges[at])
            if value != ILLEGAL:
                exchange = Exchange(tiles_left(rack, rack_leaves[at]))
                moves.append(ValuedMove(exchange, 0, value, value, 0))
        if not moves or self._weighs_pass:
            moves.append(ValuedMove(Pass(), 0, self._pass_value, self._pass_value, 0))
        return sorted(moves, key=lambda one: -one.equity)[:count]

    def _best_exchange(self, most: int) -> ValuedMove:
        rack = self._position.rack
        rack_leaves = leaves(rack)
        equal = [tiles_left(rack, rack_leaves[at]) for at in np.flatnonzero(self._exchanges == most)]
        tiles = min(equal, key=lambda tiles: (len(tiles), tiles))
        return ValuedMove(Exchange(tiles), 0, most, most, 0)

    def _play(self, at: int) -> ValuedMove:
        row = self._plays.array[at].item()
        score, equity, placed, leave = row[1], row[2], row[7], row[8]
        value = 0 if self._values is None else int(self._values.array[leave])
        return ValuedMove(self._plays.move(at), score, equity, value, placed)

    def value(self, move: Move, points: int) -> ValuedMove:
        """Return the values of a move, legal or not, that scores `points`; the rack must hold its tiles."""
        used = used_tiles(move)
        if isinstance(move, Play):
            at = self._index(move, points)
            if at is not None:
                return self._play(at)
        value = 0
        if self._values is not None:
            value = int(self._values.array[self._values.number_without(used)])
        placed = len(used) if isinstance(move, Play) else 0
        return ValuedMove(move, points, 1000 * points + value, value, placed)

    def _index(self, play: Play, points: int) -> int | None:
        """Return the index of a play among the legal ones, None if it is illegal.

        A play of one tile, or on an empty board, may be listed in the other direction.
        """
        array: NDArray[Any] = self._plays.array
        side = self._position.board.side
        line, start = (side + play.column, play.row) if play.down else (play.row, play.column)
        similar = (array["line"] == line) & (array["start"] == start) & (array["score"] == points)
        for index in np.flatnonzero(similar & (array["length"] == len(play.tiles))).tolist():
            if self._plays.move(index) == play:
                return int(index)
        return None

    def holds(self, move: ValuedMove) -> bool:
        """Return whether a play is legal; any other move is."""
        return not isinstance(move.move, Play) or self._index(move.move, move.score) is not None

    def rank(self, move: ValuedMove) -> int:
        """Return one more than the number of moves with more equity."""
        more = int((self._plays.array["equity"] > move.equity).sum())
        return 1 + more + int((self._exchanges > move.equity).sum()) + (self._pass_value > move.equity)

    def missed_bingo(self, move: ValuedMove) -> str | None:
        """Return the best bingo if it has more equity than a move that is no bingo, else None."""
        number = self._position.rules.bingo_tiles
        if move.placed == number:
            return None
        array = self._plays.array
        bingos = np.flatnonzero(array["placed"] == number)
        if not len(bingos) or int(array["equity"][bingos].max()) <= move.equity:
            return None
        some = type(self._plays)(array[bingos], self._plays.board, {})
        return format_move(some.move(int(some.best(1, by="equity")[0])), self._position.tile_set)
