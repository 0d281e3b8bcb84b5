"""Headers for browsers: security headers, and CORS for the origins in the settings."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest

from service.app import create_app
from service.keys import new_key
from tests.service.test_keys import write_keys

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient
    from werkzeug.datastructures import Headers

    from service.settings import Settings

PICTURE = "/board.svg?cgp=" + "/".join(["15"] * 15) + " / 0/0 0"
BODY = {"tiles": [], "rack": "CABDEFE"}


def headers_of(settings: Settings, origins: tuple[str, ...], **headers: str) -> Headers:
    client = create_app(replace(settings, cors_origins=origins)).test_client()
    return client.get("/version", headers=headers).headers


@pytest.mark.parametrize(("method", "path"), [("GET", "/version"), ("GET", "/nowhere"), ("POST", "/analyze")])
def test_every_answer_has_the_security_headers(client: FlaskClient, method: str, path: str) -> None:
    headers = client.open(path, method=method, data="x" if method == "POST" else None).headers
    assert headers.getlist("X-Content-Type-Options") == ["nosniff"]
    assert headers.getlist("Cross-Origin-Resource-Policy") == ["same-origin"]
    assert headers.getlist("Referrer-Policy") == ["no-referrer"]
    assert headers.getlist("X-Frame-Options") == ["DENY"]
    assert headers.getlist("Content-Security-Policy") == ["default-src 'none'; frame-ancestors 'none'"]
    assert "Access-Control-Allow-Origin" not in headers


def test_the_id_of_a_request_is_the_callers_if_it_is_plain(client: FlaskClient) -> None:
    for given in ("mine", "a.b_c:d-9", "x" * 64):
        headers = client.get("/version", headers={"X-Request-ID": given}).headers
        assert headers.getlist("X-Request-ID") == [given]
    for given in ("", "x" * 65, "a b", 'a"b', "ä", "a\tb"):
        answer = client.get("/nowhere", headers={"X-Request-ID": given})
        assert len(answer.headers["X-Request-ID"]) == 32
        assert answer.get_json()["request_id"] == answer.headers["X-Request-ID"]


def test_a_view_may_set_a_header_itself(client: FlaskClient) -> None:
    headers = client.get(PICTURE).headers
    assert headers.getlist("Cross-Origin-Resource-Policy") == ["cross-origin"], "any page may show the image"
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/", "/judge", "/topping", "/puzzles", "/editor", "/docs", "/kibitz-board.js", PICTURE]
)
def test_an_unchanged_page_has_its_headers_again(client: FlaskClient, path: str) -> None:
    first = client.get(path).headers
    second = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert second.status_code == 304
    for name in ("Content-Security-Policy", "Cross-Origin-Resource-Policy"):
        assert second.headers[name] == first[name], "a browser replaces the headers that it has stored"


@pytest.mark.long
def test_pages_of_listed_origins_may_read_answers(settings: Settings) -> None:
    listed = ("https://a.example", "http://localhost:3000")
    headers = headers_of(settings, listed, Origin="https://a.example")
    assert headers["Access-Control-Allow-Origin"] == "https://a.example"
    assert "Origin" in headers["Vary"]
    assert "Access-Control-Allow-Credentials" not in headers
    exposed = set(headers["Access-Control-Expose-Headers"].split(", "))
    assert {"ETag", "Location", "RateLimit", "Retry-After", "Server-Timing", "X-Request-ID"} <= exposed
    for other in (
        "https://b.example",
        "null",
        "https://a.example.evil",
        "http://a.example",
        "https://axexample",
    ):
        assert "Access-Control-Allow-Origin" not in headers_of(settings, listed, Origin=other)
    assert headers_of(settings, ("*",), Origin="null")["Access-Control-Allow-Origin"] == "*"


def test_a_preflight_needs_no_key_and_a_refusal_can_be_read(settings: Settings, tmp_path: Path) -> None:
    keys = write_keys(tmp_path / "keys", new_key("ann")[1])
    origins = ("https://a.example",)
    guarded = replace(settings, cors_origins=origins, api_keys=keys, require_key=True, rate_per_minute=1)
    client = create_app(guarded).test_client()
    asked = {
        "Origin": "https://a.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "Authorization, Content-Type",
    }
    for _ in range(3):
        response = client.options("/analyze", headers=asked)
        assert response.status_code == 200
        assert "Authorization" in response.headers["Access-Control-Allow-Headers"]
        assert "POST" in response.headers["Access-Control-Allow-Methods"]
    for status in (401, 429):
        refused = client.post("/analyze", json=BODY, headers={"Origin": "https://a.example"})
        assert refused.status_code == status
        assert refused.headers["Access-Control-Allow-Origin"] == "https://a.example"


def test_the_page_can_be_installed(client: FlaskClient) -> None:
    page = client.get("/")
    assert "manifest-src 'self'" in page.headers["Content-Security-Policy"]
    found = re.search('rel="manifest" href="([^"]+)"', page.text)
    assert found is not None
    manifest = client.get(found[1], buffered=True)
    assert manifest.mimetype == "application/manifest+json"
    assert client.get(manifest.json["start_url"]).status_code == 200  # type: ignore[index]
    for icon in manifest.json["icons"]:  # type: ignore[index]
        answer = client.get(urljoin(found[1], icon["src"]), buffered=True)
        assert answer.mimetype == icon["type"]
