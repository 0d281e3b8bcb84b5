"""How games of two to four players end, and what the ending adds to the scores: ending.h for Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.search import mover_narrow
from engine.search.movers import rule_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.position import Position
    from engine.rules import RuleSet

ENDINGS: Final = ("went_out", "zero_turns", "all_passed", "given_up")
"""How games end, in the order of ending.h; a game is given up when nobody can play from its start on."""


def ending(
    rules: RuleSet, scores: Sequence[int], *, tiles_left: int, zero_turns: int, passes: int
) -> str | None:
    """Return how the turn just taken ended the game: a name of ENDINGS, or None if it goes on.

    `scores`: of all players; `tiles_left`: on the rack of the player whose turn it was, after drawing;
    `zero_turns`, `passes`: how many turns in a row, with this one, brought no points or were passes.
    """
    how = mover_narrow.ending_of(
        rule_numbers(rules), len(scores), tiles_left, zero_turns, passes, not any(scores)
    )
    return ENDINGS[how] if how < len(ENDINGS) else None


def zero_turns_count(position: Position) -> bool:
    """Tell whether turns without points can end the game: some rules ask that somebody has scored."""
    return not position.rules.zero_turns_need_points or any(player.score for player in position.players)


def is_over(position: Position) -> bool:
    """Tell whether turns without points have ended the game of a position."""
    return position.zero_turns >= position.rules.zero_turn_limit and zero_turns_count(position)


def check_going_on(position: Position) -> None:
    """Raise InvalidInput (code "game_over") if turns without points have ended the game of a position."""
    if is_over(position):
        raise InvalidInput("the game has ended by turns without points", code="game_over", field="zero_turns")


def adjustments(rules: RuleSet, left: Sequence[int], out: int | None) -> list[int]:
    """Return what is added to the score of each player at the end.

    `left`: the value of each player's tiles left, in points; `out`: who went out, None if nobody did.  Going
    out earns twice the value of all the other racks under the ending "double"; under "single" it earns that
    value once, and the others lose theirs.  If nobody went out everyone loses the value of the own rack.
    """
    return mover_narrow.ending_points(rule_numbers(rules), left, -1 if out is None else out)
