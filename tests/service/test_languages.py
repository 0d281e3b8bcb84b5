"""Errors and hints over HTTP in the language of their reader."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from engine import LANGUAGES
from tests.service.analyze_requests import CAB_CGP

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

OTHERS = [language for language in LANGUAGES if language != "en"]
TWO_FAULTS = {"cgp": CAB_CGP, "rack": "ABC4", "lexicon": "none"}
DETAILS = {
    "es": "en el atril, «4» no es una ficha de este juego",
    "fr": "dans le tirage, « 4 » n'est pas une lettre de ce jeu",
    "de": "in der Bank: „4“ ist kein Stein dieses Satzes",
    "pl": "na stojaku: „4” nie jest płytką tego zestawu",
    "cs": "v zásobníku: „4“ není kámen této sady",
}


def bad_rack(client: FlaskClient, accept: str = "", **body: Any) -> TestResponse:
    headers = {"Accept-Language": accept} if accept else {}
    return client.post("/analyze", json={"cgp": CAB_CGP, "rack": "ABC4", **body}, headers=headers)


@pytest.mark.parametrize("language", OTHERS)
def test_an_error_has_the_accepted_language(client: FlaskClient, language: str) -> None:
    english, other = bad_rack(client), bad_rack(client, language)
    assert (english.headers["Content-Language"], other.headers["Content-Language"]) == ("en", language)
    assert "Accept-Language" in english.vary
    first, second = english.get_json(), other.get_json()
    assert first["detail"] == "in the rack, '4' is not a tile of this tile set"
    assert second["detail"] == second["errors"][0]["detail"] == DETAILS[language]
    assert second["title"] != first["title"]
    words = {"title", "detail", "errors", "request_id"}
    assert {k: v for k, v in first.items() if k not in words} == {
        k: v for k, v in second.items() if k not in words
    }


def test_lang_goes_before_accept_language(client: FlaskClient) -> None:
    assert bad_rack(client, "fr", lang="pl").get_json()["detail"] == DETAILS["pl"]
    query = {"cgp": CAB_CGP, "rack": "ABC4", "lang": "cs"}
    found = client.get("/analyze", query_string=query, headers={"Accept-Language": "fr"})
    assert found.headers["Content-Language"] == "cs"


@pytest.mark.parametrize("accept", ["it", "*", "en, pl", "tlh, en;q=0.5"])
def test_a_reader_of_no_known_language_gets_english(client: FlaskClient, accept: str) -> None:
    assert bad_rack(client, accept).headers["Content-Language"] == "en"


def test_faults_of_the_form_of_a_request_are_translated(client: FlaskClient) -> None:
    body = {"cgp": CAB_CGP, "top": 3, "top_n": "x", "sort": "no"}
    found = client.post("/analyze", json=body, headers={"Accept-Language": "de"}).get_json()
    assert found["detail"] == "die Anfrage hat 3 Fehler"
    assert {error["code"]: error["detail"].split(";")[0].split(" von ")[0] for error in found["errors"]} == {
        "unknown_field": "dieses Feld gibt es nicht",
        "wrong_type": "erwartet wird eine ganze Zahl, nicht ein Text",
        "unknown_choice": "muss eines",
    }
    broken = client.post(
        "/analyze", data="{", content_type="application/json", headers={"Accept-Language": "fr"}
    )
    assert broken.get_json()["detail"].startswith("le corps n'est pas du JSON")


def test_an_unknown_lexicon_and_an_unknown_path_are_translated(client: FlaskClient) -> None:
    headers = {"Accept-Language": "es"}
    found = client.post("/analyze", json={"cgp": CAB_CGP, "lexicon": "smal"}, headers=headers).get_json()
    assert found["detail"].startswith("no existe el léxico «smal»; conocidos: ")
    assert "¿quería decir small?" in found["detail"]
    assert client.get("/no-such-path", headers=headers).get_json()["title"] == "No encontrado"


def test_an_item_of_a_batch_has_its_own_language(client: FlaskClient) -> None:
    items = [{"cgp": CAB_CGP, "rack": "ABC4", **more} for more in ({}, {"lang": "pl"}, {"lang": "xx"})]
    response = client.post(
        "/batch",
        data="\n".join(map(json.dumps, items)),
        content_type="application/x-ndjson",
        headers={"Accept-Language": "de"},
    )
    first, second, third = [json.loads(line)["problem"] for line in response.text.splitlines()]
    assert (first["detail"], second["detail"]) == (DETAILS["de"], DETAILS["pl"])
    assert third["code"] == "unknown_choice"


def test_why_a_move_is_illegal_is_in_the_language_of_the_reader(client: FlaskClient) -> None:
    headers = {"Accept-Language": "pl"}
    touches = "zagranie nie styka się z żadną płytką na planszy"
    body = {"cgp": CAB_CGP, "compare": ["1A FADED"]}
    compared = client.post("/analyze", json=body, headers=headers)
    assert compared.get_json()["compare"][0]["fault"]["detail"] == touches
    assert compared.headers["Content-Language"] == "pl"
    english = client.post("/analyze", json=body).get_json()["compare"][0]["fault"]
    assert english["detail"] == "the play touches no tile on the board"
    played = client.post("/play", json={"cgp": CAB_CGP, "move": "1A FADED"}, headers=headers)
    assert played.get_json()["fault"]["detail"] == touches
    assert played.headers["Content-Language"] == "pl"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_is_in_the_language_of_the_reader(client: FlaskClient, language: str) -> None:
    body = {"cgp": CAB_CGP, "level": 5, "evaluator": "greedy"}
    found = client.post("/hints", json=body, headers={"Accept-Language": language})
    hint = found.get_json()
    assert found.headers["Content-Language"] == hint["lang"] == language
    assert len(hint["sentences"]) == 5
    same = client.post("/hints", json={**body, "lang": language}).get_json()
    assert same["sentences"] == hint["sentences"]
    if language != "en":
        english = client.post("/hints", json=body).get_json()
        assert not set(hint["sentences"]) & set(english["sentences"])
        assert {**english, "lang": "", "sentences": []} == {**hint, "lang": "", "sentences": []}


def test_by_get_the_tag_of_a_hint_differs_by_language(client: FlaskClient) -> None:
    query = {"cgp": CAB_CGP, "evaluator": "greedy"}
    english = client.get("/hints", query_string=query)
    polish = client.get("/hints", query_string=query, headers={"Accept-Language": "pl"})
    assert english.headers["ETag"] != polish.headers["ETag"]
    assert polish.get_json()["sentences"] != english.get_json()["sentences"]
