"""When games of two to four players end, and what the end adds to the scores, by rule set."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.rules import rule_set, rule_set_ids
from engine.rules.game_end import adjustments, ending

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
ENGLISH, FRENCH, WWF = rule_set("english"), rule_set("french"), rule_set("wwf")


def stated(section: str) -> dict[str, list[str]]:
    """Return the rows of the first table in a section of docs/rules.md by rule set."""
    text = PAGE.read_text(encoding="utf-8").partition(f"## {section}\n")[2]
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert table, section
    rows = [line.strip("| ").split(" | ") for line in table[0].splitlines()]
    return {key.strip("`"): cells for name, *cells in rows for key in re.findall(r"`\w+`", name) if cells}


@pytest.mark.parametrize("name", rule_set_ids())
def test_the_page_states_how_games_end(name: str) -> None:
    rules = rule_set(name)
    gain, zeros, passes, source = stated("How games end")[name]
    assert gain == {"double": "twice; they lose nothing", "single": "once; they lose theirs"}[rules.ending]
    unless = " unless all scores are 0" if rules.zero_turns_need_points else ""
    assert zeros == f"{rules.zero_turn_limit}{unless}"
    assert passes == (f"{rules.passes_each} each" if rules.passes_each else "no")
    assert len(source) > 5


@pytest.mark.parametrize("name", rule_set_ids())
def test_the_page_states_exchanges_bonus_and_challenges(name: str) -> None:
    rules = rule_set(name)
    cells = stated("Exchanges, bonus and challenges")[name]
    assert cells == [str(rules.exchange_limit), str(rules.bingo_bonus), f"`{rules.challenge_rule}`"]


def how(name: str, players: int = 2, *, left: int = 3, zeros: int = 0, passes: int = 0) -> str | None:
    return ending(rule_set(name), [5] * players, tiles_left=left, zero_turns=zeros, passes=passes)


def test_endings() -> None:
    assert how("english") is None
    assert how("english", left=0, zeros=6) == "went_out"
    assert how("english", zeros=5) is None
    assert how("english", zeros=6) == "zero_turns"


SIX_ZERO_TURNS = {"english", "english_wespa", "italian", "romanian", "swedish"}
"""Rule sets by which passes are zero turns like others, and six of them end a game."""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_passes_of_all_players_end_a_game_only_where_the_rules_say_so(players: int) -> None:
    for name in set(rule_set_ids()) - SIX_ZERO_TURNS - {"wwf"}:
        passes = (3 if name in ("catalan", "french") else 2) * players
        assert how(name, players, zeros=passes - 1, passes=passes - 1) is None
        assert how(name, players, zeros=passes, passes=passes) == "all_passed"


@pytest.mark.parametrize("name", sorted(SIX_ZERO_TURNS))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_six_zero_turns_end_a_game_whoever_they_belong_to(name: str, players: int) -> None:
    for passes in (0, 5):
        assert how(name, players, zeros=5, passes=passes) is None
    for passes in (0, 4, 6):
        assert how(name, players, zeros=6, passes=passes) == "zero_turns"


def test_exchanges_are_no_passes() -> None:
    """Four passes end a Polish game, six a French one; exchanges between them do not count."""
    for name, passes in (("polish", 4), ("french", 6)):
        assert how(name, zeros=passes, passes=passes - 1) is None
        assert how(name, zeros=passes, passes=passes) == "all_passed"


def test_zero_turns_may_not_count_before_a_score() -> None:
    for rules, limit in ((WWF, 3), (rule_set("spanish"), 12)):
        assert ending(rules, [0, 0], tiles_left=3, zero_turns=limit, passes=0) is None
        assert ending(rules, [0, 1], tiles_left=3, zero_turns=limit, passes=0) == "zero_turns"


def test_who_goes_out_gets_the_tiles_of_all_others() -> None:
    assert adjustments(ENGLISH, [0, 7], 0) == [14, 0]
    assert adjustments(ENGLISH, [0, 7, 2], 0) == [18, 0, 0]
    assert adjustments(ENGLISH, [1, 7, 2, 0], 3) == [0, 0, 0, 20]
    assert adjustments(FRENCH, [0, 7], 0) == [7, -7]
    assert adjustments(FRENCH, [4, 0, 2], 1) == [-4, 6, -2]
    assert adjustments(WWF, [4, 1, 0, 2], 2) == [-4, -1, 7, -2]


@pytest.mark.parametrize("name", rule_set_ids())
def test_everybody_loses_the_own_tiles_if_nobody_goes_out(name: str) -> None:
    assert adjustments(rule_set(name), [4, 0, 2], None) == [-4, 0, -2]
