"""The kernels end games as engine/rules/game_end.py does: every rule set, two to four players."""

from __future__ import annotations

import pickle
from itertools import product

import pytest

from engine.rules import RuleSet, rule_set, rule_set_ids
from engine.rules.game_end import ENDINGS, adjustments, ending

RULES = [
    *map(rule_set, rule_set_ids()),
    RuleSet(passes_each=1, zero_turn_limit=2),
    RuleSet(passes_each=3, zero_turn_limit=99, zero_turns_need_points=True),
]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.id)
def test_the_kernels_end_games_by_the_same_rules(rules: RuleSet) -> None:
    seen = set()
    for players, tiles_left, zeros, scored in product((2, 3, 4), (0, 1), range(14), (False, True)):
        for passes in range(zeros + 1):
            scores = [7 * scored] + [0] * (players - 1)
            expected = ending(rules, scores, tiles_left=tiles_left, zero_turns=zeros, passes=passes)
            found = rules.kernel.ending(players, tiles_left, zeros, passes, not scored)
            assert (ENDINGS[found] if found < len(ENDINGS) else None) == expected
            seen.add(expected)
    assert {"went_out", None} < seen


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.id)
def test_the_kernels_add_the_same_points(rules: RuleSet) -> None:
    for players in (2, 3, 4):
        left = [3, 8, 1, 14][:players]
        assert rules.kernel.adjustments(left, -1) == adjustments(rules, left, None)
        for out in range(players):
            others = [*left[:out], 0, *left[out + 1 :]]
            assert rules.kernel.adjustments(others, out) == adjustments(rules, others, out)


def test_rules_are_pickled_with_their_kernel() -> None:
    rules = RuleSet(rack_size=5, zero_turn_limit=3)
    assert rules.kernel.ending(2, 1, 3, 0, False) == ENDINGS.index("zero_turns")
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert again.kernel.ending(2, 1, 3, 0, False) == ENDINGS.index("zero_turns")
