"""/leaves: learned values, and bingo expectations with a board and without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine import leave_table, tile_set
from engine.position import Rack
from service.schemas.leaves import LeavesSchema
from tests.service.analyze_requests import codes

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from engine import Catalogue

CAB = ["." * 15] * 7 + ["......CAB......"] + ["." * 15] * 7
EMPTY = "/".join(["15"] * 15)


def ask(client: FlaskClient, **body: Any) -> dict[str, Any]:
    response = client.post("/leaves", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.get_json()
    LeavesSchema().load(answer)
    return answer


def test_every_part_of_a_rack_has_the_value_of_the_table(bundled: Catalogue, client: FlaskClient) -> None:
    answer = ask(client, racks=["AEINRS?", "QVVU"])
    assert [rack["rack"] for rack in answer["racks"]] == ["AEINRS?", "QUVV"]
    assert [len(rack["leaves"]) for rack in answer["racks"]] == [128, 12]
    table = leave_table(bundled.open("scowl80"))  # which serves the small lexicon, as the tile set's default
    assert answer["provenance"]["leaves"].startswith(table.name)
    alphabet = tile_set("english").alphabet
    for rack in answer["racks"]:
        sizes = [leave["tile_count"] for leave in rack["leaves"]]
        assert sizes == sorted(sizes, reverse=True)
        for leave in rack["leaves"]:
            if leave["tile_count"] == 7:
                assert (leave["value"], leave["bingo_expectation"]) == (None, None)
                continue
            assert leave["value"] == table.value(Rack.from_text(leave["leave"], alphabet).tiles)
            assert leave["bingo_expectation"] >= 0
    parts = {leave["leave"]: leave for leave in answer["racks"][0]["leaves"]}
    assert parts[""]["value"] == 0
    assert parts["?"]["value"] > parts["S"]["value"] > parts["I"]["value"]


def test_the_board_and_the_tiles_unseen_count(client: FlaskClient) -> None:
    """The bingo expectation is that of the move in /analyze with this leave."""
    body: dict[str, Any] = {"rows": CAB, "evaluator": "heuri6", "rack": "ADEFRSX", "sort": "equity"}
    found = client.post("/analyze", json={**body, "include_exchanges": True, "top_n": 200}).get_json()
    expected = {move["leave"]: move["bingo_expectation"] for move in found["moves"]}
    assert len(expected) > 20
    (rack,) = ask(client, rows=CAB, racks=["ADEFRSX"])["racks"]
    given = {leave["leave"]: leave["bingo_expectation"] for leave in rack["leaves"]}
    for leave, bingos in expected.items():
        if len(leave) < 7:
            assert given[leave] == bingos
    (bare,) = ask(client, racks=["ADEFRSX"])["racks"]
    assert bare["leaves"] != rack["leaves"]
    assert [leave["value"] for leave in bare["leaves"]] == [leave["value"] for leave in rack["leaves"]]


def test_a_leave_can_be_requested_without_its_parts(client: FlaskClient) -> None:
    answer = ask(client, cgp=f"{EMPTY} ABC/ 0/0 0", racks=["ERS", "?E", "ERS"], parts=False)
    leaves = [leave for rack in answer["racks"] for leave in rack["leaves"]]
    assert [leave["leave"] for leave in leaves] == ["ERS", "E?", "ERS"]
    assert leaves[0] == leaves[2]
    assert answer["position"]["cgp"].startswith(f"{EMPTY} / 0/0 0")  # the CGP's own rack plays no part


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, [("/racks", "missing_field")]),
        ({"racks": []}, [("/racks", "out_of_range")]),
        ({"racks": ["ABC", "e"]}, [("/racks/1", "unknown_tile")]),
        ({"racks": ["ABC", "ABCDEFGH"]}, [("/racks/1", "rack_too_long")]),
        ({"racks": ["QQ"]}, [("/racks/0", "too_many_tiles")]),
        ({"racks": ["Q"], "rows": CAB, "tiles": []}, [("", "one_position_needed")]),
        ({"racks": ["Q"], "rack": "A"}, [("/rack", "unknown_field")]),
        ({"racks": ["Q"] * 51}, [("/racks", "out_of_range")]),
    ],
)
def test_faults_are_named(client: FlaskClient, body: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    response = client.post("/leaves", json=body)
    assert response.status_code == 422
    assert codes(response) == expected
