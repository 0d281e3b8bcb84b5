"""Positions of a game record, and faults that are listed all at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from service.resources import examples
from tests.service.analyze_requests import codes

if TYPE_CHECKING:
    from flask.testing import FlaskClient

RECORD: str = examples.GAMES["game"]["value"]["gcg"]
CAB = ["." * 15] * 7 + ["......CAB......"] + ["." * 15] * 7


def asked(client: FlaskClient, **body: Any) -> dict[str, Any]:
    response = client.post("/analyze", json=body)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()
    return found


class TestRecords:
    def test_every_turn_is_the_position_that_the_annotation_shows(self, client: FlaskClient) -> None:
        body = {"gcg": RECORD, "endgame_nodes": 0}
        answer = client.post("/games/annotate", json=body, headers={"Accept": "application/x-ndjson"})
        lines = answer.text.splitlines()
        turns = [note for note in map(json.loads, lines) if note["type"] == "turn"]
        assert len(turns) > 1
        for note in turns:
            found = asked(client, gcg=RECORD, turn=note["number"], top_n=1)
            same = asked(client, cgp=note["cgp"], top_n=1)
            # A CGP has no place for numbers of tiles and last moves, so that the ids may differ.
            assert found["position"]["cgp"] == same["position"]["cgp"]
            assert found["moves"] == same["moves"]

    def test_fields_beside_it_win(self, client: FlaskClient) -> None:
        plain = asked(client, gcg=RECORD, turn=2)["position"]
        changed = asked(
            client, gcg=RECORD, turn=2, rack="AAB?", rules={"exchange_limit": 1}, players=[{}, {"score": 5}]
        )["position"]
        assert changed["cgp"].split()[0] == plain["cgp"].split()[0]
        assert changed["cgp"].split()[1:3] == ["AAB?/", "0/5"]
        assert changed["rules"] == "custom"
        named = "#lexicon NWL23\n#tile-distribution spanish\n#board-layout super21\n" + RECORD
        other = {"tile_set": "english", "board": "standard15"}
        assert asked(client, gcg=named, turn=2, **other)["position"] == plain

    def test_the_other_operations_read_it_too(self, client: FlaskClient) -> None:
        cgp = asked(client, gcg=RECORD, turn=2)["position"]["cgp"]
        for path, beside in (("/hints", {"level": 1}), ("/play", {"move": "-"}), ("/board.svg", {})):
            found = client.post(path, json={"gcg": RECORD, "turn": 2, **beside})
            assert found.status_code == 200, found.text
            assert found.data == client.post(path, json={"cgp": cgp, **beside}).data
        lines = client.post("/batch", json=[{"gcg": RECORD, "turn": 2}, {"gcg": RECORD}]).get_json()
        assert lines[0]["answer"]["position"]["cgp"] == cgp
        assert len(lines[1]["answer"]["turns"]) > 1

    @pytest.mark.parametrize(
        ("body", "expected"),
        [
            ({"gcg": RECORD}, [("/turn", "missing_field")]),
            ({"cgp": "x", "turn": 1}, [("/turn", "needs_a_record")]),
            ({"gcg": RECORD, "rows": CAB, "turn": 1}, [("", "one_position_needed")]),
            ({"gcg": RECORD, "turn": 301}, [("/turn", "no_such_turn")]),
            ({"gcg": RECORD, "turn": 302}, [("/turn", "out_of_range")]),
            ({"gcg": RECORD, "turn": 0}, [("/turn", "out_of_range")]),
            ({"gcg": "", "turn": 1}, [("/gcg", "out_of_range")]),
        ],
    )
    def test_what_is_no_position_of_a_record(
        self, client: FlaskClient, body: dict[str, Any], expected: list[tuple[str, str]]
    ) -> None:
        response = client.post("/analyze", json=body)
        assert (response.status_code, codes(response)) == (422, expected)

    def test_faults_before_the_turn_are_listed_by_line_and_later_ones_ignored(
        self, client: FlaskClient
    ) -> None:
        lines = RECORD.splitlines()
        events = [number for number, line in enumerate(lines) if line.startswith(">")]
        lines[events[1]] = lines[events[1]].rpartition(" ")[0] + " 9999"
        wrong = "\n".join(lines)
        assert asked(client, gcg=wrong, turn=2) == asked(client, gcg=RECORD, turn=2)
        response = client.post("/analyze", json={"gcg": wrong, "turn": 3})
        assert response.status_code == 422
        faults = response.get_json()["errors"]
        assert {fault["pointer"] for fault in faults} == {"/gcg"}
        assert f"line {events[1] + 1}" in faults[0]["detail"]
        response = client.post("/analyze", json={"gcg": "no record", "turn": 1})
        assert codes(response) == [("/gcg", "empty_record")]
        assert "line 1" in response.get_json()["errors"][0]["detail"]
        lines[events[1]] = ">nobody knows"
        response = client.post("/analyze", json={"gcg": "\n".join(lines), "turn": 99})
        assert codes(response)[0] == ("/turn", "no_such_turn")
        assert len(codes(response)) > 1, "why there are so few"


class TestAllAtOnce:
    TWICE = [{"at": "8D", "letter": "Q"}, {"at": "8D", "letter": "A"}]  # noqa: RUF012 - never changed

    @pytest.mark.parametrize(
        ("body", "expected"),
        [
            (
                {"tiles": TWICE, "rack": "A!"},
                {("/tiles/1/at", "square_twice"), ("/rack", "unknown_tile")},
            ),
            (
                {"tiles": TWICE, "rack": "AAAAAAAAA"},
                {("/tiles/1/at", "square_twice"), ("/rack", "rack_too_long")},
            ),
            (
                {"rows": [*CAB[:14], "!" * 15], "rack": "1", "players": [{}, {"rack": "2"}], "rules": "none"},
                {
                    ("/rows/14", "unknown_tile"),
                    ("/rack", "unknown_tile"),
                    ("/players/1/rack", "unknown_tile"),
                    ("/rules", "unknown_rule_set"),
                },
            ),
            ({"cgp": "15/15 A/ 0/0 0", "rack": "É"}, {("/cgp", "bad_row_count"), ("/rack", "unknown_tile")}),
            (
                {"rows": CAB, "rack": "A", "tile_set": "klingon", "board": "round"},
                {("/tile_set", "unknown_tile_set"), ("/board", "unknown_board")},
            ),
        ],
    )
    def test_whatever_is_wrong_beside_it(
        self, client: FlaskClient, body: dict[str, Any], expected: set[tuple[str, str]]
    ) -> None:
        response = client.post("/analyze", json=body)
        assert response.status_code == 422
        assert set(codes(response)) == expected, response.text
