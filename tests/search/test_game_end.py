"""The kernels end games as engine/rules/game_end.py does: every rule set, two to four players."""

from __future__ import annotations

from itertools import product

import pytest

from engine.rules import RuleSet, rule_set, rule_set_ids
from engine.rules.game_end import ENDINGS, adjustments, ending
from engine.search import mover_narrow, mover_wide
from engine.search.movers import rule_numbers

RULES = [
    *map(rule_set, rule_set_ids()),
    RuleSet(passes_each=1, zero_turn_limit=2),
    RuleSet(passes_each=3, zero_turn_limit=99, zero_turns_need_points=True),
]


@pytest.mark.parametrize("kernel", [mover_narrow, mover_wide], ids=["narrow", "wide"])
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.id)
def test_the_kernels_end_games_by_the_same_rules(kernel: object, rules: RuleSet) -> None:
    numbers = rule_numbers(rules)
    seen = set()
    for players, tiles_left, zeros, scored in product((2, 3, 4), (0, 1), range(14), (False, True)):
        for passes in range(zeros + 1):
            scores = [7 * scored] + [0] * (players - 1)
            expected = ending(rules, scores, tiles_left=tiles_left, zero_turns=zeros, passes=passes)
            found = kernel.ending_of(numbers, players, tiles_left, zeros, passes, not scored)  # type: ignore[attr-defined]
            assert (ENDINGS[found] if found < len(ENDINGS) else None) == expected
            seen.add(expected)
    assert {"went_out", None} < seen


@pytest.mark.parametrize("kernel", [mover_narrow, mover_wide], ids=["narrow", "wide"])
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.id)
def test_the_kernels_add_the_same_points(kernel: object, rules: RuleSet) -> None:
    numbers = rule_numbers(rules)
    for players in (2, 3, 4):
        left = [3, 8, 1, 14][:players]
        assert kernel.ending_points(numbers, left, -1) == adjustments(rules, left, None)  # type: ignore[attr-defined]
        for out in range(players):
            others = [*left[:out], 0, *left[out + 1 :]]
            expected = adjustments(rules, others, out)
            assert kernel.ending_points(numbers, others, out) == expected  # type: ignore[attr-defined]
