"""Proven bounds on the final spread of an endgame, within a limit of nodes.

`outcome_bounds` searches a position only until it is certain whether the game is won, tied or lost. That
takes far fewer nodes than the value: two questions with a null window, whether the side on turn wins, and
whether it at least ties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.position import Play, Player, Position, Rack
from engine.rules.game_end import adjustments
from engine.search.endgame.bounds import Bounds
from engine.search.endgame.problem import ending
from engine.search.endgame.spread_search import start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.loaded_board import LoadedBoard
    from engine.position import Move
    from engine.search.deadline import Deadline
    from engine.search.endgame.endgame_kernel import EndgameKernel
    from engine.search.endgame.solver import EndgameSolver

MAX_WEIGHED: Final = 64
"""Plays ordered by an estimate before the search; with a blank, weighing thousands would use up the nodes."""


def outcome_bounds(
    solver: EndgameSolver, position: Position, nodes: int, board: LoadedBoard, deadline: Deadline
) -> tuple[Bounds, int]:
    """Bound the final spread of the side on turn until the outcome is decided; return the nodes searched too.

    Raises as `known_racks` and `ending`.
    """
    kernel = solver.kernel
    start(kernel, position, board, nodes, deadline, MAX_WEIGHED)
    with deadline.stopping(lambda: kernel.limit(0, 1)):
        return decide(kernel, position.spread, nodes, deadline), kernel.node_count


def decide(kernel: EndgameKernel, spread: int, nodes: int, deadline: Deadline) -> Bounds:
    """Bound the final spread of the endgame that a kernel has loaded; `spread`: that of the side on turn."""
    for goal in (1, 0):  # is it a win, is it at least a tie?
        known = Bounds(spread + kernel.lower, spread + kernel.upper)
        if known.decided or kernel.node_count >= nodes or deadline.passed:
            break
        kernel.limit(nodes, deadline.at)
        kernel.probe(goal - spread)
    return Bounds(spread + kernel.lower, spread + kernel.upper)


def after_move(position: Position, racks: tuple[Rack, Rack], move: Move, points: int) -> Position | int:
    """Return the position after a move with an empty bag, the other side on turn, or the final spread.

    An exchange, which is illegal then, counts as a pass. The spread, returned if the move ends the game, is
    that of the side that moved.
    """
    mover, other = position.players
    values = position.tile_set.values
    left = racks[0].without(move.used) if isinstance(move, Play) else racks[0]
    spread = mover.score + points - other.score
    tiles = (_points(left.tiles, values), _points(racks[1].tiles, values))
    if not left.tiles:
        gain, loss = adjustments(position.rules, tiles, 0)
        return spread + gain - loss
    following = Position(
        position.board.with_tiles(move.placements()),
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
