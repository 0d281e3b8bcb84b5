"""The answers about words."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import orjson

from engine import __version__
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema
from service.schemas.answers import PROVENANCE, LexiconReferenceSchema, ProvenanceSchema

if TYPE_CHECKING:
    from engine import Lexicon, Ruling, WordPage, WordReport


def dump_ruling(ruling: Ruling) -> bytes:
    """Encode a judgement as JSON, padded with spaces to the length of the opposite judgement.

    Both judgements are encoded, so that neither the time nor the length reveals the verdict.
    """
    outcomes = [
        orjson.dumps(
            {
                **{item.name: getattr(outcome, item.name) for item in fields(outcome)},
                "provenance": words_provenance(outcome.lexicon),
            }
        )
        for outcome in (ruling.if_not, ruling.if_acceptable)
    ]
    length = max(map(len, outcomes))
    return outcomes[ruling.acceptable].ljust(length)


def dump_report(report: WordReport, lexicon: Lexicon) -> bytes:
    """Encode a report on a word as JSON."""
    known = {item.name: getattr(report, item.name) for item in fields(report)}
    return orjson.dumps(
        {
            **known,
            "lexicon": lexicon_reference(lexicon),
            "provenance": words_provenance(lexicon_reference(lexicon)),
        }
    )


def dump_page(page: WordPage, lexicon: Lexicon) -> bytes:
    """Encode a page of words as JSON."""
    return orjson.dumps(
        {
            "lexicon": lexicon_reference(lexicon),
            "total": page.total,
            "words": page.words,
            "cursor": page.cursor,
            "provenance": words_provenance(lexicon_reference(lexicon)),
        }
    )


def lexicon_reference(lexicon: Lexicon) -> dict[str, str]:
    """Return what an answer says of a lexicon."""
    return {"id": lexicon.id, "sha256": lexicon.sha256}


def words_provenance(lexicon: object) -> dict[str, Any]:
    """Return the provenance of an answer that only looks words up."""
    nothing = dict.fromkeys(("leaves", "win_pct_table", "seed", "budget", "spent"))
    head = {"engine_version": __version__, "lexicon": lexicon}
    return {**head, **nothing, "stopped_by": "complete", "deterministic": True}


class JudgedPositionSchema(AnswerSchema):
    """The position of a play that was judged."""

    cgp = field.string("as CGP")
    id = field.string("SHA-256 of the position in normal form")


class ConsequenceSchema(AnswerSchema):
    """The consequence of the challenge."""

    rule = field.string("challenge rule: void, single, double, triple, 5pt or 10pt")
    per = field.string("what the points of 5pt and 10pt count by: play or word")
    play_stands = field.boolean("true if the tiles stay on the board")
    play_again = field.boolean("true if the player plays again without penalty (rule void)")
    turn_lost_by = field.string("player (the one whose play was challenged), challenger, or null", null=True)
    game_lost_by = field.string("player, challenger, or null (rule triple only)", null=True)
    bonus = field.integer("points that the player gets for an unsuccessful challenge")


class JudgementSchema(AnswerSchema):
    """The answer of /words/judge: one verdict on all words. Both verdicts have the same length."""

    acceptable = field.boolean(
        "true if every word is in the lexicon; the answer never says which word is not"
    )
    word_count = field.integer("number of words judged")
    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    position = field.nested(
        "the position of the play; null for words without a position", JudgedPositionSchema, null=True
    )
    consequence = field.nested("the consequence of the challenge", ConsequenceSchema)
    ruling_id = field.string(
        "SHA-256 of the words or the play, the word list and the rule; independent of the verdict"
    )
    provenance = field.nested(PROVENANCE, ProvenanceSchema)


class InnerHooksSchema(AnswerSchema):
    """Whether the word without its first or last letter is a word."""

    front = field.boolean("true without the first letter")
    back = field.boolean("true without the last letter")


class WordReportSchema(AnswerSchema):
    """The answer of /lexicons/{lexicon}/words/{word}."""

    word = field.string("the word, upper case")
    tiles = field.string("the word as tiles: [CH] is one tile")
    length = field.integer("number of tiles")
    valid = field.boolean("true if it is in the lexicon")
    score = field.integer("points of its tiles on plain squares")
    front_hooks = field.strings("letters that form a word in front of it")
    back_hooks = field.strings("letters that form a word after it")
    inner_hooks = field.nested(
        "whether the word without its first or last letter is a word", InnerHooksSchema
    )
    anagrams = field.strings("other words of the same tiles")
    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)


class FoundWordSchema(AnswerSchema):
    """A word that a search found."""

    word = field.string("the word, upper case")
    tiles = field.string("the tiles that form it: lower case for a blank of `tiles`, [CH] one tile")
    length = field.integer("number of tiles")
    score = field.integer("points of these tiles on plain squares")


class WordPageSchema(AnswerSchema):
    """One page of the words that a search found."""

    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    total = field.integer("number of words found, on all pages")
    words = field.list_of("words, sorted by length, then by the alphabet of the tile set", FoundWordSchema)
    cursor = field.string("cursor of the next page; null on the last page", null=True)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)
