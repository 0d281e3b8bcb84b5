"""The moves of a line, with both players' scores after each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.position import Play
from engine.rules.game_end import adjustments
from engine.search.endgame.problem import NOT_COUNTED, Ending
from engine.search.endgame.result import LineMove

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.position import Pass, Position, Rack


def scored_line(
    position: Position, racks: tuple[Rack, Rack], end: Ending, moves: Iterable[tuple[Play | Pass, int]]
) -> tuple[tuple[LineMove, ...], bool]:
    """Return the moves of a line, given as (move, points), with the scores after each; and whether it ends
    the game.
    """
    values = position.tile_set.values
    scores = [player.score for player in position.players]
    left = list(racks)
    found: list[LineMove] = []
    zeros, passes, over = end.zeros, end.passes, False
    for number, (move, score) in enumerate(moves):
        who = number % 2
        left[who] = left[who].without(move.used)
        out = None if left[who].tiles else who
        scores[who] += score
        passes = 0 if isinstance(move, Play) else passes + 1
        zeros = 0 if score else zeros + (zeros != NOT_COUNTED)
        over = out is not None or end.is_over(zeros, passes)
        if over:
            own, other = (sum([values[code] for code in rack.tiles]) for rack in left)
            for player, bonus in enumerate(adjustments(position.rules, (own, other), out)):
                scores[player] += bonus
        found.append(LineMove(who, move, score, (scores[0], scores[1])))
    return tuple(found), over
