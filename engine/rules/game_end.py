"""When a game of two to four players ends, and what its end adds to the scores.

This is the one statement of these rules: play, replay, annotation and the searches in Python call it. The
kernels state the same in game_rules.h, and tests/rules/test_game_rules.py compares the two for every rule
set. docs/rules.md lists the rule sets and their sources.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules.rule_set import RuleSet

WENT_OUT: Final = "went_out"
ZERO_TURNS: Final = "zero_turns"
ALL_PASSED: Final = "all_passed"
BY_TIME: Final = "time"
"""The end of a game that a player loses because the time has run out."""
RESIGNED: Final = "resigned"
"""The end of a game that a player gives up."""

ENDINGS: Final = (WENT_OUT, ZERO_TURNS, ALL_PASSED, "given_up")
"""The ways in which games end, as game_rules.h orders them; self-play gives up a game that nobody can end."""


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """Hold how many turns in a row end a game although nobody goes out, 0 for no such limit.

    `zero_turns`: turns without points; `passes`: passes.
    """

    zero_turns: int
    passes: int

    def ending(self, zero_turns: int, passes: int) -> str | None:
        """Return how these numbers of turns without points and of passes end a game, None if they do not."""
        if 0 < self.passes <= passes:
            return ALL_PASSED
        return ZERO_TURNS if 0 < self.zero_turns <= zero_turns else None


def turn_limits(rules: RuleSet, players: int, *, scoreless: bool) -> TurnLimits:
    """Return the limits for a number of players; `scoreless`: all scores are 0."""
    counted = not (scoreless and rules.zero_turns_need_points)
    return TurnLimits(rules.zero_turn_limit if counted else 0, players * rules.passes_each)


def ending(
    rules: RuleSet, scores: Sequence[int], *, tiles_left: int, zero_turns: int, passes: int
) -> str | None:
    """Return how the last turn ended the game, one of ENDINGS; None if the game continues.

    `scores`: of all players; `tiles_left`: tiles on the rack of the player of that turn, after drawing;
    `zero_turns`, `passes`: turns without points and passes in a row, the last turn included.
    """
    if not tiles_left:
        return WENT_OUT
    return turn_limits(rules, len(scores), scoreless=not any(scores)).ending(zero_turns, passes)


def out_bonus(rule: str, left: int) -> int:
    """Return what the player who goes out gains.

    `rule`: RuleSet.ending; `left`: points of the tiles left on all the other racks.
    """
    return 2 * left if rule == "double" else left


def adjustments(rules: RuleSet, left: Sequence[int], out: int | None) -> list[int]:
    """Return what the end of the game adds to the score of each player.

    `left`: points of the tiles on each rack; `out`: the player who went out, None if nobody did. By the
    ending "double" that player gains the points of all other racks twice; by "single" once, and the others
    lose theirs. If nobody went out, every player loses the points of their own rack.
    """
    if out is None:
        return [-points for points in left]
    gain = out_bonus(rules.ending, sum(left) - left[out])
    lost = [0 if rules.ending == "double" else -points for points in left]
    return [*lost[:out], gain, *lost[out + 1 :]]


def ranking(scores: Sequence[float], lost_by: int | None = None) -> list[int]:
    """Return the rank of each player by the final scores, 1 for the most points; equal scores share a rank.

    With two first players the next is third. `lost_by`: the player who lost the game by a challenge or by
    time, who is last whatever the score; None if nobody did.
    """
    others = [score for player, score in enumerate(scores) if player != lost_by]
    ranks: dict[float, int] = {}
    for rank, score in enumerate(sorted(others, reverse=True), start=1):
        ranks.setdefault(score, rank)
    return [len(scores) if player == lost_by else ranks[score] for player, score in enumerate(scores)]
