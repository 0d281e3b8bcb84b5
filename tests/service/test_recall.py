"""The same bytes twice: the second answer is found without reading them again, and nobody can tell."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import marshmallow as ma
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.app import create_app
from service.cache import Known, KnownRequests, MemoryStore
from service.resources import analyze
from service.schemas.analyze import AnalyzeBody
from service.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from engine import Lexicon

BODY = json.dumps({"rows": ["." * 15] * 15, "rack": "ADDEFS?", "top_n": 3}).encode()
JSON = "application/json"


@pytest.fixture
def own(data: Path) -> Flask:
    return create_app(Settings(data=data, lexicon="small", log_level="error"))


def test_bytes_and_headers_are_the_same(own: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    client = own.test_client()
    first = client.post("/analyze", data=BODY, content_type=JSON)

    def refuse(*_: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr(analyze, "_read", refuse)
    again = client.post("/analyze", data=BODY, content_type=JSON, headers={"X-Request-ID": "mine"})
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.headers["X-Request-ID"] == "mine"
    own_headers = {"X-Request-ID", "Server-Timing"}
    kept = [[pair for pair in one.headers if pair[0] not in own_headers] for one in (first, again)]
    assert kept[0] == kept[1]
    timing = dict(re.findall(r"(\w+);dur=([0-9.]+)", again.headers["Server-Timing"]))
    assert 'cache;desc="hit"' in again.headers["Server-Timing"]
    assert float(timing["board"]) == float(timing["gen"]) == float(timing["eval"]) == 0
    assert 0 < float(timing["total"]) < 1000


def test_other_bytes_for_the_same_request_share_the_answer(own: Flask) -> None:
    client = own.test_client()
    first = client.post("/analyze", data=BODY, content_type=JSON)
    other = client.post("/analyze", data=BODY + b" ", content_type=JSON)
    assert other.data == first.data
    assert 'cache;desc="hit"' in other.headers["Server-Timing"]


def test_the_guards_still_stand_before_it(data: Path) -> None:
    own = create_app(
        Settings(data=data, lexicon="small", log_level="error", host="0.0.0.0", rate_per_minute=2)
    )
    client = own.test_client()
    assert client.post("/analyze", data=BODY, content_type=JSON).status_code == 200
    assert client.post("/analyze", data=BODY, content_type="text/plain").status_code == 415
    assert client.post("/analyze", data=BODY, content_type=JSON).status_code == 429


def test_a_lost_answer_is_computed_again(data: Path) -> None:
    store = MemoryStore(1 << 20)
    own = create_app(Settings(data=data, lexicon="small", log_level="error"), store=store)
    client = own.test_client()
    first = client.post("/analyze", data=BODY, content_type=JSON)
    for key in list(store._entries):
        store._drop(key)
    again = client.post("/analyze", data=BODY, content_type=JSON)
    assert again.data == first.data
    assert 'cache;desc="miss"' in again.headers["Server-Timing"]


def test_faulty_bodies_are_never_remembered(own: Flask) -> None:
    client = own.test_client()
    for body in (b"{", b"[]", b'{"rack": "A"}', BODY.replace(b"ADDEFS?", b"1")):
        first, again = (client.post("/analyze", data=body, content_type=JSON) for _ in range(2))
        assert first.status_code == again.status_code >= 400
        assert first.get_json()["errors"] == again.get_json()["errors"]
    assert len(own.config["ANALYST"]._known) == 0


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bodies=st.lists(st.binary(max_size=6), max_size=30), most=st.integers(1, 8))
def test_the_most_recent_are_remembered(lexicon: Lexicon, bodies: list[bytes], most: int) -> None:
    known = KnownRequests(most)
    recent: list[bytes] = []  # the same by hand, oldest first
    for body in bodies:
        assert (known.find(body) is not None) == (body in recent)
        known.note(body, Known(body.hex(), lexicon))
        recent = [other for other in recent if other != body] + [body]
        recent = recent[-most:]
        assert len(known) == len(recent)
        found = known.find(body)
        assert found is not None
        assert found.key == body.hex()


def test_get_is_read_as_ever(client: FlaskClient) -> None:
    path = "/analyze?cgp=15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 ADDEFS?/ 0/0 0"
    first, again = client.get(path), client.get(path)
    assert first.status_code == again.status_code == 200
    assert first.data == again.data


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    bodies=st.lists(
        st.fixed_dictionaries(
            {"cgp": st.sampled_from(["15/15 A/ 0/0 0", "x", "a\x00", "", "y" * 20_000, 7, None, ["z"]])},
            optional={
                "top_n": st.sampled_from([1, 1.0, True, "1", 200, 201]),
                "rack": st.sampled_from(["A", "A" * 65, 1]),
                "players": st.sampled_from([[{}, {}], [{"rack": "A"}, {}], [{}, {"score": 1}]]),
                "rows": st.just(["." * 15] * 15),
                "other": st.just(1),
            },
        ),
        max_size=6,
    )
)
def test_a_shape_seen_before_is_read_as_if_it_were_new(app: Flask, bodies: list[dict[str, object]]) -> None:
    seasoned = AnalyzeBody()
    with app.test_request_context():
        for body in bodies:
            results = []
            for schema in (seasoned, AnalyzeBody()):
                try:
                    results.append((schema.load(body), None))
                except ma.ValidationError as error:
                    results.append((None, error.messages))
            assert results[0] == results[1]
