"""/batch: each item answered as alone, in order, whatever the others are."""

from __future__ import annotations

import json
import re
import socket
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from hypothesis import strategies as st

from service.app import create_app
from service.resources import examples
from tests.service.serving import running, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from service.settings import Settings

GAME = examples.GAMES["game"]["value"]
RACK = {"tiles": [], "rack": "CABDEFE", "top_n": 2}
NDJSON = "application/x-ndjson"


def ask(client: FlaskClient, *lines: Any) -> TestResponse:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return client.post("/batch", data=text.encode(), content_type=NDJSON)


def answers(response: TestResponse) -> list[dict[str, Any]]:
    assert response.status_code == 200, response.text
    assert response.headers["Content-Type"] == NDJSON
    return [json.loads(line) for line in response.text.splitlines()]


def test_a_line_holds_the_very_bytes_that_analyze_and_annotate_answer(client: FlaskClient) -> None:
    lines = ask(client, {"id": "a", **RACK}, {"id": 7, **GAME}, RACK).data.splitlines()
    alone = client.post("/analyze", json=RACK).data
    notes = b",".join(client.post("/games/annotate", json=GAME).data.splitlines())
    assert lines == [
        b'{"id":"a","line":1,"status":200,"answer":' + alone + b"}",
        b'{"id":7,"line":2,"status":200,"answer":[' + notes + b"]}",
        b'{"id":null,"line":3,"status":200,"answer":' + alone + b"}",
    ]


def test_a_wrong_item_is_told_with_its_line_and_ends_nothing(client: FlaskClient) -> None:
    given = [
        "nonsense",
        "",
        "[]",
        {"id": "x", "rack": "A"},
        {"id": {}, **RACK},
        {"id": True, **RACK},
        '{"id": 1, "id": 2}',
        {"id": "y", **RACK, "lexicon": "klingon"},
        {"id": "g", "gcg": "no game"},
        "[" * 5000,
        {"id": "big", "cgp": "x" * 70_000},
        '{"id": "\\ud800", "cgp": ""}',
        {"id": "z", **RACK},
    ]
    found = answers(ask(client, *given))
    told = [(item["line"], item["id"], item["status"], item.get("problem", {}).get("code")) for item in found]
    assert told == [
        (1, None, 400, "malformed_json"),
        (3, None, 422, "wrong_type"),
        (4, "x", 422, "one_position_needed"),
        (5, None, 422, "invalid_value"),
        (6, None, 422, "invalid_value"),
        (7, None, 400, "duplicate_key"),
        (8, "y", 404, "unknown_lexicon"),
        (9, "g", 422, told[7][3]),
        (10, None, 400, "too_deep"),
        (11, "big", 413, "body_too_large"),
        (12, None, 400, "malformed_json"),
        (13, "z", 200, None),
    ]
    assert found[6]["problem"]["errors"][0]["pointer"] == "/lexicon"


def test_an_array_is_answered_by_an_array(client: FlaskClient) -> None:
    response = client.post("/batch", json=[{"id": "a", **RACK}, {"id": "b"}])
    lines = ask(client, {"id": "a", **RACK}, {"id": "b"}).data.splitlines()
    assert response.data == b"[" + b",".join(lines) + b"]"
    assert response.headers["Content-Type"] == "application/json"
    assert client.post("/batch", json=[]).get_json() == []
    assert ask(client, "", "").data == b""
    for body, status in (({"cgp": ""}, 422), ("x", 422)):
        assert client.post("/batch", json=body).status_code == status
    assert client.post("/batch", data="[", content_type="application/json").status_code == 400
    assert client.post("/batch", data="x", content_type="text/plain").status_code == 415


@pytest.mark.parametrize("threads", [2, 5])
def test_any_number_of_threads_gives_the_same_bytes_in_the_same_order(
    client: FlaskClient, settings: Settings, threads: int
) -> None:
    racks = ["CABDEFE", "AAB", "nonsense!", "HEAD", "GAB?", "FEED", "EEE", "DAB", "?A", "BEAD"] * 4
    lines = [{"id": number, "tiles": [], "rack": rack} for number, rack in enumerate(racks)]
    threaded = create_app(replace(settings, batch_threads=threads)).test_client()
    found = ask(threaded, *lines)
    assert found.data == ask(client, *lines).data
    assert [item["id"] for item in answers(found)] == list(range(len(racks)))


LINE = st.one_of(
    st.binary(max_size=30),
    st.text(max_size=20).map(str.encode),
    st.recursive(
        st.none() | st.integers() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=3)
    ).map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries(
        {},
        optional={
            "id": st.text(max_size=3) | st.integers() | st.lists(st.none(), max_size=1),
            "tiles": st.just([]) | st.text(max_size=2),
            "rack": st.text("ABCDE?é!", max_size=9),
            "gcg": st.text("#player12 >:AB8H+\n", max_size=30),
            "top_n": st.integers(-1, 3),
        },
    ).map(lambda value: json.dumps(value).encode()),
)


@hypothesis.given(st.lists(LINE, max_size=6))
@hypothesis.settings(max_examples=60, deadline=None, database=None, derandomize=True)
def test_any_lines_give_as_many_answers(app: Flask, lines: list[bytes]) -> None:
    body = b"\n".join(lines) + b"\n"
    response = app.test_client().post("/batch", data=body, content_type=NDJSON)
    assert response.status_code == 200, response.text
    expected = [number for number, line in enumerate(body.split(b"\n"), 1) if line.strip()]
    found = [json.loads(line) for line in response.data.splitlines()]
    assert [item["line"] for item in found] == expected
    for item in found:
        assert item["status"] in (200, 400, 404, 413, 422)
        assert ("answer" in item) == (item["status"] == 200)


def test_every_example_of_the_documentation_can_be_run(bundled_client: FlaskClient) -> None:
    document = bundled_client.get("/openapi.json").get_json()
    content = document["paths"]["/batch"]["post"]["requestBody"]["content"]
    array = content["application/json"]["examples"]["positions"]["value"]
    found = bundled_client.post("/batch", json=array).get_json()
    assert [(item["id"], item["status"]) for item in found] == [("first", 200), (2, 200), ("game", 200)]
    assert found[2]["answer"][-1]["complete"]
    lines = bundled_client.post("/batch", data=content[NDJSON]["example"].encode(), content_type=NDJSON)
    assert [json.loads(line) for line in lines.data.splitlines()] == found


def test_a_reader_who_goes_away_stops_the_work(data: Path) -> None:
    """A batch for a minute, of which one answer is read; its slot is free again within a second."""
    lines = "\n".join(
        json.dumps({"tiles": [], "rack": "CABDEFE", "top_n": 200, "seed": number}) for number in range(9_000)
    ).encode()
    with running(data, KIBITZ_HEAVY_AT_ONCE="1", KIBITZ_CACHE_BYTES="0") as server:
        connection = server.connect()
        connection.request("POST", "/batch", lines, {"Content-Type": NDJSON})
        response = connection.getresponse()
        assert json.loads(response.readline())["status"] == 200
        busy = server.ask("POST", "/batch", json.dumps([RACK]), {"Content-Type": "application/json"})
        assert busy[0] == 503
        assert busy[1]["retry-after"]
        response.close()
        connection.close()
        wait_until(lambda: heavy(server.ask("GET", "/metrics")[2]) == 0)


def heavy(metrics: bytes) -> float:
    found = re.search(rb"^kibitz_heavy_running(?:\{.*\})? (\S+)$", metrics, re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_a_reader_who_does_not_read_holds_no_slot_for_ever(data: Path) -> None:
    """The answer is larger than any buffer; whoever asks next finds the server free again."""
    line = json.dumps({**RACK, "top_n": 200, "include_exchanges": True})
    body = "\n".join([line] * 2_000).encode()
    with running(data, KIBITZ_STALL_SECONDS="1", KIBITZ_HEAVY_AT_ONCE="1") as server:
        head = (
            "POST /batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
            connection.sendall(head.encode() + body)
            wait_until(lambda: server.metric("kibitz_heavy_running") == 1)
            wait_until(lambda: server.metric("kibitz_heavy_running") == 0, 15)
