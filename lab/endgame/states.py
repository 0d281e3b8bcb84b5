"""Endgame positions as Python objects, for the slow methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engine.position import BLANK_FLAG, Pass, Play, Rack
from engine.search.endgame.problem import NOT_COUNTED, Ending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.loaded_board import LoadedBoard
    from engine.movegen import InternalWords
    from engine.position import Position
    from engine.rules import RuleSet

Racks: TypeAlias = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Endgame:
    """Hold what stays the same while an endgame is searched."""

    position: Position
    end: Ending
    search: InternalWords
    max_word: int  # points that no word exceeds in the rest of the game

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
    own, other = state.racks
    plays = endgame.search.generate(state.board, Rack(own), endgame.position.rules)
    for index, score in enumerate(plays.array["score"].tolist()):
        yield played(endgame, state, plays.move(index), score)
    zeros, passes = state.zeros + (state.zeros != NOT_COUNTED), state.passes + 1
    if endgame.end.is_over(zeros, passes):
        yield EndgameMove(Pass(), 0, None, endgame.points(other) - endgame.points(own))
    else:
        yield EndgameMove(Pass(), 0, EndgameState(state.board, (other, own), zeros, passes), 0)


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


def max_word_score(position: Position, racks: tuple[Rack, Rack]) -> int:
    """Return points that no word exceeds: of the best line, filled with the tiles of both racks."""
    values, layout, board = position.tile_set.values, position.layout, position.board
    side = board.side
    tiles = sorted([values[code] for rack in racks for code in rack.tiles], reverse=True)
    highest = 0
    for line in range(side):
        for cells in ([(line, i) for i in range(side)], [(i, line) for i in range(side)]):
            letters, words, lying = [], 1, 0
            for row, column in cells:
                code = board.squares[row * side + column]
                if not code:
                    letters.append(int(layout.letter_factors[row, column]))
                    words *= int(layout.word_factors[row, column])
                elif not code & BLANK_FLAG:
                    lying += values[code]
            letters.sort(reverse=True)
            points = sum(value * factor for value, factor in zip(tiles, letters, strict=False))
            highest = max(highest, (lying + points) * words)
    return highest


def max_gain(max_word: int, rules: RuleSet, tiles: int, other_points: int) -> int:
    """Return an upper bound on the gain of a side with `tiles` tiles against a rack of `other_points`.

    It is crude but needs no search: every play takes a tile, and forms a word along its line and one across
    for each tile.
    """
    return tiles * (2 * max_word + rules.bingo_bonus) + 2 * other_points
