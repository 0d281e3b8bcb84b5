"""/messages/LANGUAGE: the words of the page over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import LANGUAGES

if TYPE_CHECKING:
    from flask.testing import FlaskClient


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_of_a_language_are_sent_and_cached(client: FlaskClient, language: str) -> None:
    answer = client.get(f"/messages/{language}")
    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["language"] == language
    assert answer.headers["Content-Language"] == language
    again = client.get(f"/messages/{language}", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_an_unknown_language_is_not_found(client: FlaskClient) -> None:
    answer = client.get("/messages/tlh")
    assert answer.status_code == 404
    assert answer.json is not None
    assert answer.json["code"] == "not_found"
