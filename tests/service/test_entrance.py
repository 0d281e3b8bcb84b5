"""What stands around Flask, and answers that are sent as they stand: the same as if Flask did it all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask, Response
from werkzeug.test import create_environ, run_wsgi_app

from service.entrance import enclose
from service.observability.counts import Counts
from service.observability.requests import request_id
from service.resources.finished import Finished

if TYPE_CHECKING:
    from flask.testing import FlaskClient

ALWAYS = [("X-Frame-Options", "DENY"), ("Content-Security-Policy", "default-src 'none'")]


@pytest.mark.parametrize("method", ["POST", "GET", "HEAD"])
@pytest.mark.parametrize("change", ["none", "etag", "status", "close", "header", "vary"])
def test_a_finished_answer_is_sent_as_any_other(method: str, change: str) -> None:
    usual = Response(b'{"a": 1}', mimetype="application/json")
    usual.headers["Server-Timing"] = "total;dur=1"
    closed = []
    sent = []
    for response in (Finished(b'{"a": 1}', ("Server-Timing", "total;dur=1")), usual):
        if change == "etag":
            response.set_etag("tag")
        elif change == "status":
            response.status_code = 304
        elif change == "close":
            response.call_on_close(lambda: closed.append(1))
        elif change == "header":
            response.headers["Server-Timing"] = "total;dur=2"
            response.headers["Cache-Control"] = "no-cache"
        elif change == "vary":
            response.vary.add("Origin")
        assert response.get_data() == b'{"a": 1}'
        assert (response.content_length, response.mimetype) == (8, "application/json")
        pieces, status, headers = run_wsgi_app(response, create_environ("/", method=method))
        sent.append((b"".join(pieces), status, list(headers)))
        if hasattr(pieces, "close"):
            pieces.close()
    assert sent[0] == sent[1]
    assert len(closed) == 2 * (change == "close")


def test_the_headers_of_an_answer_stand_in_their_order(client: FlaskClient) -> None:
    answer = client.post("/analyze", json={"tiles": [], "rack": "AB"}, headers={"X-Request-ID": "mine"})
    told = list(answer.headers)
    assert [name for name, _ in told][:5] == [
        "Content-Type", "Content-Length", "Server-Timing", "X-Request-ID", "X-Content-Type-Options",
    ]  # fmt: skip
    assert told[:2] == [("Content-Type", "application/json"), ("Content-Length", str(len(answer.data)))]
    assert answer.headers.getlist("X-Request-ID") == ["mine"]
    assert len(told) == len({name for name, _ in told})


@pytest.fixture
def counts() -> Counts:
    counts = Counts("1")
    counts.begin([])
    return counts


def under_way(counts: Counts) -> float:
    found = re.search(rb"(?m)^kibitz_requests_in_flight (.*)$", counts.told()[0])
    assert found
    return float(found[1])


def test_every_request_is_counted_while_it_is_answered(counts: Counts) -> None:
    app = Flask("own")
    seen: list[float] = []

    @app.get("/")
    def look() -> str:
        seen.append(under_way(counts))
        return request_id()

    enclose(app, counts, ALWAYS)
    client = app.test_client()
    first = client.get("/", headers={"X-Request-ID": "mine"})
    assert (first.text, first.headers["X-Request-ID"]) == ("mine", "mine")
    assert client.get("/none").status_code == 404
    assert seen == [1.0]
    assert under_way(counts) == 0

    def fail(*_: Any) -> Any:
        raise ValueError("ours")

    app.wsgi_app = fail  # type: ignore[method-assign]
    enclose(app, counts, ALWAYS)
    with pytest.raises(ValueError, match="ours"):
        client.get("/")
    assert under_way(counts) == 0


def test_what_an_answer_brings_itself_stays(counts: Counts) -> None:
    app = Flask("own")

    @app.get("/")
    def look() -> tuple[str, dict[str, str]]:
        return "", {"Content-Security-Policy": "default-src 'self'"}

    enclose(app, counts, ALWAYS)
    headers = app.test_client().get("/").headers
    assert headers.getlist("Content-Security-Policy") == ["default-src 'self'"]
    assert headers.getlist("X-Frame-Options") == ["DENY"]
