"""Warnings about a lexicon of a record or a CGP that is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from service.resources.examples import GAMES
from tests.service.analyze_requests import ask, codes

if TYPE_CHECKING:
    from flask.testing import FlaskClient

CAB = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 ADDEFS?/ 0/14 0"
ABSENT = CAB + " lex CSW99;"
RECORD = GAMES["game"]["value"]["gcg"]
WARNING = {
    "code": "lexicon_not_installed",
    "params": {"named": "CSW99", "used": "small"},
    "detail": "the lexicon CSW99 is not installed; the words are those of small",
}


@pytest.mark.parametrize(
    ("path", "options"),
    [("/analyze", {}), ("/hints", {}), ("/leaves", {"racks": ["AB"]}), ("/play", {"move": "-"})],
)
def test_the_default_lexicon_replaces_one_that_is_not_installed(
    client: FlaskClient, path: str, options: dict[str, Any]
) -> None:
    plain = ask(client, path, cgp=CAB, **options)
    assert plain["warnings"] == []
    warned = ask(client, path, cgp=ABSENT, **options)
    assert warned == plain | {"warnings": [WARNING]}
    named = ask(client, path, cgp=ABSENT, lexicon="small", **options)
    assert named == plain, "who names a lexicon is not warned of another"
    missing = client.post(path, json={"cgp": CAB, "lexicon": "CSW99", **options})
    assert (missing.status_code, codes(missing)) == (404, [("/lexicon", "unknown_lexicon")])


def test_an_unknown_operation_is_ignored_with_a_warning(client: FlaskClient) -> None:
    plain = ask(client, "/analyze", cgp=f"{CAB} gid 17;")
    assert plain["warnings"] == []
    warned = ask(client, "/analyze", cgp=f"{CAB} colour red; mood;")
    assert warned["moves"] == plain["moves"]
    assert [(one["code"], one["params"]) for one in warned["warnings"]] == [
        ("unknown_operation", {"name": "colour"}),
        ("unknown_operation", {"name": "mood"}),
    ]


@pytest.mark.parametrize("path", ["/analyze", "/hints"])
def test_a_query_is_warned_too_and_has_a_tag_of_its_own(client: FlaskClient, path: str) -> None:
    plain, warned = (client.get(path, query_string={"cgp": cgp}) for cgp in (CAB, ABSENT))
    assert [one.get_json()["warnings"] for one in (plain, warned)] == [[], [WARNING]]
    assert plain.headers["ETag"] != warned.headers["ETag"]


def test_a_record_is_played_by_what_is_installed(client: FlaskClient) -> None:
    plain = ask(client, "/analyze", gcg=RECORD, turn=2)
    assert plain["warnings"] == []
    gcg = "#lexicon CSW99\n#tile-distribution Klingon\n#board-layout Round\n" + RECORD
    warned = ask(client, "/analyze", gcg=gcg, turn=2)
    assert [item["code"] for item in warned["warnings"]] == [
        "lexicon_not_installed", "unknown_tile_set", "unknown_board",
    ]  # fmt: skip
    assert [item["params"] for item in warned["warnings"]] == [
        WARNING["params"], {"line": 2, "name": "Klingon"}, {"line": 3, "name": "Round"},
    ]  # fmt: skip
    assert warned | {"warnings": []} == plain


def test_words_are_never_judged_by_another_lexicon(client: FlaskClient) -> None:
    """Neither does the answer say so, nor is it what was asked."""
    judged = client.post("/words/judge", json={"cgp": ABSENT, "play": "8G ...S"})
    assert (judged.status_code, codes(judged)) == (404, [("/cgp", "unknown_lexicon")])
    recorded = {"gcg": "#lexicon CSW99\n" + RECORD, "turn": 2, "play": "7C DEFO"}
    assert client.post("/words/judge", json=recorded).status_code == 404
    assert client.post("/words/judge", json=recorded | {"lexicon": "small"}).status_code == 200


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("/analyze", {}),
        ("/hints", {}),
        ("/leaves", {"racks": ["AB"]}),
        ("/play", {"move": "-"}),
        ("/games/annotate", {}),
    ],
)
def test_a_warning_is_in_the_language_of_the_reader(
    client: FlaskClient, path: str, options: dict[str, Any]
) -> None:
    position = {"gcg": "#lexicon CSW99\n" + RECORD} if path == "/games/annotate" else {"cgp": ABSENT}
    response = client.post(path, json={**position, **options}, headers={"Accept-Language": "fr"})
    (warning,) = response.get_json()["warnings"]
    assert warning["code"] == WARNING["code"]
    assert warning["params"] == WARNING["params"]
    assert warning["detail"] == "le lexique CSW99 n'est pas installé ; les mots sont ceux de small"
    assert response.headers["Content-Language"] == "fr"
    assert "Accept-Language" in response.headers["Vary"]


def test_a_warning_of_analyze_is_in_the_language_asked_for(client: FlaskClient) -> None:
    def detail(**body: Any) -> str:
        (warning,) = ask(client, "/analyze", **body)["warnings"]
        return str(warning["detail"])

    assert detail(cgp=ABSENT, lang="de").startswith("das Wörterbuch CSW99 ist nicht installiert")
    assert detail(cgp=ABSENT) == WARNING["detail"], "the cache keeps languages apart"
    model = {"method": "monte_carlo", "iterations": 10, "opponent_model": "bayes"}
    assert detail(cgp=CAB, simulate=model, lang="pl").startswith("pozycja nie podaje ostatniego ruchu")
    assert detail(cgp=CAB, simulate=model).startswith("the position names no last move")
    batch = client.post("/batch", json=[{"cgp": ABSENT, "lang": "es"}]).get_json()
    assert batch[0]["answer"]["warnings"][0]["detail"].startswith("el léxico CSW99 no está instalado")


def test_the_faults_of_an_annotated_record_are_in_the_language_of_the_reader(client: FlaskClient) -> None:
    record = RECORD.replace("#player1", "#board-layout Round\n#player1", 1)

    def details(language: str) -> list[str]:
        answer = ask(client, "/games/annotate", gcg=record, lang=language)
        return [fault["detail"] for fault in answer["game"]["faults"]]

    assert details("en")
    assert all(one != other for one, other in zip(details("en"), details("cs"), strict=True))
