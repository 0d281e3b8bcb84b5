"""The reference data: what a client may name in a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import default_rule_set, rule_set, rule_set_ids, tile_set_ids
from tests.service.analyze_requests import CAB_CGP, answer

if TYPE_CHECKING:
    from flask.testing import FlaskClient


def test_every_rule_set_is_listed_and_can_be_named(client: FlaskClient) -> None:
    found = client.get("/rule-sets").get_json()["rule_sets"]
    assert [one["id"] for one in found] == list(rule_set_ids())
    for one in found:
        result = answer(client, cgp=CAB_CGP, rules=one["id"], top_n=1)
        assert result["position"]["rules"] == one["id"]


def test_a_rule_set_names_the_tile_sets_that_have_it(client: FlaskClient) -> None:
    found = client.get("/rule-sets").get_json()["rule_sets"]
    users = {tiles: one["id"] for one in found for tiles in one["default_for"]}
    assert users == {tiles: default_rule_set(tiles).id for tiles in tile_set_ids()}


def test_a_rule_set_says_what_the_points_of_a_challenge_count_for(client: FlaskClient) -> None:
    found = client.get("/rule-sets").get_json()["rule_sets"]
    assert {one["id"]: one["penalty_per"] for one in found} == {
        name: rule_set(name).penalty_per for name in rule_set_ids()
    }


def test_its_rules_are_those_of_the_analysis(client: FlaskClient) -> None:
    [wwf] = [one for one in client.get("/rule-sets").get_json()["rule_sets"] if one["id"] == "wwf"]
    assert wwf["bingo_bonus"] == 35
    custom = {name: wwf[name] for name in ("bingo_bonus", "exchange_limit", "ending", "challenge_rule")}
    options = {"tiles": [], "rack": "FADEDCB", "include_exchanges": True, "top_n": 5}
    assert answer(client, **options, rules="wwf")["moves"] == answer(client, **options, rules=custom)["moves"]
