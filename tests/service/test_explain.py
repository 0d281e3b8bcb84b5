"""`explain` and the language of its sentences: `lang`, else Accept-Language."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from engine.analysis.explain.replies import RACKS
from service.app import create_app
from tests.service.analyze_requests import CAB_CGP, codes, post

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from service.settings import Settings


def explained(client: FlaskClient, accept: str | None = None, **body: Any) -> TestResponse:
    headers = {} if accept is None else {"Accept-Language": accept}
    response = client.post("/analyze", json={"cgp": CAB_CGP, "explain": True, **body}, headers=headers)
    assert response.status_code == 200, response.text
    return response


def test_an_answer_is_explained_only_if_asked_for(client: FlaskClient) -> None:
    response = post(client, cgp=CAB_CGP)
    assert response.get_json()["explanation"] is None
    assert "Content-Language" not in response.headers
    assert "Accept-Language" not in response.vary
    found = explained(client).get_json()
    assert found["explanation"]["best"]["move"] == found["moves"][0]["move"]
    assert found["explanation"]["ranked_by"] == found["sort"] == "score"
    assert found["provenance"]["seed"] == 1


@pytest.mark.parametrize(
    ("accept", "lang"),
    [
        (None, "en"),
        ("", "en"),
        ("it", "en"),
        ("de-AT", "de"),
        ("*", "en"),
        ("fr", "fr"),
        ("es-MX", "es"),
        ("it, fr;q=0.5, es;q=0.8", "es"),
        ("en;q=0.1, fr-CA", "fr"),
        ("fr;q=0, es-419", "es"),
    ],
)
def test_the_language_is_the_best_accepted_one(client: FlaskClient, accept: str | None, lang: str) -> None:
    response = explained(client, accept)
    assert response.get_json()["explanation"]["lang"] == lang
    assert response.headers["Content-Language"] == lang
    assert "Accept-Language" in response.vary


def test_lang_goes_before_accept_language(client: FlaskClient) -> None:
    response = explained(client, "fr", lang="es")
    assert response.headers["Content-Language"] == response.get_json()["explanation"]["lang"] == "es"


def test_a_cached_answer_has_the_language_of_its_request(client: FlaskClient) -> None:
    body = {"rack": "ADDEFST", "sort": "equity"}
    texts = {lang: explained(client, lang, **body).get_json()["explanation"]["text"] for lang in ("en", "fr")}
    assert texts["en"] != texts["fr"]
    again = explained(client, "fr", **body)
    assert again.get_json()["explanation"]["text"] == texts["fr"]
    assert 'desc="hit"' in again.headers["Server-Timing"]
    assert again.data == explained(client, lang="fr", **body).data


def test_lang_alone_changes_nothing(client: FlaskClient) -> None:
    assert post(client, cgp=CAB_CGP, lang="fr").data == post(client, cgp=CAB_CGP).data


def test_an_unknown_language_is_refused_with_the_known_ones(client: FlaskClient) -> None:
    response = post(client, cgp=CAB_CGP, explain=True, lang="xx")
    assert (response.status_code, codes(response)) == (422, [("/lang", "unknown_choice")])
    assert response.get_json()["errors"][0]["params"] == {"choices": ["en", "es", "fr", "de", "pl", "cs"]}


def test_by_get_the_tag_differs_by_language(client: FlaskClient) -> None:
    query = {"cgp": CAB_CGP, "explain": "true"}
    english = client.get("/analyze", query_string=query)
    french = client.get("/analyze", query_string=query, headers={"Accept-Language": "fr"})
    assert english.headers["ETag"] != french.headers["ETag"]
    assert french.headers["Content-Language"] == "fr"
    assert french.data == explained(client, lang="fr").data
    known = {"Accept-Language": "fr", "If-None-Match": french.headers["ETag"]}
    again = client.get("/analyze", query_string=query, headers=known)
    assert again.status_code == 304
    assert "Accept-Language" in again.vary


def test_the_items_of_a_batch_have_the_language_of_the_batch_or_their_own(client: FlaskClient) -> None:
    items = [{"cgp": CAB_CGP, "explain": True, **more} for more in ({}, {"lang": "en"})]
    lines = "\n".join(map(json.dumps, items))
    response = client.post(
        "/batch", data=lines, content_type="application/x-ndjson", headers={"Accept-Language": "es"}
    )
    answers = [json.loads(line)["answer"] for line in response.text.splitlines()]
    assert [one["explanation"]["lang"] for one in answers] == ["es", "en"]
    assert answers[0] == explained(client, lang="es").get_json()


GCG = "#player1 ann Ann Ek\n#player2 bo Bo Li\n>ann: ABCDEEF 8G BE +8 8\n>bo: ABDEEST 9H BE +10 10\n"


def test_an_annotation_is_explained_in_the_accepted_language(client: FlaskClient) -> None:
    plain = client.post("/games/annotate", json={"gcg": GCG})
    assert plain.headers["Content-Language"] == "en"
    for turn in plain.get_json()["turns"]:
        assert (turn["explanation"], turn["luck"], turn["luck_error"]) == (None, None, None)
    french = client.post(
        "/games/annotate", json={"gcg": GCG, "explain": True}, headers={"Accept-Language": "fr-CH, en;q=0.5"}
    )
    assert french.headers["Content-Language"] == "fr"
    assert "Accept-Language" in french.vary
    document = french.get_json()
    assert document["turns"][0]["explanation"]["lang"] == "fr"
    assert document["turns"][0]["luck"] is not None
    assert document["summary"]["players"][0]["luck_turns"] == 1
    again = client.post("/games/annotate", json={"gcg": GCG, "explain": True, "lang": "fr"})
    assert again.data == french.data


def test_a_plain_record_is_explained_by_the_query(client: FlaskClient) -> None:
    query = {"explain": "true", "lang": "es"}
    headers = {"Accept": "application/x-ndjson"}
    lines = client.post(
        "/games/annotate", data=GCG, content_type="text/plain", query_string=query, headers=headers
    )
    assert lines.headers["Content-Language"] == "es"
    turns = [json.loads(line) for line in lines.text.splitlines()][1:3]
    assert [turn["explanation"]["lang"] for turn in turns] == ["es", "es"]


def test_a_game_in_a_batch_has_the_language_of_the_batch(client: FlaskClient) -> None:
    line = json.dumps({"gcg": GCG, "explain": True})
    response = client.post(
        "/batch", data=line, content_type="application/x-ndjson", headers={"Accept-Language": "fr"}
    )
    found = json.loads(response.text)["answer"]
    assert found["turns"][0]["explanation"]["lang"] == "fr"


def racks(answer: dict[str, Any]) -> int:
    """Return how many racks of the opponent an explanation is based on."""
    count: int = answer["explanation"]["reply_to_pass"]["racks"]
    return count


def test_a_deadline_shortens_an_explanation_which_is_not_cached(client: FlaskClient) -> None:
    for _ in range(2):
        cut = explained(client, max_ms=1, seed=77).get_json()
        assert racks(cut) < RACKS
        assert (cut["provenance"]["stopped_by"], cut["provenance"]["deterministic"]) == ("deadline", False)
    assert racks(explained(client, seed=77).get_json()) == RACKS


@pytest.mark.long
def test_the_server_limits_the_time_of_an_explanation(settings: Settings) -> None:
    """That of one request, and of all items of a batch together, which are answered nevertheless."""
    client = create_app(replace(settings, sync_ms=1)).test_client()
    assert racks(explained(client).get_json()) < RACKS
    items = [{"cgp": CAB_CGP, "explain": True, "seed": seed} for seed in range(3)]
    answers = client.post("/batch", json=items).get_json()
    assert all(racks(item["answer"]) < RACKS for item in answers)
