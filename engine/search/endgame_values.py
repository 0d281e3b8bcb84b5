"""Values of the endgame positions of one game: what the rest of the game adds to the spread.

The value of a move is its points minus the value of the position that the opponent gets. That position is
usually the one of the next turn, so what is known of a position is stored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from engine.loaded_board import LoadedBoard
from engine.search.budget import Budget
from engine.search.deadline import Deadline
from engine.search.endgame.bounds import Bounds
from engine.search.endgame.move_bounds import after_move, outcome_bounds
from engine.search.endgame.problem import known_racks
from engine.search.endgame_verdicts import MOVE_NODES, TABLE_MB
from engine.search.lending import lent_endgame_solver

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.position import Move, Position


@dataclass(frozen=True, slots=True)
class EndgameValue:
    """Hold what is known of a position or a move: the change of the spread until the end of the game.

    `value`: an estimate within the proven `bounds`, in points for the player on turn; `best`: the move that
    reaches it, None for a move; `line`: the best moves of both sides to the end of the game that the value
    comes from, empty if they are not known.
    """

    value: int
    bounds: Bounds
    best: Move | None = None
    line: tuple[Move, ...] = ()

    def within(self, bounds: Bounds) -> EndgameValue:
        """Return the value with what further bounds prove."""
        met = self.bounds.meet(bounds)
        value = min(max(self.value, met.lower), met.upper)
        return replace(self, value=value, bounds=met, line=self.line if value == self.value else ())

    def before(self, move: Move, points: int) -> EndgameValue:
        """Return the value of a move that scores `points` and leads to this position, for the other side."""
        line = (move, *self.line) if self.line else ()
        return EndgameValue(points - self.value, self.bounds.of_other_side().plus(points), line=line)


class _Key(NamedTuple):
    """Name a position apart from its scores, on which the change of the spread does not depend."""

    squares: bytes
    own: bytes
    other: bytes
    zero_turns: int


class EndgameValues:
    """Search the endgame positions of one game, each once.

    `nodes`: the most searched for each position.
    """

    def __init__(self, lexicon: Lexicon, nodes: int = MOVE_NODES, deadline: Deadline | None = None) -> None:
        self._lexicon, self._nodes, self._deadline = lexicon, nodes, deadline or Deadline()
        self._known: dict[_Key, EndgameValue] = {}

    def of(self, position: Position) -> EndgameValue:
        """Return the value of a position; raise InvalidInput if it is not an endgame of two players."""
        key, spread = _key(position), position.spread
        known = self._known.get(key)
        if known is not None and known.bounds.plus(spread).decided:
            return known
        budget = Budget(nodes=self._nodes)
        board = LoadedBoard.load(position.board, position.layout, position.tile_set, self._lexicon)
        with lent_endgame_solver(self._lexicon, TABLE_MB) as solver:
            if known is None:
                found = solver.solve(position, budget, deadline=self._deadline, board=board)
                line = tuple([step.move for step in found.line]) if found.line_complete else ()
                known = EndgameValue(found.value, Bounds(found.lower, found.upper), found.best, line)
            if not known.bounds.plus(spread).decided:
                bounds, _ = outcome_bounds(solver, position, self._nodes, board, self._deadline)
                known = known.within(bounds.plus(-spread))
        self._known[key] = known
        return known

    def after(self, position: Position, move: Move, points: int) -> EndgameValue:
        """Return the value of a move that scores `points`, for the player who makes it."""
        following = after_move(position, known_racks(position), move, points)
        if isinstance(following, int):
            value = following - position.spread
            return EndgameValue(value, Bounds(value, value), line=(move,))
        return self.of(following).before(move, points)

    def learn(self, position: Position, bounds: Bounds) -> EndgameValue:
        """Store what further bounds prove of a position that was searched, and return its value."""
        key = _key(position)
        self._known[key] = found = self._known[key].within(bounds)
        return found

    def learn_after(self, position: Position, move: Move, points: int, bounds: Bounds) -> None:
        """Store what bounds on a move prove of the position after it."""
        following = after_move(position, known_racks(position), move, points)
        if not isinstance(following, int):
            self.learn(following, bounds.plus(-points).of_other_side())


def _key(position: Position) -> _Key:
    own, other = known_racks(position)
    return _Key(position.board.squares, own.tiles, other.tiles, position.zero_turns)
