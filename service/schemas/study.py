"""The requests and answers of the lists to study, and of the comparison of two lexicons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from engine import DIFF_PARTS, STUDY_LISTS, BingoStem, HookChange, StudyWord
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema, answer
from service.schemas.answers import PROVENANCE, LexiconReferenceSchema, ProvenanceSchema
from service.schemas.fields import Choice, Integer, RequestSchema, String
from service.schemas.word_answers import lexicon_reference, words_provenance
from service.schemas.words import MAX_FOUND, MAX_LEXICON

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Lexicon, LexiconDiff

MAX_STEMS = 100

_LIMIT = "most words in one answer"
_CURSOR = "cursor of the previous answer to the same request"


class StudyListQuerySchema(RequestSchema):
    """The query of a study list."""

    list = Choice([one.id for one in STUDY_LISTS], "which list", load_default="bingos", example="threes")
    min_length = Integer(2, 26, "least length in tiles; default: that of the list")
    max_length = Integer(2, 26, "greatest length in tiles; default: that of the list")
    limit = Integer(1, MAX_FOUND, _LIMIT, load_default=100, example=10)
    cursor = String(64, _CURSOR)


class StemQuerySchema(RequestSchema):
    """The query of the bingo stems."""

    limit = Integer(1, MAX_STEMS, "most stems", load_default=20, example=3)


class LexiconDiffQuerySchema(RequestSchema):
    """The query of a comparison of two lexicons."""

    old = String(MAX_LEXICON, "id of the older lexicon; default: the default lexicon", min_length=1)
    part = Choice(
        DIFF_PARTS, "which words to list: added, gone, or in both with other hooks", load_default="added"
    )
    limit = Integer(1, MAX_FOUND, _LIMIT, load_default=100, example=10)
    cursor = String(64, _CURSOR)


class StudyPageSchema(AnswerSchema):
    """One page of a study list."""

    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    list = field.string("the list")
    total = field.integer("number of words on all pages")
    words = field.list_of(
        "words, the shortest first, then by the alphabet or, of bingos, by probability", answer(StudyWord)
    )
    cursor = field.string("cursor of the next page; null on the last page", null=True)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)


class StemListSchema(AnswerSchema):
    """The best bingo stems of a lexicon."""

    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    stems = field.list_of("stems, those with the most useful letters first", answer(BingoStem))
    provenance = field.nested(PROVENANCE, ProvenanceSchema)


class DiffCountsSchema(AnswerSchema):
    """How many words two lexicons have, and in how many they differ."""

    old = field.integer("words of the older lexicon")
    new = field.integer("words of the newer lexicon")
    added = field.integer("words only in the newer one")
    gone = field.integer("words only in the older one")
    hooks = field.integer("words in both that have other hooks")


class LengthDiffSchema(DiffCountsSchema):
    """The same for the words of one length."""

    length = field.integer("number of tiles")


class LexiconDiffSchema(AnswerSchema):
    """The words and hooks in which two lexicons differ: all counts, and one page of one part."""

    old = field.nested("the older lexicon", LexiconReferenceSchema)
    lexicon = field.nested("the newer lexicon", LexiconReferenceSchema)
    max_length = field.integer("longer words, in tiles, are not compared")
    total = field.nested("counts of all lengths", DiffCountsSchema)
    lengths = field.list_of("counts by length", LengthDiffSchema)
    part = field.string("the part that is listed: added, gone or hooks")
    words = field.strings("words added or gone, the shortest first; null for hooks", null=True)
    hooks = field.list_of("changes of hooks; null for words added or gone", answer(HookChange), null=True)
    cursor = field.string("cursor of the next page; null on the last page", null=True)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)


def dump_study_page(
    lexicon: Lexicon, name: str, total: int, words: Sequence[StudyWord], cursor: str | None
) -> bytes:
    """Encode a page of a study list as JSON."""
    return _dump(lexicon, {"list": name, "total": total, "words": words, "cursor": cursor})


def dump_stems(lexicon: Lexicon, stems: Sequence[BingoStem]) -> bytes:
    """Encode bingo stems as JSON."""
    return _dump(lexicon, {"stems": stems})


def dump_diff(
    old: Lexicon,
    lexicon: Lexicon,
    difference: LexiconDiff,
    part: str,
    rows: Sequence[str | HookChange],
    cursor: str | None,
) -> bytes:
    """Encode a comparison and a page of one of its parts as JSON."""
    found = {
        "max_length": difference.max_length,
        "total": difference.total(),
        "lengths": difference.counts(),
        "part": part,
        "words": None if part == "hooks" else rows,
        "hooks": rows if part == "hooks" else None,
        "cursor": cursor,
    }
    return _dump(lexicon, found, old=lexicon_reference(old))


def _dump(lexicon: Lexicon, found: dict[str, Any], **before: Any) -> bytes:
    reference = lexicon_reference(lexicon)
    return orjson.dumps({**before, "lexicon": reference, **found, "provenance": words_provenance(reference)})
