"""Rule sets: one per federation, each within its limits."""

from __future__ import annotations

import dataclasses

import pytest

from engine.errors import InvalidInput, NotFound
from engine.rules import RuleSet, default_rule_set, rule_set, rule_set_ids, tile_set_ids


@pytest.mark.parametrize("name", rule_set_ids())
def test_known_rule_sets(name: str) -> None:
    rules = rule_set(name)
    assert rules.id == name
    assert rules.rack_size == rules.bingo_tiles == 7
    assert len(rules.language) == 2
    assert rules is rule_set(name)


def test_the_rules_that_differ() -> None:
    english, spanish, wwf = rule_set("english"), rule_set("spanish"), rule_set("wwf")
    assert (english.bingo_bonus, english.exchange_limit, english.zero_turn_limit) == (50, 7, 6)
    assert (english.ending, english.challenge_rule, english.zero_turns_need_points) == (
        "double",
        "double",
        False,
    )
    assert (spanish.bingo_bonus, spanish.exchange_limit, spanish.zero_turn_limit) == (50, 1, 12)
    assert spanish.zero_turns_need_points
    assert rule_set("french").exchange_limit == rule_set("czech").exchange_limit == 7
    assert wwf.bingo_bonus == 35
    for name in ("german", "norwegian", "romanian", "swedish"):
        assert rule_set(name).challenge_rule == "10pt"
    assert (rule_set("french").challenge_rule, rule_set("polish").challenge_rule) == ("5pt", "single")
    assert {name for name in rule_set_ids() if rule_set(name).penalty_per == "word"} == {"french", "german"}
    assert rule_set("french").changed(bingo_bonus=60).penalty_per == "word"
    assert rule_set("italian").exchange_limit == 3
    assert (rule_set("german").federation, rule_set("polish").federation) == ("Scrabble Deutschland", "PFS")
    assert RuleSet() == RuleSet(
        id="custom", bingo_bonus=50, bingo_tiles=7, exchange_limit=7, zero_turn_limit=6
    )


def test_every_tile_set_has_its_rules() -> None:
    expected = {"english_super": "english", "english_wwf": "wwf"}
    for name in tile_set_ids():
        assert default_rule_set(name).id == expected.get(name, name)
    assert default_rule_set("custom").id == "english"


@pytest.mark.parametrize("name", ["", "chess", "\ud800"])
def test_an_unknown_rule_set_is_not_found(name: str) -> None:
    with pytest.raises(NotFound, match="known: catalan") as caught:
        rule_set(name)
    assert caught.value.code == "unknown_rule_set"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("bingo_bonus", -1),
        ("bingo_bonus", 50.0),
        ("bingo_bonus", True),
        ("bingo_tiles", 0),
        ("bingo_tiles", 8),
        ("rack_size", 8),
        ("exchange_limit", 0),
        ("zero_turn_limit", 0),
        ("zero_turn_limit", 10**9),
        ("passes_each", -1),
        ("zero_turns_need_points", 1),
        ("ending", "triple"),
        ("challenge_rule", "20pt"),
        ("challenge_rule", None),
    ],
)
def test_impossible_rules_are_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=name) as caught:
        rule_set("english").changed(**{name: value})
    assert caught.value.code == "bad_rule"
    assert caught.value.faults[0].field == f"rules/{name}"


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        RuleSet(bingo_bonus=-1, ending="")
    assert [fault.field for fault in caught.value.faults] == ["rules/bingo_bonus", "rules/ending"]


def test_changed_rules() -> None:
    english = rule_set("english")
    assert english.changed() is english
    assert english.changed(bingo_bonus=50) is english
    assert english.changed(penalty_per="word").penalty_per == "word"
    changed = english.changed(bingo_bonus=35)
    assert changed.id == "custom"
    assert changed.bingo_bonus == 35
    assert changed.exchange_limit == 7
    with pytest.raises(InvalidInput, match="'colour' is not a rule"):
        english.changed(colour="green")


def test_rules_that_differ_have_different_canonical_texts() -> None:
    english = rule_set("english")
    texts = {english.canonical()}
    other = {"ending": "single", "challenge_rule": "void", "zero_turns_need_points": True}
    labels = {"id", "penalty_per", "federation", "language"}
    names = [field.name for field in dataclasses.fields(RuleSet) if field.name not in labels]
    for name in names:
        texts.add(english.changed(**{name: other.get(name, 3)}).canonical())
    assert len(texts) == len(names) + 1
