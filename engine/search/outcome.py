"""How games end, for two to four players, and what the ending adds to the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules import RuleSet


def ending(
    rules: RuleSet, scores: Sequence[int], *, tiles_left: int, zero_turns: int, passes: int
) -> str | None:
    """Return how the turn just taken ended the game: a name of ENDINGS, or None if it goes on.

    `scores`: of all players; `tiles_left`: on the rack of the player whose turn it was, after drawing;
    `zero_turns`, `passes`: how many turns in a row, with this one, brought no points or were passes.
    """
    if not tiles_left:
        return "went_out"
    if rules.passes_each and passes >= rules.passes_each * len(scores):
        return "all_passed"
    counts = any(scores) or not rules.zero_turns_need_points
    return "zero_turns" if counts and zero_turns >= rules.zero_turn_limit else None


def adjustments(rules: RuleSet, left: Sequence[int], out: int | None) -> list[int]:
    """Return what is added to the score of each player at the end.

    `left`: the value of each player's tiles left, in points; `out`: who went out, None if nobody did.  Going
    out earns twice the value of all the other racks under the ending "double"; under "single" it earns that
    value once, and the others lose theirs.  If nobody went out everyone loses the value of the own rack.
    """
    lost = [-points for points in left]
    if out is None:
        return lost
    if rules.ending == "double":
        return [2 * sum(left) if player == out else 0 for player in range(len(left))]
    lost[out] = sum(left)
    return lost
