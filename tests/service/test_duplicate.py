"""/duplicate: the state goes in and comes out, and the sheet follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine import DuplicateGame, Slip
from tests.service.analyze_requests import codes

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from engine import Lexicon


def ask(client: FlaskClient, **body: Any) -> dict[str, Any]:
    response = client.post("/duplicate", json=body)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()
    return found


@pytest.mark.long
def test_an_evening_over_http_is_that_of_the_library(client: FlaskClient, lexicon: Lexicon) -> None:
    sheet = ask(client, rules="spanish", seed=5)
    game = DuplicateGame.begin(lexicon, "spanish", seed=5)
    while sheet["current"] is not None:
        square, word = sheet["current"]["tops"][-1].split()
        slips = [{"player": "Ann", "at": square, "word": word}, {"player": "Bob"}]
        sheet = ask(client, game=sheet["game"], slips=slips)
        game = game.closed([Slip("Ann", square, word), Slip("Bob")])
        assert sheet["game"] == game.document
    assert sheet["over"] == game.reason
    assert sheet["top_total"] == game.top_total == sheet["standings"][0]["points"]
    assert [one["player"] for one in sheet["standings"]] == ["Ann", "Bob"]
    assert sheet["standings"][0]["bonus"] == 25
    assert ask(client, game=sheet["game"]) == sheet
    refused = client.post("/duplicate", json={"game": sheet["game"], "slips": []})
    assert (refused.status_code, codes(refused)) == (422, [("", "game_over")])


def test_a_state_is_changed_only_by_slips(client: FlaskClient) -> None:
    first = ask(client, seed=1)
    assert ask(client, game=first["game"]) == first
    assert first["game"]["rules"] == "french"  # English tiles have no rules of duplicate of their own
    other = first["current"]["tops"][-1]
    chosen = ask(client, game=first["game"], slips=[], top=other)
    assert chosen["rounds"][0]["top"] == other
    assert chosen["rounds"][0]["slips"] == []


def test_slips_of_several_rounds(client: FlaskClient) -> None:
    slips = [{"player": "Ann", "round": 1}, {"player": "Ann", "round": 3, "at": "8D", "word": "??"}]
    sheet = ask(client, seed=1, slips=slips)
    assert [len(one["slips"]) for one in sheet["rounds"]] == [1, 0, 1]
    assert sheet["rounds"][2]["slips"][0]["fault"]["code"] == "unknown_tile"
    corrected = ask(client, game=sheet["game"], slips=[{"player": "Bob", "round": 2}])
    assert corrected["current"] == sheet["current"]
    assert [one["player"] for one in corrected["standings"]] == ["Ann", "Bob"] or corrected["standings"]


def test_why_a_slip_is_wrong_is_in_the_language_of_the_reader(client: FlaskClient) -> None:
    body = {"seed": 1, "slips": [{"player": "Ann", "at": "99", "word": "CAB"}]}
    faults = [
        client.post("/duplicate", json=body, headers={"Accept-Language": language}).get_json()["rounds"][0][
            "slips"
        ][0]["fault"]
        for language in ("en", "es")
    ]
    assert faults[0]["code"] == faults[1]["code"] == "bad_coordinate"
    assert faults[0]["detail"] != faults[1]["detail"]


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"seed": 1}, "/seed", "one_game_needed"),
        ({"rules": "french"}, "/rules", "one_game_needed"),
        ({"lexicon": "small"}, "/lexicon", "one_game_needed"),
        ({"top": "8D CAB"}, "/top", "missing_field"),
        ({"slips": [], "top": "1A ZZ"}, "/top", "tile_not_in_rack"),
        ({"slips": [{}]}, "/slips/0/player", "missing_field"),
        ({"slips": [{"player": "Ann"}, {"player": " "}]}, "/slips/1/player", "bad_player_name"),
        ({"slips": [{"player": "Ann"}, {"player": "Ann"}]}, "/slips", "slip_twice"),
        ({"slips": [{"player": "Ann", "round": 0}]}, "/slips/0/round", "out_of_range"),
        ({"slips": [{"player": "Ann", "round": 9_000}]}, "/slips", "no_such_round"),
        ({"slips": [{"player": "Ann", "mark": "red"}]}, "/slips/0/mark", "unknown_choice"),
    ],
)
def test_what_is_refused_has_a_pointer_and_a_code(
    client: FlaskClient, change: dict[str, Any], pointer: str, code: str
) -> None:
    game = ask(client, seed=1)["game"]
    response = client.post("/duplicate", json={"game": game, **change})
    assert (response.status_code, codes(response)) == (422, [(pointer, code)])


@pytest.mark.parametrize(
    ("change", "status", "pointer", "code"),
    [
        ({"format": "kibitz duplicate 9"}, 422, "/game/format", "other_version"),
        ({"format": "mine"}, 422, "/game", "bad_game"),
        ({"rules": "mine"}, 422, "/game/rules", "unknown_rule_set"),
        ({"lexicon": {"id": "small", "sha256": "0"}}, 422, "/game/lexicon", "other_word_list"),
        ({"lexicon": {"id": "klingon", "sha256": "0"}}, 404, "/game/lexicon", "unknown_lexicon"),
        ({"rack": "ZZZZZZZ"}, 422, "/game/rack", "bad_draw"),
        ({"rack": "é"}, 422, "/game/rack", "unknown_tile"),
        ({"rounds": [{"rack": "ABCDEFG", "top": "-", "slips": []}]}, 422, "/game/rounds/0", "not_a_top"),
        ({"rounds": [{"rack": "A", "top": "-", "slips": []}]}, 422, "/game/rack", "bad_draw"),
    ],
)
def test_a_wrong_state_is_refused(
    client: FlaskClient, change: dict[str, Any], status: int, pointer: str, code: str
) -> None:
    game = ask(client, seed=1)["game"]
    response = client.post("/duplicate", json={"game": {**game, **change}})
    assert (response.status_code, codes(response)) == (status, [(pointer, code)])
