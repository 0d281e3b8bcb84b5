"""The answers about words."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import orjson

from engine import FoundWord, Judgement, WordReport, __version__, word_graph
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema, answer
from service.schemas.answers import PROVENANCE, LexiconReferenceSchema, ProvenanceSchema

if TYPE_CHECKING:
    from engine import Lexicon, Ruling, WordPage


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


def dump_graph(lexicon: Lexicon) -> bytes:
    """Encode all words of a lexicon as JSON; raise ValueError for more than a graph can hold."""
    return orjson.dumps(
        {
            "lexicon": lexicon_reference(lexicon),
            "word_count": len(lexicon),
            "tiles": lexicon.tile_set.alphabet.letters,
            "graph": b64encode(word_graph(lexicon.words(), gaddag=False)).decode(),
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


JudgementSchema = answer(Judgement, provenance=field.nested(PROVENANCE, ProvenanceSchema))
WordReportSchema = answer(
    WordReport,
    lexicon=field.nested("the lexicon", LexiconReferenceSchema),
    provenance=field.nested(PROVENANCE, ProvenanceSchema),
)


class WordPageSchema(AnswerSchema):
    """One page of the words that a search found."""

    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    total = field.integer("number of words found, on all pages")
    words = field.list_of("words, sorted by length, then by the alphabet of the tile set", answer(FoundWord))
    cursor = field.string("cursor of the next page; null on the last page", null=True)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)


class WordGraphSchema(AnswerSchema):
    """All words of a lexicon, for programs that look words up by themselves."""

    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    word_count = field.integer("number of words")
    tiles = field.strings("the letters of the tile set; the first is tile 1 of the graph")
    graph = field.string(
        "in Base64: nodes of 32 bits, little-endian, as in KWG files of other programs, without a GADDAG; "
        "bits 24 to 31 the tile, 23 whether a word ends, 22 whether it is the last sibling, 0 to 21 the "
        "index of the first child; node 0 leads to the words"
    )
    provenance = field.nested(PROVENANCE, ProvenanceSchema)
