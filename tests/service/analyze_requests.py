"""Requests that several modules of tests send, most to /analyze, and what they read of the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

OPENING = {"tiles": [], "rack": "CABDEFE"}
CAB = ["." * 15] * 7 + ["......CAB......"] + ["." * 15] * 7
CAB_CGP = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 ADDEFS?/ 0/14 0"


def post(client: FlaskClient, **body: Any) -> TestResponse:
    return client.post("/analyze", json=body)


def ask(client: FlaskClient, path: str, **body: Any) -> dict[str, Any]:
    response = client.post(path, json=body)
    assert response.status_code == 200, response.text
    result: dict[str, Any] = response.get_json()
    return result


def answer(client: FlaskClient, **body: Any) -> dict[str, Any]:
    return ask(client, "/analyze", **body)


def codes(response: TestResponse) -> list[tuple[str, str]]:
    assert response.content_type == "application/problem+json"
    return [(error["pointer"], error["code"]) for error in response.get_json()["errors"]]
