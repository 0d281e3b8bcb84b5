"""Turns while tiles are in the bag: a state with all tiles known, and the states that moves lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.position import BLANK_FLAG, Pass, Play, Rack
from engine.search.endgame.problem import NOT_COUNTED

if TYPE_CHECKING:
    from engine.loaded_board import LoadedBoard
    from engine.movegen import InternalWords
    from engine.position import Position
    from engine.rules import RuleSet

MOST_KEPT: Final = 300  # lists of plays remembered, at about 300 bytes a play


@dataclass(frozen=True, slots=True)
class State:
    """Hold a position in which all is known; `own` is the rack on turn, `bag` is drawn from its front.

    `zeros` turns without points went just before (NOT_COUNTED: nobody has scored, and by the rules they do
    not count yet), `passes` of them passes.
    """

    board: LoadedBoard
    own: bytes
    other: bytes
    bag: bytes
    zeros: int
    passes: int


@dataclass(frozen=True, slots=True)
class Turn:
    """Hold a move of a rack on a board: its points, and the tiles it leaves."""

    move: Play | Pass
    score: int
    left: bytes


class Turns:
    """Makes the moves of racks and the states they lead to, by the rules of one position."""

    def __init__(self, position: Position, search: InternalWords) -> None:
        self.rules: RuleSet = position.rules
        self.values = position.tile_set.values
        self.search = search
        self._kept: dict[tuple[bytes, bytes], list[Turn]] = {}

    def of(self, board: LoadedBoard, rack: bytes) -> list[Turn]:
        """Return every play, the dearest first, then the pass."""
        key = board.kernel.squares, rack
        kept = self._kept.get(key)
        if kept is None:
            plays = self.search.generate(board, Rack(rack), self.rules)
            kept = []
            for index in plays.best(len(plays)).tolist():
                move = plays.move(index)
                kept.append(Turn(move, int(plays.array["score"][index]), unplayed(rack, move)))
            kept.append(Turn(Pass(), 0, rack))
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = kept
        return kept

    def after(self, state: State, turn: Turn, board: LoadedBoard | None = None) -> State | None:
        """Return the state after a move, None if the game is over; `board`: the board after it, if loaded."""
        passes = state.passes + 1 if isinstance(turn.move, Pass) else 0
        zeros = 0 if turn.score else state.zeros + (state.zeros != NOT_COUNTED)
        if self.is_over(zeros, passes):
            return None
        if isinstance(turn.move, Pass):
            board = state.board
        elif board is None:
            board = state.board.after(turn.move)
        drawn = min(len(state.bag), self.rules.rack_size - len(turn.left))
        own = bytes(sorted(turn.left + state.bag[:drawn])) if drawn > 0 else turn.left
        return State(board, state.other, own, state.bag[drawn:] if drawn > 0 else state.bag, zeros, passes)

    def is_over(self, zeros: int, passes: int) -> bool:
        """Tell whether turns without points have ended the game."""
        return (zeros != NOT_COUNTED and zeros >= self.rules.zero_turn_limit) or (
            0 < 2 * self.rules.passes_each <= passes
        )

    def end_value(self, state: State, turn: Turn) -> int:
        """Return the change of the spread by a move after which turns without points end the game."""
        return turn.score + self.points(state.other) - self.points(turn.left)

    def points(self, rack: bytes) -> int:
        """Return the points of some tiles."""
        return sum([self.values[code] for code in rack])


def unplayed(rack: bytes, play: Play) -> bytes:
    """Return what a play leaves of a rack."""
    left = list(rack)
    for _, _, code in play.placements():
        left.remove(0 if code & BLANK_FLAG else code)
    return bytes(left)
