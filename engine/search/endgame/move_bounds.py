"""Proven bounds on the final spread after single moves of an endgame, within a limit of nodes.

`MoveBounds` searches the position after a move only until it is certain whether the game is won, tied or
lost. That takes far fewer nodes than the value: two questions with a null window, whether the side on turn
wins, and whether it at least ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.position import Pass, Play, Player, Position, Rack
from engine.rules.game_end import adjustments
from engine.search.budget import Budget
from engine.search.endgame.problem import ending, known_racks
from engine.search.endgame.solver import start
from engine.search.endgame.states import without

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.loaded_board import LoadedBoard
    from engine.search.deadline import Deadline
    from engine.search.endgame.solver import EndgameSolver

MOVE_NODES: Final = 2_000
"""Default nodes of one move; they suffice for 97 of 100 moves of self-play endgames, on average in 0.7 ms."""

MAX_WEIGHED: Final = 64
"""Plays ordered by an estimate before the search; with a blank, weighing thousands would use up the nodes."""

UNBOUNDED: Final = 100_000
"""Points that no spread reaches."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Hold proven bounds on a spread in points, for one side."""

    lower: int = -UNBOUNDED
    upper: int = UNBOUNDED

    @property
    def exact(self) -> bool:
        """Whether the spread is proven."""
        return self.lower == self.upper

    @property
    def decided(self) -> bool:
        """Whether it is certain that this final spread is a win, a tie or a loss."""
        return self.lower > 0 or self.upper < 0 or self.exact

    def of_other_side(self) -> Bounds:
        """Return the same bounds as the other side sees them."""
        return Bounds(-self.upper, -self.lower)

    def plus(self, points: int) -> Bounds:
        """Return the bounds on a spread that is `points` higher."""
        return Bounds(self.lower + points, self.upper + points)

    def meet(self, other: Bounds) -> Bounds:
        """Return what both bounds together prove."""
        return Bounds(max(self.lower, other.lower), min(self.upper, other.upper))


class MoveBounds:
    """Bound the final spread after the moves of one position, for the side on turn.

    Raises InvalidInput for a position that is not an endgame, as `known_racks` and `ending` do.
    """

    def __init__(self, position: Position, board: LoadedBoard, deadline: Deadline) -> None:
        """Take a position, its loaded board, and the deadline of all searches."""
        self._racks = known_racks(position)
        ending(position, self._racks)
        self._position, self._board, self._deadline = position, board, deadline

    def bounds_after(
        self, move: Play | Pass, points: int, solver: EndgameSolver, nodes: int = MOVE_NODES
    ) -> tuple[Bounds, int]:
        """Return the bounds after a move that scores `points`, and the nodes that the solver searched.

        Equal arguments have equal bounds, whichever solver with a table of the same size finds them, unless
        the deadline passes.
        """
        if isinstance(move, Play) and not points and len(move.placements()) < len(self._racks[0]):
            # A position does not say how many of its turns without points were passes. Such plays use blanks
            # only, or letters without points.
            return Bounds(), 0
        following = after_move(self._position, self._racks, move, points)
        if isinstance(following, int):
            return Bounds(following, following), 0
        board = self._board.after(move) if isinstance(move, Play) else self._board
        bounds, spent = outcome_bounds(solver, following, nodes, board, self._deadline)
        return bounds.of_other_side(), spent


def outcome_bounds(
    solver: EndgameSolver, position: Position, nodes: int, board: LoadedBoard, deadline: Deadline
) -> tuple[Bounds, int]:
    """Bound the final spread of the side on turn until the outcome is decided; return the nodes searched too.

    Raises as `known_racks` and `ending`.
    """
    kernel, spread = solver.kernel, position.players[0].score - position.players[1].score
    start(kernel, position, board, Budget(nodes, deadline=deadline), MAX_WEIGHED)
    with deadline.stopping(lambda: kernel.limit(0, 1)):
        for goal in (1, 0):  # is it a win, is it at least a tie?
            _, _, lower, upper, searched, *_ = kernel.state
            if Bounds(spread + lower, spread + upper).decided or searched >= nodes or deadline.passed:
                break
            kernel.limit(nodes, deadline.at)
            kernel.probe(goal - spread)
    _, _, lower, upper, searched, *_ = kernel.state
    return Bounds(spread + lower, spread + upper), searched


def after_move(
    position: Position, racks: tuple[Rack, Rack], move: Play | Pass, points: int
) -> Position | int:
    """Return the position after a move with an empty bag, the other side on turn, or the final spread.

    The spread is that of the side that moved, if its move ends the game.
    """
    mover, other = position.players
    values = position.tile_set.values
    left = Rack(without(racks[0].tiles, move)) if isinstance(move, Play) else racks[0]
    spread = mover.score + points - other.score
    tiles = (_points(left.tiles, values), _points(racks[1].tiles, values))
    if not left.tiles:
        gain, loss = adjustments(position.rules, tiles, 0)
        return spread + gain - loss
    following = Position(
        position.board.with_tiles(move.placements()) if isinstance(move, Play) else position.board,
        position.layout,
        position.tile_set,
        position.rules,
        (Player(other.score, racks[1]), Player(mover.score + points, left)),
        0 if points else position.zero_turns + 1,
        position.lexicon_id,
    )
    try:
        ending(following, (racks[1], left))
    except InvalidInput:  # the game is over, and both players lose the points of their own tiles
        own, others = adjustments(position.rules, tiles, None)
        return spread + own - others
    return following


def _points(tiles: bytes, values: Sequence[int]) -> int:
    return sum([values[code] for code in tiles])
