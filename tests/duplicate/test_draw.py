"""The racks of duplicate: what a federation's minimum allows, against every rack that can be drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.duplicate import duplicate_rule_ids, duplicate_rules
from engine.duplicate.draw import can_draw, draw_rack, is_allowed
from engine.duplicate.rules import DuplicateRules, default_duplicate_rules
from engine.errors import NotFound
from engine.position import Rack
from engine.rules import TileSet, tile_set

SIZE = 7
TILES = TileSet.from_letters(
    [
        {"letter": "?", "count": 2},
        {"letter": "A", "count": 6},
        {"letter": "B", "count": 6},
        {"letter": "Y", "count": 2, "is_vowel": True},
    ],
    "abby",
)
tiles_left = st.builds(
    lambda *counts: Rack(bytes([code for code, count in enumerate(counts) for _ in range(count)])),
    *[st.integers(0, full) for full in TILES.counts],
)
rules_of_any_kind = st.builds(
    DuplicateRules,
    id=st.just("any"),
    early_rounds=st.just(2),
    early_least=st.integers(0, 3),
    least=st.integers(0, 3),
    either=st.sampled_from([(), ("Y",)]),
    blanks_count=st.booleans(),
    last_rack=st.booleans(),
    keeps_leave=st.booleans(),
    full_racks=st.booleans(),
)


def allowed(rack: tuple[int, ...], left: Rack, number: int, rules: DuplicateRules) -> bool:
    """State the rule by itself: some way to count blanks and Y gives enough vowels and consonants."""
    if len(rack) == len(left) and not rules.last_rack:
        return True
    early = number <= rules.early_rounds
    least = rules.early_least if early else rules.least
    count = Counter(rack)
    vowels, consonants, blanks = count[1], count[2], count[0]
    spare = blanks if early or rules.blanks_count else 0
    if rules.either:
        spare += count[3]
    else:
        vowels += count[3]
    return any(vowels + more >= least and consonants + spare - more >= least for more in range(spare + 1))


@given(tiles_left, rules_of_any_kind, st.integers(1, 4))
def test_a_rack_can_be_drawn_if_one_of_all_racks_is_allowed(
    left: Rack, rules: DuplicateRules, number: int
) -> None:
    size = min(SIZE, len(left))
    racks = set(combinations(left.tiles, size)) if size else set()
    good = {rack for rack in racks if allowed(rack, left, number, rules)}
    assert good == {rack for rack in racks if is_allowed(Rack(bytes(rack)), left, number, TILES, rules)}
    possible = bool(good) and not (rules.full_racks and size < SIZE)
    assert can_draw(left, SIZE, number, TILES, rules) == possible


@given(tiles_left, rules_of_any_kind, st.integers(1, 4), st.integers(0, 9), st.data())
def test_a_rack_is_drawn_from_the_tiles_left(
    left: Rack, rules: DuplicateRules, number: int, seed: int, data: st.DataObject
) -> None:
    if not can_draw(left, SIZE, number, TILES, rules):
        return
    leave = Rack(bytes(data.draw(st.permutations(left.tiles))[: min(3, len(left) - 1)]))
    rack = draw_rack(left, leave, SIZE, number, seed, TILES, rules)
    assert rack == draw_rack(left, leave, SIZE, number, seed, TILES, rules)
    assert len(rack) == min(SIZE, len(left))
    assert not left.missing(rack.tiles)
    assert allowed(tuple(rack.tiles), left, number, rules)


def test_the_leave_stays_unless_all_tiles_go_back() -> None:
    rules = DuplicateRules("any")
    left, leave = Rack(bytes([1] * 6 + [2] * 6)), Rack(bytes([1, 1, 1]))
    racks = [draw_rack(left, leave, SIZE, 1, seed, TILES, rules) for seed in range(40)]
    assert all(rack.tiles.count(1) >= 3 for rack in racks)
    assert len(set(racks)) > 1
    anew = replace(rules, keeps_leave=False)
    assert any(draw_rack(left, leave, SIZE, 1, seed, TILES, anew).tiles.count(1) < 3 for seed in range(40))
    # One tile drawn to six vowels cannot make two consonants, so everything is drawn again.
    strict = replace(rules, early_rounds=1, early_least=2)
    kept = Rack(bytes([1] * 6))
    assert draw_rack(left, kept, SIZE, 1, 3, TILES, strict).tiles.count(2) >= 2


@pytest.mark.parametrize(
    ("name", "rack", "early", "late"),
    [
        ("french", "AEIOUBC", True, True),
        ("french", "AEIOUAB", False, True),
        ("french", "AEIOUB?", True, True),
        ("french", "AEIOUBY", True, True),
        ("french", "BCDFGHY", False, True),
        ("french", "BCDFGY?", True, True),
        ("french", "BCDFGHK", False, False),
        ("spanish", "AEIOUBC", True, True),
        ("spanish", "AEIOUAB", False, True),
        ("spanish", "AEIOU??", True, False),
        ("spanish", "BCDFGHY", False, False),
        ("romanian", "AEIOUAB", True, True),
        ("romanian", "AEIOUAA", False, False),
        ("dutch", "AEIOUAB", True, True),
    ],
)
def test_the_minimum_of_each_federation(name: str, rack: str, early: bool, late: bool) -> None:
    rules = duplicate_rules(name)
    tiles = tile_set(name)
    drawn = Rack.from_text(rack, tiles.alphabet)
    everything = Rack(bytes([code for code, count in enumerate(tiles.counts) for _ in range(count)]))
    assert is_allowed(drawn, everything, 15, tiles, rules) == early
    assert is_allowed(drawn, everything, 16, tiles, rules) == late


def test_rules_are_found_by_name_and_by_tiles() -> None:
    assert duplicate_rule_ids() == ("dutch", "french", "romanian", "spanish")
    for name in duplicate_rule_ids():
        assert default_duplicate_rules(name) == duplicate_rules(name)
    assert default_duplicate_rules("english").id == "french"
    with pytest.raises(NotFound, match="known: dutch, french, romanian, spanish") as caught:
        duplicate_rules("frensh")
    assert caught.value.code == "unknown_rule_set"
