"""The requests and answers of flash cards: which there are, and when each comes again."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import marshmallow as ma
import orjson

from engine import CARD_KINDS, CARD_RATINGS, CardProgress, Text
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema
from service.schemas.answers import PROVENANCE, LexiconReferenceSchema, ProvenanceSchema
from service.schemas.error_message import ErrorMessage
from service.schemas.fields import (
    Choice,
    Integer,
    List,
    MultilineString,
    Nested,
    Number,
    RequestSchema,
    String,
    Time,
)
from service.schemas.word_answers import lexicon_reference, words_provenance
from service.schemas.words import MAX_WORD, WordSearchSchema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import FlashCard, ImportedCards, Lexicon

MAX_CARDS = 100
"""The most words or questions of a request, because answers are searched for each."""

MAX_REVIEWS = 500
MAX_TEXT = 1 << 20
MAX_NOTES = 500
"""The most lines of a file, and cards, that are exchanged at once."""

FORMATS = ("zyzzyva", "anki")


class CardSearchSchema(WordSearchSchema):
    """The body of a request for flash cards: about the words of a search, or of these questions."""

    kind = Choice(
        CARD_KINDS,
        "what a card asks for: all words of some tiles, those that hooks make, or those of one more tile "
        "that begin with some tiles",
        load_default="anagrams",
        example="hooks",
    )
    questions = List(
        String(MAX_WORD, min_length=1),
        MAX_CARDS,
        "instead of a search, these questions: AEINRST (anagrams), _QI_ (hooks), QA? (beginnings)",
    )
    limit = Integer(1, MAX_CARDS, "most words of the search that one answer is about", load_default=20)


class CardProgressSchema(RequestSchema):
    """What is known of a card; the last three are counted, the others are those of FSRS."""

    due = Time(CardProgress.EARLIEST, CardProgress.LATEST, "when it comes again", required=True)
    last_review = Time(
        CardProgress.EARLIEST,
        CardProgress.LATEST,
        "when it was last asked; null: never",
        required=True,
        allow_none=True,
    )
    stability = Number(
        CardProgress.LEAST_DAYS,
        CardProgress.MOST_DAYS,
        "days until the recall falls to 90 %; null: never asked",
        required=True,
        allow_none=True,
    )
    difficulty = Number(1, 10, "from 1 to 10; null: never asked", required=True, allow_none=True)
    correct = Integer(0, CardProgress.MOST_ANSWERS, "number of right answers", required=True)
    incorrect = Integer(0, CardProgress.MOST_ANSWERS, "number of missed answers", required=True)
    streak = Integer(
        -CardProgress.MOST_ANSWERS,
        CardProgress.MOST_ANSWERS,
        "right answers in a row; below 0: missed ones",
        required=True,
    )

    @ma.post_load
    def _progress(self, data: dict[str, Any], **_: Any) -> CardProgress:
        card = CardProgress(**data)
        if not card.is_consistent:
            text = Text("last_review, stability and difficulty are null together or not at all")
            raise ma.ValidationError(ErrorMessage("bad_card", text))
        return card


class CardReviewSchema(RequestSchema):
    """An answer to a card."""

    card = Nested(CardProgressSchema, "what was known of the card; default: it is new")
    rating = Choice(
        CARD_RATINGS, "how well it was known; again: words were missed", required=True, example="good"
    )


class ReviewRequestSchema(RequestSchema):
    """The body of POST /quiz/reviews: cards with the answers to them."""

    reviews = List(Nested(CardReviewSchema), MAX_REVIEWS, "answers, each to another card", required=True)


class KnownCardSchema(RequestSchema):
    """A card with what is known of it."""

    question = String(MAX_WORD, "the question", min_length=1, required=True)
    card = Nested(CardProgressSchema, "what is known of the card", required=True)


class _ExchangeSchema(RequestSchema):
    """The format of another program."""

    format = Choice(
        FORMATS, "zyzzyva: its table of questions as CSV; anki: a text file of notes", required=True
    )
    kind = Choice(
        ("anagrams", "hooks"), "the quiz of a table of Zyzzyva", load_default="anagrams", example="hooks"
    )


class CardImportSchema(_ExchangeSchema):
    """The file of another program."""

    text = MultilineString(
        MAX_TEXT,
        f"its text, with at most {MAX_NOTES} lines that are not empty; empty lines are counted in messages",
        required=True,
    )

    @ma.validates("text")
    def _check_lines(self, value: str, data_key: str) -> None:
        if sum(map(bool, map(str.strip, value.splitlines()))) > MAX_NOTES:
            text = Text("must have at most {most} lines that are not empty", most=MAX_NOTES)
            raise ma.ValidationError(ErrorMessage("out_of_range", text))


class CardExportSchema(_ExchangeSchema):
    """Cards for another program."""

    cards = List(Nested(KnownCardSchema), MAX_NOTES, "the cards", required=True)


class ImportedCardsSchema(AnswerSchema):
    """The cards of a file."""

    cards = field.list_of("the cards", KnownCardSchema)
    left_out = field.integer("number of questions without an answer or, of Zyzzyva, without a cardbox")


class ExportedCardsSchema(AnswerSchema):
    """A file for another program."""

    text = field.string("its text: for zyzzyva the cards of the kind that were asked, for anki all")


class FlashCardSchema(AnswerSchema):
    """A card."""

    question = field.string("the question, by which the card is known")
    kind = field.string("anagrams, hooks or beginnings")
    answers = field.strings("all words that answer it, by the alphabet; none if the lexicon has none")


class CardPageSchema(AnswerSchema):
    """Cards of a lexicon."""

    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    cards = field.list_of(
        "the cards about the words of this page, in their order, each once; for hooks none about words that "
        "take none. A later page may have a card again",
        FlashCardSchema,
    )
    total = field.integer("number of words of the search on all pages; null for given questions", null=True)
    cursor = field.string("cursor of the next page; null on the last page", null=True)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)


class ReviewedCardsSchema(AnswerSchema):
    """What is known of the cards after the answers."""

    cards = field.list_of("the cards in the order of the request", CardProgressSchema)


def dump_cards(
    lexicon: Lexicon, cards: Sequence[FlashCard], total: int | None = None, cursor: str | None = None
) -> bytes:
    """Encode cards as JSON."""
    spelled = lexicon.tile_set.alphabet.word
    reference = lexicon_reference(lexicon)
    found = [
        {"question": card.question, "kind": card.kind, "answers": [spelled(word) for word in card.answers]}
        for card in cards
    ]
    return orjson.dumps(
        {
            "lexicon": reference,
            "cards": found,
            "total": total,
            "cursor": cursor,
            "provenance": words_provenance(reference),
        }
    )


def dump_imported(found: ImportedCards) -> bytes:
    """Encode cards that were read as JSON."""
    cards = [{"question": question, "card": asdict(card)} for question, card in found.cards.items()]
    return orjson.dumps({"cards": cards, "left_out": found.left_out}, option=orjson.OPT_UTC_Z)


def dump_reviewed(cards: Sequence[CardProgress]) -> bytes:
    """Encode what is known of cards as JSON."""
    return orjson.dumps({"cards": [asdict(card) for card in cards]}, option=orjson.OPT_UTC_Z)
