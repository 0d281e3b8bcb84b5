"""Judgements of turns with an empty bag, by an endgame search with a limited number of nodes.

The value of a move is its points less the value of the position that the opponent gets. That position is
usually the one of the next turn, so the last search result is reused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.analysis.move_report import Describer, tiles_left, used_tiles
from engine.analysis.thread_local import thread_endgame_solver
from engine.errors import InvalidInput
from engine.position import Play, Player, Position, Rack
from engine.search.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.lexicon import Lexicon
    from engine.position import Pass

TABLE_MB: Final = 2
"""Megabytes of the transposition table, which suffice for the few thousand nodes of a turn."""


@dataclass(frozen=True, slots=True)
class EndgameValue:
    """Hold the value of a position for the player on turn: the change of the spread until the end, in points.

    `best`: the move that reaches it; `exact`: whether the value is proven.
    """

    value: int
    best: Play | Pass | None
    exact: bool


@dataclass(frozen=True, slots=True)
class EndgameJudgement:
    """Hold the best move of an endgame, its points, its value and that of the move played.

    The values are changes of the spread until the end of the game, in points; `exact`: whether both are
    proven.
    """

    best: Play | Pass
    best_score: int
    best_value: int
    played_value: int
    exact: bool


class EndgameJudge:
    """Judge the endgame turns of one game; `nodes`: the most nodes searched for each position."""

    def __init__(self, lexicon: Lexicon, nodes: int) -> None:
        self._lexicon = lexicon
        self._nodes = nodes
        self._last: tuple[object, EndgameValue] | None = None

    def judge(self, position: Position, played: Play | Pass, points: int) -> EndgameJudgement | None:
        """Judge a move with an empty bag and a known rack; None unless it is an endgame of two players."""
        if len(position.players) != 2 or not self._nodes:
            return None
        other = _unseen_rack(position)
        try:
            before = self._value(position, other)
        except InvalidInput:
            return None
        assert before.best is not None  # noqa: S101 - an endgame that is not over has a move
        after = self._value_after(position, other, played, points)
        played_value = points - after.value
        exact = before.exact and after.exact
        best, best_value = before.best, before.value
        if played_value >= best_value and not exact:  # one of the searches was too short to see that
            best, best_value = played, played_value
        elif played_value == best_value:
            best = played
        score = points if best == played else 0
        if best != played and isinstance(best, Play):
            score = Describer(position, self._lexicon).score(best)
        return EndgameJudgement(best, score, best_value, played_value, exact)

    def _value_after(self, position: Position, other: Rack, played: Play | Pass, points: int) -> EndgameValue:
        """Return the value of the position after a move, for the opponent."""
        mover = position.players[0]
        left = Rack(tiles_left(position.rack, used_tiles(played)))
        values = position.tile_set.values
        if not left.tiles:
            return EndgameValue(-2 * _points(other.tiles, values), None, exact=True)
        board = position.board.with_tiles(played.placements()) if isinstance(played, Play) else position.board
        after = Position(
            board,
            position.layout,
            position.tile_set,
            position.rules,
            (Player(position.players[1].score, other), Player(mover.score + points, left)),
            0 if points else position.zero_turns + 1,
            position.lexicon_id,
        )
        try:
            return self._value(after, left)
        except InvalidInput:  # the game is over, and both players lose the points of their own tiles
            return EndgameValue(_points(left.tiles, values) - _points(other.tiles, values), None, exact=True)

    def _value(self, position: Position, other: Rack) -> EndgameValue:
        """Return the value of a position; raise InvalidInput if it is not an endgame of two players."""
        key = (position.board.squares, position.rack.tiles, other.tiles, position.zero_turns)
        if self._last is None or self._last[0] != key:
            solver = thread_endgame_solver(self._lexicon, TABLE_MB)
            found = solver.solve(position, Budget(nodes=self._nodes))
            self._last = (key, EndgameValue(found.value, found.best, found.certainty == "exact"))
        return self._last[1]


def _unseen_rack(position: Position) -> Rack:
    return Rack(bytes([code for code, count in enumerate(position.unseen()) for _ in range(count)]))


def _points(tiles: bytes, values: Sequence[int]) -> int:
    return sum([values[code] for code in tiles])
