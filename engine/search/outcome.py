"""When games of two to four players end, and what the end adds to the scores (ending.h for Python)."""

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
"""The ways in which games end, in the order of ending.h; a game in which nobody can play is given up."""


def ending(
    rules: RuleSet, scores: Sequence[int], *, tiles_left: int, zero_turns: int, passes: int
) -> str | None:
    """Return how the last turn ended the game, one of ENDINGS; None if the game continues.

    `scores`: of all players; `tiles_left`: tiles on the rack of the player of that turn, after drawing;
    `zero_turns`, `passes`: turns without points and passes in a row, the last turn included.
    """
    how = mover_narrow.ending_of(
        rule_numbers(rules), len(scores), tiles_left, zero_turns, passes, not any(scores)
    )
    return ENDINGS[how] if how < len(ENDINGS) else None


def zero_turns_count(position: Position) -> bool:
    """Return whether turns without points can end the game; by some rules only once somebody has scored."""
    return not position.rules.zero_turns_need_points or any(player.score for player in position.players)


def is_over(position: Position) -> bool:
    """Return whether turns without points have ended the game of a position."""
    return position.zero_turns >= position.rules.zero_turn_limit and zero_turns_count(position)


def check_going_on(position: Position) -> None:
    """Raise InvalidInput (code "game_over") if turns without points have ended the game of a position."""
    if is_over(position):
        raise InvalidInput("the game has ended by turns without points", code="game_over", field="zero_turns")


def adjustments(rules: RuleSet, left: Sequence[int], out: int | None) -> list[int]:
    """Return what the end of the game adds to the score of each player.

    `left`: points of the tiles on each rack; `out`: the player who went out, None if nobody did. By the
    ending "double" that player gains the points of all other racks twice; by "single" once, and the others
    lose theirs. If nobody went out, every player loses the points of the own rack.
    """
    return mover_narrow.ending_points(rule_numbers(rules), left, -1 if out is None else out)
