"""Requests that are too large are refused before any work is done."""

from __future__ import annotations

import json
import tracemalloc
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from service import json_parser
from service.json_parser import read_json
from service.problems import MAX_ERRORS, Problem
from service.schemas import error_message
from service.schemas.annotate import MAX_RECORD
from service.schemas.fields import MAX_UNKNOWN, String
from service.schemas.position import MAX_CGP, MAX_GCG, MAX_QUERY_CGP
from service.settings import Settings
from tests.service.serving import running

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

OPENING = {"tiles": [], "rack": "ABCDE"}
LIMIT = Settings().max_body_bytes


def refused(response: TestResponse, code: str, pointer: str) -> dict[str, Any]:
    """Assert that a request has one fault, and return it."""
    assert response.status_code == 422, response.text
    (item,) = response.get_json()["errors"]
    assert (item["code"], item["pointer"]) == (code, pointer)
    found: dict[str, Any] = item
    return found


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names for which others were looked for."""
    names: list[str] = []

    def note(name: str, known: list[str], n: int) -> list[str]:
        names.append(name)
        return []

    monkeypatch.setattr(error_message, "get_close_matches", note)
    return names


@pytest.mark.parametrize("number", [MAX_UNKNOWN, MAX_UNKNOWN + 1, 5_000])
def test_unknown_fields_are_counted(client: FlaskClient, compared: list[str], number: int) -> None:
    response = client.post("/analyze", json=OPENING | {f"n{index}": 1 for index in range(number)})
    if number <= MAX_UNKNOWN:
        assert len(response.get_json()["errors"]) == number
        assert len(compared) == 1  # the known fields are named once
        return
    item = refused(response, "too_many_unknown_fields", "")
    assert item["params"]["count"] == number
    assert "top_n" in item["params"]["known"]
    assert compared == []


def test_names_are_compared_only_for_errors_that_are_shown(client: FlaskClient, compared: list[str]) -> None:
    tiles = [{f"{index:x}": 1 for index in range(MAX_UNKNOWN)} for _ in range(380)]
    body = json.dumps({"tiles": tiles, "rack": "A"}, separators=(",", ":"))
    assert len(body) <= LIMIT
    answer = client.post("/analyze", data=body, content_type="application/json").get_json()
    assert answer["params"] == {"count": 380 * (MAX_UNKNOWN + 2)}  # at and letter are missing
    assert len(answer["errors"]) == MAX_ERRORS
    assert len(compared) <= MAX_ERRORS


def test_a_long_name_is_cut_before_it_is_compared(client: FlaskClient, compared: list[str]) -> None:
    refused(client.post("/analyze", json=OPENING | {"x" * 60_000: 1}), "unknown_field", f"/{'x' * 60_000}")
    assert [len(name) for name in compared] == [error_message.MAX_SHOWN]


def test_items_are_counted_before_one_is_read(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []

    def note(self: String, value: Any, *_: Any, **__: Any) -> Any:
        read.append(value)
        return value

    monkeypatch.setattr(String, "_deserialize", note)
    response = client.post("/analyze", json={"tiles": [], "compare": ["-"] * 15_000})
    refused(response, "out_of_range", "/compare")
    assert read == []


def test_a_string_is_measured_before_it_is_searched(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []
    monkeypatch.setattr(String, "check_characters", lambda self, value: searched.append(value))
    item = refused(client.post("/analyze", json={"tiles": [], "rack": "A" * 60_000}), "out_of_range", "/rack")
    assert item["params"] == {"min": 0, "max": 64}
    assert searched == []


def test_a_duplicate_key_is_found_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    class Key(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str.__eq__(self, other)

    pairs = [(Key(number), 1) for number in [*range(2_000), 1_999]]

    def loads(_: str, *, object_pairs_hook: Any, **__: Any) -> Any:
        return object_pairs_hook(pairs)

    monkeypatch.setattr(json_parser.json, "loads", loads)
    with pytest.raises(Problem) as caught:
        read_json(b"{}", 16)
    assert caught.value.params == {"key": "1999"}
    assert compared < 2 * len(pairs)


@pytest.mark.parametrize("item", ["[]", "{}", '""', "0", '{"a":0}', "1.5", "1e9", '"\\u0041"'])
def test_a_body_takes_memory_by_its_length(client: FlaskClient, item: str) -> None:
    number = (LIMIT - 20) // (len(item) + 1)
    body = '{"compare":[' + ",".join([item] * number) + "]}"
    client.post("/analyze", data=body, content_type="application/json")
    tracemalloc.start()
    try:
        response = client.post("/analyze", data=body, content_type="application/json")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert response.status_code == 422
    assert most < 40 * len(body)


def test_a_record_as_long_as_documented_arrives(client: FlaskClient) -> None:
    line = ">ann: AEITWXY 8D WAITE +24 24\n"
    record = (line * MAX_GCG)[:MAX_GCG]
    longest = client.post("/analyze", json={"gcg": record, "turn": 1})
    assert longest.status_code == 422
    assert "out_of_range" not in longest.text
    refused(client.post("/analyze", json={"gcg": record + "\n", "turn": 1}), "out_of_range", "/gcg")


def test_a_record_to_annotate_as_long_as_documented_arrives(client: FlaskClient) -> None:
    line = ">ann: AEITWXY 8D WAITE +24 24\n"
    for length, code in ((MAX_RECORD, "too_many_events"), (MAX_RECORD + 1, "out_of_range")):
        response = client.post("/games/annotate", json={"gcg": (line * length)[:length]})
        assert (response.status_code, response.get_json()["code"]) == (422, code)


def test_a_cgp_as_long_as_documented_is_read(client: FlaskClient) -> None:
    assert client.post("/analyze", json={"cgp": "1" * MAX_CGP}).get_json()["code"] == "bad_cgp"
    refused(client.post("/analyze", json={"cgp": "1" * (MAX_CGP + 1)}), "out_of_range", "/cgp")


@pytest.mark.process
def test_a_cgp_as_long_as_documented_arrives_in_a_query(data: Path) -> None:
    with running(data, KIBITZ_LOG_LEVEL="error") as server:
        for number, code in ((MAX_QUERY_CGP, "bad_cgp"), (MAX_QUERY_CGP + 1, "out_of_range")):
            status, _, body = server.ask("GET", f"/analyze?cgp={quote('1' * number)}")
            assert (status, json.loads(body)["errors"][0]["pointer"]) == (422, "/cgp")
            assert json.loads(body)["code"] == code, body


def test_unknown_fields_have_the_order_of_the_request(client: FlaskClient) -> None:
    names = [f"field_{number}" for number in (7, 3, 11, 1, 5, 2)]
    answer = client.post("/analyze", json={"tiles": [], "rack": "A", **dict.fromkeys(names)})
    assert [item["pointer"] for item in answer.get_json()["errors"]] == [f"/{name}" for name in names]
    known = [item["params"]["known"] for item in answer.get_json()["errors"]]
    assert known[0]
    assert not any(known[1:])


def test_a_record_in_an_encoding_that_is_not_read_is_refused(client: FlaskClient) -> None:
    for charset, status in (("utf-8", 422), ("iso-8859-1", 422), ("windows-1250", 415), ("klingon", 415)):
        content_type = f"text/plain; charset={charset}"
        assert client.post("/games/annotate", data=b"x", content_type=content_type).status_code == status
