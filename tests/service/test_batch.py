"""/batch: each item gets the answer of its single request, in order, independent of the others."""

from __future__ import annotations

import json
import socket
import time
import tracemalloc
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from hypothesis import strategies as st

from service.app import create_app
from service.batch import Batch
from service.resources import examples
from service.view_rules import JSON, NDJSON
from tests.service.serving import PATIENCE, running, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from service.settings import Settings

GAME = examples.GAMES["game"]["value"]
RACK = {"tiles": [], "rack": "CABDEFE", "top_n": 2}


def ask(client: FlaskClient, *lines: Any) -> TestResponse:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return client.post("/batch", data=text.encode(), content_type=NDJSON)


def answers(response: TestResponse) -> list[dict[str, Any]]:
    assert response.status_code == 200, response.text
    assert response.headers["Content-Type"] == NDJSON
    return [json.loads(line) for line in response.text.splitlines()]


def test_a_line_holds_the_bytes_that_analyze_and_annotate_answer(client: FlaskClient) -> None:
    lines = ask(client, {"id": "a", **RACK}, {"id": 7, **GAME}, RACK).data.splitlines()
    alone = client.post("/analyze", json=RACK).data
    annotation = client.post("/games/annotate", json=GAME).data
    assert lines == [
        b'{"id":"a","line":1,"status":200,"answer":' + alone + b"}",
        b'{"id":7,"line":2,"status":200,"answer":' + annotation + b"}",
        b'{"id":null,"line":3,"status":200,"answer":' + alone + b"}",
    ]


def test_a_wrong_item_is_reported_with_its_line_and_ends_nothing(client: FlaskClient) -> None:
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
    reported = [
        (item["line"], item["id"], item["status"], item.get("problem", {}).get("code")) for item in found
    ]
    assert reported == [
        (1, None, 400, "malformed_json"),
        (3, None, 422, "wrong_type"),
        (4, "x", 422, "one_position_needed"),
        (5, None, 422, "invalid_value"),
        (6, None, 422, "invalid_value"),
        (7, None, 400, "duplicate_key"),
        (8, "y", 404, "unknown_lexicon"),
        (9, "g", 422, reported[7][3]),
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


def test_answers_keep_the_order_of_the_items(client: FlaskClient) -> None:
    racks = ["CABDEFE", "AAB", "nonsense!", "HEAD", "GAB?", "FEED", "EEE", "DAB", "?A", "BEAD"] * 4
    lines = [{"id": number, "tiles": [], "rack": rack} for number, rack in enumerate(racks)]
    found = ask(client, *lines)
    assert found.data == ask(client, *lines).data
    assert [item["id"] for item in answers(found)] == list(range(len(racks)))


BODIES = {
    NDJSON: lambda item, count: b"\n".join([item] * count),
    JSON: lambda item, count: b"[" + b",".join([item] * count) + b"]",
}


ITEMS = [b"0", b"{}", b"[]", b'{"":[]}', b"1e5", b'"aaaa"', b" 1 "]


@pytest.mark.parametrize(
    ("media_type", "item"),
    [(NDJSON, b""), *[(media_type, item) for media_type in BODIES for item in ITEMS]],
)
@pytest.mark.long
def test_items_are_counted_before_any_is_copied(
    client: FlaskClient, settings: Settings, media_type: str, item: bytes
) -> None:
    """A body of 8 MB once took 21 GB; it is refused with less than three times its size."""
    limit = settings.batch_lines
    body = BODIES[media_type](item, settings.max_batch_bytes // (len(item) + 1) - 1)
    tracemalloc.start()
    try:
        response = client.post("/batch", data=body, content_type=media_type)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert response.status_code == 422
    problem = response.get_json()
    assert (problem["code"], problem["params"]) == ("too_many_items", {"limit": limit})
    assert peak < 3 * len(body)


@pytest.mark.parametrize("media_type", BODIES)
def test_the_limit_of_items(settings: Settings, media_type: str) -> None:
    client = create_app(replace(settings, batch_lines=7, batch_items=9, jobs_queued=0)).test_client()
    for count, status in ((7, 200), (8, 422)):
        response = client.post("/batch", data=BODIES[media_type](b"0", count), content_type=media_type)
        assert response.status_code == status
    assert len(client.post("/batch", data=b"0\n" * 7, content_type=NDJSON).data.splitlines()) == 7
    assert client.post("/batch", data=b"\n" * 8, content_type=NDJSON).status_code == 422, "empty lines count"


@pytest.mark.parametrize("nested", ["[" * 99_999, "[" * 900 + "0" + "]" * 900, '{"a":' * 99_999])
def test_an_item_nested_too_deep_is_refused(client: FlaskClient, nested: str) -> None:
    refused = client.post("/batch", data=f"[0,{nested}]", content_type=JSON)
    if refused.status_code == 200:
        assert refused.get_json()[1]["problem"]["code"] == "too_deep"
    else:
        assert refused.get_json()["code"] == "too_deep"


def test_a_long_item_of_an_array_is_parsed_in_a_slice(client: FlaskClient, settings: Settings) -> None:
    """Parsed at once, 8 MB of empty lists take 170 MB."""
    body = b"[0,[" + b"[]," * (settings.max_batch_bytes // 3 - 10) + b"[]]]"
    tracemalloc.start()
    try:
        response = client.post("/batch", data=body, content_type=JSON)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert response.status_code == 413
    problem = response.get_json()
    assert (problem["code"], problem["params"]) == ("item_too_large", {"item": 2, "limit": 262_144})
    assert peak < 4 * len(body)


@pytest.mark.parametrize(
    "text",
    [
        " ", "[", "[0", "[0,", "[0 1]", "[0,]", "[,]", "[0]]", "[0] x", "[nul", "[tru]", '["a', '["\\u00"]',
        '["\\', "[1.e]", "[--1]", '[{"a" 1}]', '[{"a":1,}]', "[\x01]", '["\n"]', "[0,\ufeff]",
        "[1" + "0" * 5_000 + "]", '[{"a":1,}, "' + "x" * 300_000 + '"]', "[" + "9" * 262_144 + "1]",
    ],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_a_body_that_is_not_json_is_refused(client: FlaskClient, text: str) -> None:
    response = client.post("/batch", data=text.encode(), content_type=JSON)
    assert (response.status_code, response.get_json()["code"]) == (400, "malformed_json")


@hypothesis.given(
    st.lists(
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers()
            | st.floats(allow_nan=False, allow_infinity=False)
            | st.text(),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        ),
        max_size=8,
    ),
    st.sampled_from([None, 0, 3]),
    st.booleans(),
)
@hypothesis.settings(max_examples=60, deadline=None, database=None, derandomize=True)
@pytest.mark.long
def test_the_items_of_an_array_are_those_that_json_reads(
    settings: Settings, items: list[Any], indent: int | None, ascii_only: bool
) -> None:
    body = json.dumps(items, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    batch = Batch(body, JSON, settings)
    assert [json.loads(item) for _, item in batch] == items
    assert [number for number, _ in batch] == list(range(1, len(items) + 1))
    again = Batch(batch.text().encode("utf-8", "surrogateescape"), JSON, settings)
    assert list(again) == list(batch)


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
    assert found[2]["answer"]["summary"]["complete"]
    lines = bundled_client.post("/batch", data=content[NDJSON]["example"].encode(), content_type=NDJSON)
    assert [json.loads(line) for line in lines.data.splitlines()] == found


@pytest.mark.process
def test_the_work_stops_when_the_client_disconnects(data: Path) -> None:
    """A batch for a minute, of which one answer is read."""
    lines = "\n".join(
        json.dumps({"tiles": [], "rack": "CABDEFE", "top_n": 200, "seed": number}) for number in range(9_000)
    ).encode()
    with running(data, KIBITZ_CACHE_BYTES="0") as server:
        connection = server.connect()
        connection.request("POST", "/batch", lines, {"Content-Type": NDJSON})
        response = connection.getresponse()
        assert json.loads(response.readline())["status"] == 200
        response.close()
        connection.close()

        def stopped() -> bool:
            before = server.metric("kibitz_answers_total")
            time.sleep(0.3)
            return server.metric("kibitz_answers_total") == before

        wait_until(stopped)
        assert server.metric("kibitz_answers_total") < 9_000


@pytest.mark.process
def test_a_client_that_does_not_read_holds_no_search_slot(data: Path) -> None:
    """The answer is larger than any buffer; the next client finds the slot free."""
    line = json.dumps({**RACK, "top_n": 200, "include_exchanges": True})
    body = "\n".join([line] * 2_000).encode()
    with running(data, KIBITZ_SEARCHES="1") as server:
        head = (
            "POST /batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall(head.encode() + body)
            assert connection.recv(12) == b"HTTP/1.1 200"
            wait_until(lambda: server.ask("POST", "/games/annotate", GAME)[0] == 200)
            assert server.metric("kibitz_answers_total") < 2_000, "the batch waits for its client"
