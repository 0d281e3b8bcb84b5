"""Endgame positions as Python objects, for what walks through an endgame move by move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engine.position import Pass, Play, Rack
from engine.search.endgame.problem import NOT_COUNTED, Ending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.loaded_board import LoadedBoard
    from engine.movegen import InternalWords
    from engine.position import Position

Racks: TypeAlias = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Endgame:
    """Hold what stays the same while an endgame is searched."""

    position: Position
    end: Ending
    search: InternalWords

    def points(self, rack: bytes) -> int:
        """Return the points of some tiles."""
        values = self.position.tile_set.values
        return sum([values[code] for code in rack])


@dataclass(frozen=True, slots=True)
class EndgameState:
    """Hold a position in an endgame; racks[0] is on turn."""

    board: LoadedBoard
    racks: Racks
    zeros: int
    passes: int


@dataclass(frozen=True, slots=True)
class EndgameMove:
    """Hold a move, its points, and the state after it, None if it ends the game.

    `value`: of a move that ends the game, the change of the spread for the side that makes it, points
    included.
    """

    move: Play | Pass
    score: int
    state: EndgameState | None
    value: int


def moves(endgame: Endgame, state: EndgameState) -> Iterator[EndgameMove]:
    """Yield every play, then the pass."""
    plays = endgame.search.generate(state.board, Rack(state.racks[0]), endgame.position.rules)
    for index, score in enumerate(plays.array["score"].tolist()):
        yield played(endgame, state, plays.move(index), score)
    yield passed(endgame, state)


def passed(endgame: Endgame, state: EndgameState) -> EndgameMove:
    """Return the pass."""
    own, other = state.racks
    zeros, passes = state.zeros + (state.zeros != NOT_COUNTED), state.passes + 1
    if endgame.end.is_over(zeros, passes):
        return EndgameMove(Pass(), 0, None, endgame.points(other) - endgame.points(own))
    return EndgameMove(Pass(), 0, EndgameState(state.board, (other, own), zeros, passes), 0)


def played(endgame: Endgame, state: EndgameState, move: Play, score: int) -> EndgameMove:
    """Return the move of a play with its points."""
    own, other = state.racks
    left = Rack(own).without(move.used).tiles
    if not left:
        return EndgameMove(move, score, None, score + 2 * endgame.points(other))
    zeros = 0 if score else state.zeros + (state.zeros != NOT_COUNTED)
    if not score and endgame.end.is_over(zeros, 0):
        return EndgameMove(move, 0, None, endgame.points(other) - endgame.points(left))
    return EndgameMove(move, score, EndgameState(state.board.after(move), (other, left), zeros, 0), 0)
