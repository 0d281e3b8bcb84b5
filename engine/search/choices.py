"""The moves of one position with their leaves: plays, exchanges and the pass, as players compare them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.movegen import leaves
from engine.position import BLANK_FLAG, Exchange, Pass
from engine.search.simulation import Candidate

if TYPE_CHECKING:
    from engine.evaluation.evaluators import Evaluator
    from engine.loaded_board import LoadedBoard
    from engine.movegen import InternalWords
    from engine.position import Move, Play, Position


@dataclass(frozen=True, slots=True)
class Choice:
    """Hold a move, its points, its leave (sorted codes) and the value of the leave in millipoints.

    `row`: the row of PLAY_DTYPE of a play as bytes, None for another move.
    """

    move: Move
    score: int
    leave_value: int
    leave: bytes
    row: bytes | None = None

    @property
    def equity(self) -> int:
        """The points and the value of the leave, in millipoints."""
        return 1000 * self.score + self.leave_value

    @property
    def candidate(self) -> Candidate:
        """The move as a candidate of a simulation."""
        return Candidate(self.move, self.score, self.leave_value)


class Choices:
    """All moves of the player on turn with their values."""

    def __init__(
        self, position: Position, board: LoadedBoard, search: InternalWords, evaluator: Evaluator
    ) -> None:
        """Generate the moves; `board`: the loaded board of the position; `search`, `evaluator`: of this
        thread.
        """
        values = evaluator.leave_values(board, position)[0].array
        self.plays = search.generate(board, position.rack, position.rules, values)
        evaluator.adjust(self.plays, position)
        self._position = position
        self._weighs_pass = evaluator.weighs_pass
        self._leaves = leaves(position.rack)
        self._values: list[int] = values.tolist()

    def play(self, index: int) -> Choice:
        """Return a play by its index."""
        play, array = self.plays.move(index), self.plays.array
        leave = _without(
            self._position.rack.tiles, bytes(0 if c & BLANK_FLAG else c for _, _, c in play.placements())
        )
        score, equity = int(array["score"][index]), int(array["equity"][index])
        return Choice(play, score, equity - 1000 * score, leave, array[index : index + 1].tobytes())

    def exchanges(self) -> list[Choice]:
        """Return every legal exchange, in the falling order of the numbers of their leaves."""
        rack, bag = self._position.rack, self._position.bag_count()
        if not bag or bag < self._position.rules.exchange_limit:
            return []
        return [
            Choice(Exchange(_without(rack.tiles, leave)), 0, value, leave)
            for value, leave in zip(reversed(self._values), reversed(self._leaves), strict=True)
            if 0 < len(rack) - len(leave) <= bag
        ]

    def passing(self) -> Choice:
        """Return the pass."""
        return Choice(Pass(), 0, self._values[-1], self._position.rack.tiles)

    def best(self, count: int) -> list[Choice]:
        """Return up to `count` moves with the most equity, best first; of equal moves plays come first.

        The pass is included only if there is no other move, the bag is empty, or the evaluator weighs it.
        """
        found = [self.play(index) for index in self.plays.best(count, by="equity").tolist()]
        found += self.exchanges()
        if not found or self._weighs_pass or not self._position.bag_count():
            found.append(self.passing())
        found.sort(key=lambda choice: -choice.equity)
        return found[:count]

    def of_play(self, play: Play) -> Choice:
        """Return the choice of a play; raises KeyError if the play is not legal."""
        index = self.plays.find(play)
        if index is None:
            raise KeyError(play)
        return self.play(index)


def _without(tiles: bytes, gone: bytes) -> bytes:
    left = bytearray(tiles)
    for code in gone:
        left.remove(code)
    return bytes(left)
