"""/lexicons/{lexicon}/cards and /quiz/reviews: cards as `kibitz quiz` asks them, and when they come again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from engine import (
    CARD_RATINGS,
    CardProgress,
    WordQuery,
    card_scheduler,
    flash_card,
    questions,
    reviewed_card,
)
from tests.service.analyze_requests import ask, codes

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from engine import Lexicon

CARDS = "/lexicons/small/cards"
CARD = {
    "due": "2026-01-08T12:00:00Z", "last_review": "2026-01-05T12:00:00Z", "stability": 3.2, "difficulty": 5.0,
    "correct": 2, "incorrect": 0, "streak": 2,
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "conditions"),
    [
        ("beginnings", {"max_length": 2}),
        ("hooks", {"min_length": 3, "max_length": 3, "includes": "Q"}),
        ("anagrams", {"min_length": 5, "max_length": 5, "max_rank": 60, "sort": "probability"}),
    ],
)
def test_the_pages_together_have_the_cards_of_a_quiz(
    client: FlaskClient, lexicon: Lexicon, kind: str, conditions: dict[str, Any]
) -> None:
    query = WordQuery.from_text(lexicon.tile_set.alphabet, **conditions)
    expected = list(questions(lexicon, kind, query))
    found: dict[str, list[str]] = {}
    body = {"kind": kind, "limit": 7, **conditions}
    while body.get("cursor", "") is not None:
        page = ask(client, CARDS, **body)
        found.update({card["question"]: card["answers"] for card in page["cards"]})
        body["cursor"] = page["cursor"]
    assert list(found) == expected
    spelled = lexicon.tile_set.alphabet.word
    for question, answers in found.items():
        assert answers == [spelled(word) for word in flash_card(lexicon, question).answers]


def test_given_questions_are_answered_in_their_order(client: FlaskClient) -> None:
    page = ask(client, CARDS, questions=["tac", "_AB_", "A?", "QQ"])
    cards = page["cards"]
    assert [(card["question"], card["kind"]) for card in cards] == [
        ("ACT", "anagrams"), ("_AB_", "hooks"), ("A?", "beginnings"), ("QQ", "anagrams"),
    ]  # fmt: skip
    assert (cards[0]["answers"], cards[3]["answers"]) == (["ACT", "CAT"], [])
    assert (page["total"], page["cursor"]) == (None, None)
    refused = client.post(CARDS, json={"questions": ["CAT", "C4T"]})
    assert (refused.status_code, codes(refused)) == (422, [("/questions/1", "unknown_letter")])
    many = client.post(CARDS, json={"questions": ["CAT"] * 101})
    assert codes(many) == [("/questions", "out_of_range")]


def test_a_card_comes_again_as_the_command_would_ask_it(client: FlaskClient) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    given = [{"card": CARD, "rating": rating} for rating in CARD_RATINGS]
    found = ask(client, "/quiz/reviews", reviews=[*given, {"rating": "good"}])["cards"]
    times = {name: datetime.fromisoformat(CARD[name]) for name in ("due", "last_review")}
    known = CardProgress(**{**CARD, **times})
    for rating, card in zip(CARD_RATINGS, found, strict=False):
        at = datetime.fromisoformat(card["last_review"])
        assert timedelta(0) <= at - now < timedelta(minutes=5)
        expected = reviewed_card(card_scheduler(), known, rating, at)
        assert datetime.fromisoformat(card["due"]) == expected.due
        assert (card["stability"], card["difficulty"]) == (expected.stability, expected.difficulty)
    assert [card["due"] for card in found[:4]] == sorted({card["due"] for card in found[:4]})
    assert [(card["correct"], card["incorrect"], card["streak"]) for card in found] == [
        (2, 1, -1), (3, 0, 3), (3, 0, 3), (3, 0, 3), (1, 0, 1),
    ]  # fmt: skip
    again = ask(client, "/quiz/reviews", reviews=[{"card": card, "rating": "good"} for card in found])
    assert len(again["cards"]) == 5, "what comes out can go in again"


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"due": "0001-01-01T00:00:00+14:00"}, "/due", "out_of_range"),
        ({"due": "9999-12-31T23:59:59-14:00"}, "/due", "out_of_range"),
        ({"due": "\u0662026-01-01"}, "/due", "invalid_time"),
        ({"due": ""}, "/due", "invalid_time"),
        ({"due": 5}, "/due", "wrong_type"),
        ({"due": None}, "/due", "wrong_type"),
        ({"stability": 0}, "/stability", "out_of_range"),
        ({"stability": None}, "", "bad_card"),
        ({"difficulty": 1e99}, "/difficulty", "out_of_range"),
        ({"correct": -1}, "/correct", "out_of_range"),
        ({"correct": 10**10}, "/correct", "out_of_range"),
        ({"streak": True}, "/streak", "wrong_type"),
        ({"more": 1}, "/more", "unknown_field"),
    ],
)
def test_a_card_that_cannot_be_is_refused(
    client: FlaskClient, change: dict[str, Any], pointer: str, code: str
) -> None:
    refused = client.post("/quiz/reviews", json={"reviews": [{"card": CARD | change, "rating": "good"}]})
    assert (refused.status_code, codes(refused)) == (422, [(f"/reviews/0/card{pointer}", code)])


def test_the_strangest_cards_are_scheduled(client: FlaskClient) -> None:
    least, most = {"stability": 0.001, "difficulty": 1}, {"stability": 36_500, "difficulty": 10}
    for change in (
        least,
        most,
        {"last_review": "2399-12-31T00:00:00Z"},
        {"due": "1971-01-01"},
        {"correct": 10**9},
    ):
        reviews = [{"card": CARD | change, "rating": rating} for rating in CARD_RATINGS]
        cards = ask(client, "/quiz/reviews", reviews=reviews)["cards"]
        again = [{"card": card, "rating": rating} for card in cards for rating in CARD_RATINGS]
        assert len(ask(client, "/quiz/reviews", reviews=again)["cards"]) == 16


ZYZZYVA = """question,correct,incorrect,streak,last_correct,difficulty,cardbox,next_scheduled
ACT,1,0,1,1790000000,50,1,1790400000
QQ,0,0,0,0,50,0,1790000000
"""
HEADING = "question,cardbox,next_scheduled"


def test_cards_of_other_programs_come_and_go(client: FlaskClient) -> None:
    table = ask(client, f"{CARDS}/import", format="zyzzyva", text=ZYZZYVA)
    assert [one["question"] for one in table["cards"]] == ["ACT"]
    assert table["left_out"] == 1
    notes = ask(client, f"{CARDS}/import", format="anki", text="#separator:Comma\n_AB_,CAB\nCAT,x\n")
    assert [one["card"]["last_review"] for one in notes["cards"]] == [None, None]
    cards = [*table["cards"], notes["cards"][0]]
    written = ask(client, f"{CARDS}/export", format="zyzzyva", cards=cards)["text"]
    assert written.splitlines() == ZYZZYVA.splitlines()[:2]
    lines = ask(client, f"{CARDS}/export", format="anki", cards=cards)["text"].splitlines()
    assert lines[3] == "ACT\tACT CAT"
    assert lines[4].startswith("_AB_\t")


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"format": "zyzzyva", "text": ""}, "/text", "bad_quiz_import"),
        ({"format": "zyzzyva", "text": f"{HEADING}\n\nC4T,1,1"}, "/text", "unknown_letter"),
        ({"format": "zyzzyva", "text": f"{HEADING}\nCAT,\u00b2,1"}, "/text", "bad_quiz_import"),
        ({"format": "anki", "text": "\0"}, "/text", "unknown_letter"),
        ({"format": "anki", "text": "CAT\r" * 501}, "/text", "out_of_range"),
        ({"format": "anki"}, "/text", "missing_field"),
        ({"format": "mnemosyne", "text": "CAT"}, "/format", "unknown_choice"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_refused(
    client: FlaskClient, body: dict[str, Any], pointer: str, code: str
) -> None:
    refused = client.post(f"{CARDS}/import", json=body)
    assert (refused.status_code, codes(refused)) == (422, [(pointer, code)])
    if code == "unknown_letter" and "\n" in body["text"]:
        assert refused.get_json()["detail"].startswith("line 3: "), "empty lines are counted"
