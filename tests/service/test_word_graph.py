"""/lexicons/{lexicon}/graph: all words, for programs that look them up by themselves."""

from __future__ import annotations

import sys
from base64 import b64decode
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine.lexicon.word_lists.word_graph import graph_entries, graph_nodes
from service.app import create_app
from service.operations import lexicons
from service.state import state

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from engine import Lexicon
    from service.settings import Settings

PATH = "/lexicons/small/graph"


def test_it_has_all_words_and_no_others(client: FlaskClient, lexicon: Lexicon) -> None:
    answer = client.get(PATH).get_json()
    assert answer["lexicon"] == {"id": "small", "sha256": lexicon.sha256}
    assert answer["tiles"] == list(lexicon.tile_set.alphabet.letters)
    entries = graph_entries(graph_nodes(b64decode(answer["graph"], validate=True)))
    assert [bytes(row[row > 0] - 1) for row in entries] == sorted(lexicon.words())
    assert answer["word_count"] == len(entries)


def test_a_client_that_has_it_is_sent_nothing(client: FlaskClient) -> None:
    first = client.get(PATH)
    again = client.get(PATH, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert first.headers["Cache-Control"] == "no-cache"


def test_it_is_made_once_in_a_slot_for_searches(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(replace(settings, searches=1))
    client = app.test_client()
    with app.app_context(), state().searches.slot():
        refused = client.get(PATH)
    assert (refused.status_code, refused.get_json()["code"]) == (503, "busy")
    first = client.get(PATH)
    assert first.status_code == 200
    monkeypatch.setattr(lexicons, "dump_graph", lambda _: pytest.fail("it is cached"))
    assert client.get(f"/v1{PATH}").data == first.data


def test_more_words_than_a_graph_can_hold_are_refused(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The package has a function of the module's name.
    monkeypatch.setattr(sys.modules["engine.lexicon.word_lists.word_graph"], "MAX_NODES", 10)
    refused = create_app(settings).test_client().get(PATH)
    assert (refused.status_code, refused.get_json()["code"]) == (422, "graph_too_large")
    assert "10 nodes" in refused.get_json()["detail"]


def test_an_unknown_lexicon_is_named(client: FlaskClient) -> None:
    answer = client.get("/lexicons/nothing/graph")
    assert (answer.status_code, answer.get_json()["code"]) == (404, "unknown_lexicon")
