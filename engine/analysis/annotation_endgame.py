"""Judging turns with an empty bag: what both sides can still reach, searched within a budget of nodes.

A move is worth its points and what the other side's best answer leaves of them; the position after a move is
mostly that of the next turn, so each is searched once.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import local
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from engine.analysis.move_report import Describer
from engine.errors import InvalidInput
from engine.position import BLANK_FLAG, Play, Player, Position, Rack
from engine.search.budget import Budget
from engine.search.endgame import EndgameSolver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.lexicon import Lexicon
    from engine.position import Pass

TABLE_MB: Final = 2
"""Megabytes of the solver's table: enough for the few thousand nodes of a turn."""


class _Own(local):
    """This thread's solvers, one a lexicon."""

    def __init__(self) -> None:
        self.solvers: WeakKeyDictionary[Lexicon, EndgameSolver] = WeakKeyDictionary()


_own = _Own()


@dataclass(frozen=True, slots=True)
class Ahead:
    """Hold what a side on turn can reach, a change of the spread in points, by which move, and if proven."""

    value: int
    best: Play | Pass | None
    exact: bool


@dataclass(frozen=True, slots=True)
class EndgameVerdict:
    """Hold the best move of an endgame, its points, and what it and the move played come to.

    `exact`: both are proven. The values are changes of the spread to the end of the game, in points.
    """

    best: Play | Pass
    best_score: int
    best_value: int
    played_value: int
    exact: bool


class EndgameJudge:
    """Judge the endgame turns of one game; `nodes` is the budget of each position."""

    def __init__(self, lexicon: Lexicon, nodes: int) -> None:
        self._lexicon = lexicon
        self._nodes = nodes
        self._known: tuple[object, Ahead] | None = None

    def judge(self, position: Position, played: Play | Pass, points: int) -> EndgameVerdict | None:
        """Judge a move of a position with an empty bag and a known rack; None if it is no endgame of two."""
        if len(position.players) != 2 or not self._nodes:
            return None
        other = _unseen_rack(position)
        try:
            ahead = self._ahead(position, other)
        except InvalidInput:
            return None
        assert ahead.best is not None  # noqa: S101 - an endgame that is not over has a move
        after = self._after(position, other, played, points)
        played_value = points - after.value
        exact = ahead.exact and after.exact
        best, best_value = ahead.best, ahead.value
        if played_value >= best_value and not exact:  # the search of one of them did not see enough
            best, best_value = played, played_value
        elif played_value == best_value:
            best = played
        score = points if best == played else 0
        if best != played and isinstance(best, Play):
            score = Describer(position, self._lexicon).score(best)
        return EndgameVerdict(best, score, best_value, played_value, exact)

    def _after(self, position: Position, other: Rack, played: Play | Pass, points: int) -> Ahead:
        """Return what the other side reaches after a move."""
        mover = position.players[0]
        used = [code for code in played.tiles if code] if isinstance(played, Play) else []
        kept = list(position.rack.tiles)
        for code in used:
            kept.remove(0 if code & BLANK_FLAG else code)
        values = position.tile_set.values
        if not kept:
            return Ahead(-2 * _worth(other.tiles, values), None, exact=True)
        board = position.board.with_tiles(played.placements()) if isinstance(played, Play) else position.board
        after = Position(
            board,
            position.layout,
            position.tile_set,
            position.rules,
            (Player(position.players[1].score, other), Player(mover.score + points, Rack(bytes(kept)))),
            0 if points else position.zero_turns + 1,
            position.lexicon_id,
        )
        try:
            return self._ahead(after, Rack(bytes(kept)))
        except InvalidInput:  # the game is over: each loses the own tiles
            return Ahead(_worth(bytes(kept), values) - _worth(other.tiles, values), None, exact=True)

    def _ahead(self, position: Position, other: Rack) -> Ahead:
        key = (position.board.squares, position.rack.tiles, other.tiles, position.zero_turns)
        if self._known is None or self._known[0] != key:
            solver = _own.solvers.get(self._lexicon)
            if solver is None:
                solver = _own.solvers[self._lexicon] = EndgameSolver(self._lexicon, table_mb=TABLE_MB)
            found = solver.solve(position, Budget(nodes=self._nodes))
            self._known = (key, Ahead(found.value, found.best, found.certainty == "exact"))
        return self._known[1]


def _unseen_rack(position: Position) -> Rack:
    return Rack(bytes([code for code, count in enumerate(position.unseen()) for _ in range(count)]))


def _worth(tiles: bytes, values: Sequence[int]) -> int:
    return sum([values[code] for code in tiles])
