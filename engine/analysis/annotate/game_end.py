"""Moves that end the game: how they end it, and their win%.

The final scores depend on the tiles left on the other rack, of which the mover knows only that they are
unseen. So the win% is counted over every rack that can be drawn from the unseen tiles; with an empty bag it
is 0, 50 or 100.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from engine.position import Pass, Play
from engine.rules.game_end import adjustments, ending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.position import Move, Position


def move_ending(position: Position, move: Move, points: int, passes: int) -> str | None:
    """Return how a move ends the game, "went_out", "zero_turns" or "all_passed"; None if it does not.

    `passes`: the number of passes in a row before the move; -1 for a play taken back, which is a turn without
    points but no pass. Source: [Heuri], section 3.3.1.
    """
    mover, rules = position.players[0], position.rules
    tile_count = mover.tile_count or len(mover.held) or rules.rack_size
    placed = len(move.placements()) if isinstance(move, Play) else 0
    return ending(
        rules,
        (mover.score + points, *[player.score for player in position.players[1:]]),
        tiles_left=max(0, tile_count - placed) + min(placed, position.bag_count()),
        zero_turns=0 if points else position.zero_turns + 1,
        passes=passes + 1 if isinstance(move, Pass) else 0,
    )


def win_pct_at_end(position: Position, how: str, points: int, left: bytes) -> float | None:
    """Return the win% (0 to 100, a tie counts half) of a move that ends the game; None unless two players.

    `how`: what `move_ending` returned; `left`: the tiles that the move leaves on the rack.
    """
    if len(position.players) != 2:
        return None
    mover, other = position.players
    values, unseen = position.tile_set.values, position.unseen()
    own = sum([values[code] for code in left])
    drawn = sum(unseen)
    if position.bag_count():
        drawn = min(drawn, other.tile_count or (len(other.rack) if other.rack else position.rules.rack_size))
    ways = ways_to_draw(unseen, values, drawn)
    spread = mover.score + points - other.score
    won = 0
    for theirs, count in enumerate(ways):
        first, second = adjustments(position.rules, (own, theirs), 0 if how == "went_out" else None)
        final = spread + first - second
        won += count * (1 + (final > 0) - (final < 0))
    return 50 * won / sum(ways)


def ways_to_draw(counts: Sequence[int], values: Sequence[int], drawn: int) -> list[int]:
    """Return in how many ways `drawn` tiles can be drawn that score 0, 1, 2, ... points together.

    `counts`, `values`: the number of tiles of each code to draw from, and the points of one.
    """
    most = max(values, default=0)
    ways = [[0] * (most * drawn + 1) for _ in range(drawn + 1)]
    ways[0][0] = 1
    for total, value in zip(counts, values, strict=True):
        if not total:
            continue
        for have in range(drawn, -1, -1):  # downwards, so that the rows read do not count this code yet
            for more in range(1, min(total, drawn - have) + 1):
                source, target, factor = ways[have], ways[have + more], comb(total, more)
                for points, count in enumerate(source):
                    if count:
                        target[points + more * value] += factor * count
    return ways[drawn]
