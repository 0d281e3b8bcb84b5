"""A repeated request: the answer comes from the cache with the same bytes, and is validated again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from service.app import create_app
from service.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

BODY = json.dumps({"rows": ["." * 15] * 15, "rack": "ADDEFS?", "top_n": 3}).encode()
JSON = "application/json"


@pytest.fixture
def own(data: Path) -> Flask:
    return create_app(Settings(data=data, lexicon="small", log_level="error"))


@pytest.mark.parametrize(
    "other",
    [
        BODY,
        BODY + b" ",
        b"\r\n\t" + BODY.replace(b", ", b" ,\n"),
        json.dumps(dict(reversed(json.loads(BODY).items()))).encode(),
        BODY.replace(b"rack", b"\\u0072ack").replace(b"ADDEFS?", b"A\\u0044DEFS\\u003F"),
        json.dumps({"tiles": [], "rack": "?SFEDDA", "top_n": 3}).encode(),
    ],
)
def test_requests_that_mean_the_same_share_the_answer(own: Flask, other: bytes) -> None:
    client = own.test_client()
    first = client.post("/analyze", data=BODY, content_type=JSON)
    again = client.post("/analyze", data=other, content_type=JSON, headers={"X-Request-ID": "mine"})
    assert (again.status_code, again.data) == (200, first.data)
    assert again.headers["X-Request-ID"] == "mine"
    own_headers = {"X-Request-ID", "Server-Timing"}
    headers = [[pair for pair in one.headers if pair[0] not in own_headers] for one in (first, again)]
    assert headers[0] == headers[1]
    assert 'cache;desc="miss"' in first.headers["Server-Timing"]
    assert 'cache;desc="hit"' in again.headers["Server-Timing"]


@pytest.mark.parametrize(
    ("like", "status", "code"),
    [
        (b'"top_n": 3, "top_n": 3', 400, "duplicate_key"),
        (b'"top_n": 3.0', 422, "wrong_type"),
        (b'"top_n": 3e0', 422, "wrong_type"),
        (b'"top_n": true', 422, "wrong_type"),
        (b'"top_n": "3"', 422, "wrong_type"),
        (b'"top_n": null', 422, "wrong_type"),
        (b'"top_n": 18446744073709551619', 422, "out_of_range"),
        (b'"top_n": NaN', 400, "malformed_json"),
        (b'"top_n": 1e400', 422, "wrong_type"),
        (b'"top_n": 3, "\\ud800": 1', 400, "malformed_json"),
        (b'"top_n": 3, "x": ' + b"[" * 40 + b"]" * 40, 400, "too_deep"),
        (b'"top_n": 3}', 400, "malformed_json"),
        (b'"top_n": -0', 422, "out_of_range"),
    ],
)
def test_what_only_looks_like_an_answered_request_is_refused(
    own: Flask, like: bytes, status: int, code: str
) -> None:
    client = own.test_client()
    assert client.post("/analyze", data=BODY, content_type=JSON).status_code == 200
    for _ in range(2):
        refused = client.post("/analyze", data=BODY.replace(b'"top_n": 3', like), content_type=JSON)
        assert (refused.status_code, refused.get_json()["code"]) == (status, code)


def test_an_answer_that_left_the_cache_is_computed_again(data: Path) -> None:
    own = create_app(Settings(data=data, lexicon="small", log_level="error", cache_bytes=0))
    client = own.test_client()
    first, again = (client.post("/analyze", data=BODY, content_type=JSON) for _ in range(2))
    assert again.data == first.data
    assert 'cache;desc="miss"' in again.headers["Server-Timing"]


def test_a_cached_answer_is_not_for_a_request_that_would_be_refused(data: Path) -> None:
    own = create_app(
        Settings(data=data, lexicon="small", log_level="error", host="0.0.0.0", rate_per_minute=2)
    )
    client = own.test_client()
    assert client.post("/analyze", data=BODY, content_type=JSON).status_code == 200
    assert client.post("/analyze", data=BODY, content_type="text/plain").status_code == 415
    assert client.post("/analyze", data=BODY, content_type=JSON).status_code == 429


def test_faults_are_the_same_every_time(own: Flask) -> None:
    client = own.test_client()
    for body in (b"{", b"[]", b'{"rack": "A"}', BODY.replace(b"ADDEFS?", b"1")):
        first, again = (client.post("/analyze", data=body, content_type=JSON) for _ in range(2))
        assert first.status_code == again.status_code >= 400
        assert first.get_json()["errors"] == again.get_json()["errors"]
