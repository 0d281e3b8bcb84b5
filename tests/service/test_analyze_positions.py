"""/analyze: the ways to give a position, and what makes one impossible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.service.analyze_requests import CAB, CAB_CGP, OPENING, answer, codes, post

if TYPE_CHECKING:
    from flask.testing import FlaskClient


def test_three_ways_to_give_one_position(client: FlaskClient) -> None:
    players = [{"score": 0}, {"score": 14}]
    tiles = [{"at": "8G", "letter": "C"}, {"at": "H8", "letter": "A"}, {"at": "8I", "letter": "B"}]
    bodies = [
        post(client, cgp=CAB_CGP).data,
        post(client, rows=CAB, rack="ADDEFS?", players=players).data,
        post(client, tiles=tiles, rack="?SFEDDA", players=players).data,
    ]
    # A CGP names no number of tiles for the other player, and neither do the fields here.
    assert bodies[0] == bodies[1] == bodies[2]


def test_the_position_is_echoed_in_normal_form(client: FlaskClient) -> None:
    position = answer(client, rows=CAB, rack="?SFEDDA", zero_turns=1)["position"]
    assert position["cgp"] == "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 ADDEFS?/ 0/0 1 lex small;"
    assert len(position["id"]) == 64
    assert (position["board"], position["tile_set"], position["rules"]) == (
        "standard15",
        "english",
        "english",
    )
    assert position["bag_count"] == 100 - 3 - 7 - 7
    assert len(position["unseen"]) == 100 - 3 - 7


@pytest.mark.parametrize(
    "body", [{}, {"rack": "A"}, {"cgp": CAB_CGP, "rows": CAB}, {"cgp": CAB_CGP, "rows": CAB, "tiles": []}]
)
def test_exactly_one_way_is_needed(client: FlaskClient, body: dict[str, Any]) -> None:
    response = client.post("/analyze", json=body)
    assert response.status_code == 422
    assert codes(response) == [("", "one_position_needed")]


def test_fields_win_over_the_cgp(client: FlaskClient) -> None:
    cgp = CAB_CGP + " lex nowhere; ld german; bdn standard21; bb 40; gid g1;"
    position = answer(
        client,
        cgp=cgp,
        lexicon="SMALL",
        tile_set="english",
        board="wwf15",
        rules="english",
        rack="AB",
        zero_turns=2,
        players=[{"score": 5}, {"score": 6, "rack": "EE"}],
    )["position"]
    assert position["cgp"].endswith(" AB/EE 5/6 2 lex small; bdn wwf15; gid g1;")


def test_rules_change_those_of_the_cgp(client: FlaskClient) -> None:
    position = answer(client, cgp=CAB_CGP + " bb 40; cr triple;", rules={"exchange_limit": 1})["position"]
    assert "bb 40; etl 1; cr triple;" in position["cgp"]
    assert position["rules"] == "custom"
    ruled = answer(client, cgp=CAB_CGP + " bb 40;", rules={"id": "spanish"})["position"]
    assert ruled["rules"] == "spanish"


def test_a_board_of_ones_own(client: FlaskClient) -> None:
    grid = {"rows": ["T" + "." * 9] + ["." * 10] * 9, "starts": ["1A"]}
    result = answer(client, rows=["." * 10] * 10, board=grid, rack="CAB", top_n=200)
    # The board equals its transpose, so the plays across represent those down as well.
    assert {move["at"] for move in result["moves"]} == {"1A"}
    assert result["moves"][0]["move"] == "1A CAB"
    assert result["moves"][0]["score"] == 3 * (3 + 1 + 3)


def test_a_tile_set_of_ones_own(client: FlaskClient) -> None:
    letters = [{"letter": chr(65 + i), "count": 4, "value": 2} for i in range(26)] + [
        {"letter": "?", "count": 1}
    ]
    result = answer(client, rows=CAB, rack="DE?", tile_set=letters)
    assert result["position"]["tile_set"] == "custom"
    assert result["position"]["bag_count"] == 105 - 3 - 3 - 7


def test_phonies_on_the_board_are_reported_not_refused(client: FlaskClient) -> None:
    rows = [*CAB[:7], "....CABXQ......", *CAB[8:]]
    result = answer(client, rows=rows, rack="ADE")
    assert result["phonies"] == [{"word": "CABXQ", "at": "8E"}]
    assert result["play_count"] > 0


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"rows": CAB[:14], "rack": "A"}, [("/rows", "board_needed")]),
        ({"rows": [*CAB[:14], "." * 14], "rack": "A"}, [("/rows/14", "bad_row_width")]),
        ({"rows": [*CAB[:14], "." * 14 + "!"], "rack": "A"}, [("/rows/14", "unknown_tile")]),
        ({"rows": CAB, "rack": "ÉA"}, [("/rack", "unknown_tile")]),
        ({"rows": CAB, "rack": "AAAAAAAA"}, [("/rack", "rack_too_long")]),
        ({"rows": CAB, "rack": "ZZ"}, [("/rack", "too_many_tiles")]),
        ({"rows": [*CAB[:14], "Q" + "." * 14], "rack": "A"}, None),
        ({"rows": CAB}, [("", "no_rack")]),
        ({"cgp": CAB_CGP.replace("ADDEFS?", "")}, [("/cgp", "no_rack")]),
        ({"cgp": "15/15"}, [("/cgp", "bad_cgp")]),
        ({"cgp": CAB_CGP.replace("/15", "/999999999", 1)}, None),
        ({"tiles": [{"at": "8P", "letter": "A"}], "rack": "A"}, [("/tiles/0/at", "off_board")]),
        ({"tiles": [{"at": "8A", "letter": "??"}], "rack": "A"}, [("/tiles/0/letter", "unknown_tile")]),
        ({**OPENING, "board": "nowhere"}, [("/board", "unknown_board")]),
        ({**OPENING, "tile_set": "klingon"}, [("/tile_set", "unknown_tile_set")]),
        ({**OPENING, "rules": "none"}, [("/rules", "unknown_rule_set")]),
        ({**OPENING, "tile_set": "german"}, [("/tile_set", "tile_set_mismatch")]),
        (
            {**OPENING, "board": {"rows": ["." * 10] * 9 + ["." * 9]}},
            [("/board/rows/9", "bad_row_width")],
        ),
        ({**OPENING, "board": {"rows": ["." * 10] * 10}}, [("/board/rows", "no_start_square")]),
        (
            {**OPENING, "board": {"rows": ["." * 11] * 11, "starts": ["1Z"]}},
            [("/board/starts/0", "off_board")],
        ),
        ({**OPENING, "players": [{}, {"rack": "1"}]}, [("/players/1/rack", "unknown_tile")]),
        ({**OPENING, "players": [{}, {"rack": "ZZ"}]}, [("/players/1/rack", "too_many_tiles")]),
    ],
)
def test_an_impossible_position_is_refused_and_pointed_at(
    client: FlaskClient, body: dict[str, Any], expected: list[tuple[str, str]] | None
) -> None:
    response = client.post("/analyze", json=body)
    assert response.status_code == 422, response.text
    assert codes(response)
    if expected is not None:
        assert codes(response) == expected


def test_all_faults_are_listed_at_once_with_their_squares(client: FlaskClient) -> None:
    rows = [*CAB[:13], "Z" + "." * 14, "." * 14 + "Z"]
    response = post(client, rows=rows, rack="ZA")
    details = " ".join(error["detail"] for error in response.get_json()["errors"])
    assert response.status_code == 422
    assert "14A" in details
    assert "15O" in details
    assert "tile Z" in details


@pytest.mark.parametrize("body", [{**OPENING, "lexicon": "nowhere"}, {"cgp": CAB_CGP, "lexicon": "CSW99"}])
def test_an_unknown_lexicon_is_404(client: FlaskClient, body: dict[str, Any]) -> None:
    response = client.post("/analyze", json=body)
    assert response.status_code == 404
    assert response.get_json()["code"] == "unknown_lexicon"
