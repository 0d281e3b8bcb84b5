"""Moves that end the game: how they end it, and their win%.

The final scores depend on the tiles left on the other rack, and on those that the mover draws after an
exchange. The mover knows only that they are unseen. So the win% is counted over all of them that can be drawn
from the unseen tiles; with an empty bag it is 0, 50 or 100.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from engine.position import Pass
from engine.rules.game_end import adjustments, ending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.position import Move, Position


def move_ending(position: Position, move: Move, points: int, passes: int) -> str | None:
    """Return how a move ends the game, "went_out", "zero_turns" or "all_passed"; None if it does not.

    `passes`: the number of passes in a row before the move; -1 for a play taken back, which is a turn without
    points but no pass. Source: [Heuri], section 3.3.1.
    """
    mover, rules = position.players[0], position.rules
    tile_count = mover.tile_count or len(mover.held) or rules.rack_size
    placed = len(move.placements())
    return ending(
        rules,
        (mover.score + points, *[player.score for player in position.players[1:]]),
        tiles_left=max(0, tile_count - placed) + min(placed, position.bag_count()),
        zero_turns=0 if points else position.zero_turns + 1,
        passes=passes + 1 if isinstance(move, Pass) else 0,
    )


def win_pct_at_end(position: Position, how: str, points: int, left: bytes) -> float | None:
    """Return the win% (0 to 100, a tie counts half) of a move that ends the game; None unless two players.

    `how`: what `move_ending` returned; `left`: the tiles that the move leaves on the rack, before drawing.
    """
    if len(position.players) != 2:
        return None
    mover, other = position.players
    values, unseen, bag = position.tile_set.values, position.unseen(), position.bag_count()
    own, held = sum([values[code] for code in left]), sum(unseen)
    if bag:
        held = min(held, other.tile_count or (len(other.rack) if other.rack else position.rules.rack_size))
    drawn = min(len(position.rack.tiles) - len(left), bag)
    ways = ways_to_draw(unseen, values, held, drawn).tolist()
    spread, won = mover.score + points - other.score, 0.0
    for more, count in enumerate(ways, start=-drawn * max(values)):
        first, second = adjustments(position.rules, (own, more), 0 if how == "went_out" else None)
        final = spread + first - second
        won += count * (1 + (final > 0) - (final < 0))
    return float(50 * won / sum(ways))


def ways_to_draw(
    counts: Sequence[int], values: Sequence[int], held: int, drawn: int = 0
) -> NDArray[np.float64]:
    """Return in how many ways another player can hold `held` tiles while one draws `drawn` of the others.

    Entry i counts the ways in which the other's tiles score i - `drawn` * max(values) points more than those
    drawn. `counts`, `values`: the number of tiles of each code, and the points of one.
    """
    most = max(values, default=0)
    ways = np.zeros((held + 1, drawn + 1, most * (held + drawn) + 1))
    ways[0, 0, most * drawn] = 1
    for total, value in zip(counts, values, strict=True):
        before = ways.copy()
        for theirs in range(min(total, held) + 1):
            for own in range(min(total - theirs, drawn) + 1):
                if theirs or own:
                    moved = np.roll(before, value * (theirs - own), axis=2)
                    chosen = comb(total, theirs) * comb(total - theirs, own)
                    ways[theirs:, own:] += chosen * moved[: held + 1 - theirs, : drawn + 1 - own]
    found: NDArray[np.float64] = ways[held, drawn]
    return found
