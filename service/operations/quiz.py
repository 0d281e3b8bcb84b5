"""The operations on flash cards."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson

from engine import (
    CardProgress,
    InvalidInput,
    card_scheduler,
    flash_card,
    questions_about,
    read_anki,
    read_word,
    read_zyzzyva,
    reviewed_card,
    search_words,
    write_anki,
    write_zyzzyva,
)
from service.operations.lexicons import open_named, word_query
from service.operations.operation import operation
from service.schemas.pointers import pointing
from service.schemas.quiz import (
    CardExportSchema,
    CardImportSchema,
    CardSearchSchema,
    ReviewRequestSchema,
    dump_cards,
    dump_imported,
    dump_reviewed,
)

if TYPE_CHECKING:
    from engine import FlashCard, Lexicon
    from service.operations.operation import Call


@operation(CardSearchSchema(), "lexicon")
def list_cards(data: dict[str, Any], call: Call) -> bytes:
    """Return flash cards with their answers, in pages; the answers take a slot for searches."""
    opened = open_named(data["lexicon"])
    asked = {name: value for name, value in data.items() if name not in ("kind", "questions")}
    query = word_query(asked, opened)
    with call.searching(), pointing(data):
        if "questions" in data:
            return dump_cards(opened, _cards(opened, data["questions"]))
        page = search_words(opened, query, data["limit"], data.get("cursor"))
        words = [read_word(found.tiles, opened.tile_set.alphabet) for found in page.words]
        cards = [flash_card(opened, one) for one in questions_about(opened, data["kind"], words)]
        return dump_cards(opened, cards, page.total, page.cursor)


def _cards(lexicon: Lexicon, questions: list[str]) -> list[FlashCard]:
    """Return the cards of questions; raise InvalidInput for the one that asks nothing."""
    cards = []
    for index, question in enumerate(questions):
        try:
            cards.append(flash_card(lexicon, question))
        except InvalidInput as error:
            field = f"questions/{index}"
            raise InvalidInput(error.message, code=error.code, field=field, params=error.params) from None
    return cards


@operation(ReviewRequestSchema())
def review_cards(data: dict[str, Any], call: Call) -> bytes:
    """Return when cards come again after the answers to them, by FSRS."""
    scheduler, now = card_scheduler(), _now()
    return dump_reviewed(
        [
            reviewed_card(scheduler, review.get("card") or CardProgress(now), review["rating"], now)
            for review in data["reviews"]
        ]
    )


@operation(CardImportSchema(), "lexicon")
def import_cards(data: dict[str, Any], call: Call) -> bytes:
    """Return the cards of a file of Zyzzyva or Anki; their answers take a slot for searches."""
    opened = open_named(data["lexicon"])
    with call.searching(), pointing(data):
        if data["format"] == "anki":
            return dump_imported(read_anki(data["text"], opened, _now()))
        return dump_imported(read_zyzzyva(data["text"], opened, data["kind"]))


@operation(CardExportSchema(), "lexicon")
def export_cards(data: dict[str, Any], call: Call) -> bytes:
    """Return cards as a file for Zyzzyva or Anki; their answers take a slot for searches."""
    opened = open_named(data["lexicon"])
    with call.searching(), pointing(data):
        known = {one["question"]: one["card"] for one in data["cards"]}
        text = write_anki(known, opened) if data["format"] == "anki" else write_zyzzyva(known, data["kind"])
    return orjson.dumps({"text": text})


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)
