"""The requests and answers of the lists to study, and of the comparison of two lexicons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from engine import DIFF_PARTS, STUDY_LISTS, HookChange
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema
from service.schemas.answers import PROVENANCE, LexiconReferenceSchema, ProvenanceSchema
from service.schemas.fields import Choice, Integer, RequestSchema, String
from service.schemas.word_answers import lexicon_reference, words_provenance
from service.schemas.words import MAX_FOUND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import BingoStem, Lexicon, LexiconDiff, StudyWord

MAX_STEMS = 100
MAX_ID = 64

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

    old = String(MAX_ID, "id of the older lexicon; default: the default lexicon", min_length=1)
    part = Choice(
        DIFF_PARTS, "which words to list: added, gone, or in both with other hooks", load_default="added"
    )
    limit = Integer(1, MAX_FOUND, _LIMIT, load_default=100, example=10)
    cursor = String(64, _CURSOR)


class StudyWordSchema(AnswerSchema):
    """A word of a study list."""

    word = field.string("the word, upper case")
    tiles = field.string("the word as tiles: [CH] is one tile")
    length = field.integer("number of tiles")
    score = field.integer("points of its tiles on plain squares")
    alphagram = field.string("its tiles in the order of the tile set")
    front_hooks = field.strings("letters that form a word in front of it")
    back_hooks = field.strings("letters that form a word after it")
    front = field.boolean("true if it is a word without the first letter")
    back = field.boolean("true if it is a word without the last letter")
    probability = field.number("probability, 0 to 1, to draw it from the full bag, blanks included")
    rank = field.integer("its place by probability among all words of its length; equal words share one")


class StudyPageSchema(AnswerSchema):
    """One page of a study list."""

    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    list = field.string("the list")
    total = field.integer("number of words on all pages")
    words = field.list_of(
        "words, the shortest first, then by the alphabet or, of bingos, by probability", StudyWordSchema
    )
    cursor = field.string("cursor of the next page; null on the last page", null=True)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)


class StemLetterSchema(AnswerSchema):
    """A useful letter of a stem."""

    letter = field.string("the letter")
    words = field.strings("words of seven tiles that it makes with the stem")


class BingoStemSchema(AnswerSchema):
    """Six letters that make words of seven with other letters."""

    tiles = field.string("the six letters in the order of the tile set")
    rank = field.integer("its place by the number of useful letters; equal stems share one")
    letter_count = field.integer("number of useful letters")
    word_count = field.integer("number of words that it makes")
    probability = field.number("probability, 0 to 1, to draw it from the full bag, blanks included")
    letters = field.list_of("the useful letters", StemLetterSchema)


class StemListSchema(AnswerSchema):
    """The best bingo stems of a lexicon."""

    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    stems = field.list_of("stems, those with the most useful letters first", BingoStemSchema)
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


class HookChangeSchema(AnswerSchema):
    """The hooks that a word of both lexicons gains and loses."""

    word = field.string("the word, upper case")
    front_added = field.strings("new letters in front of it")
    back_added = field.strings("new letters after it")
    front_gone = field.strings("letters that no longer form a word in front of it")
    back_gone = field.strings("letters that no longer form a word after it")


class LexiconDiffSchema(AnswerSchema):
    """The words and hooks in which two lexicons differ: all counts, and one page of one part."""

    old = field.nested("the older lexicon", LexiconReferenceSchema)
    lexicon = field.nested("the newer lexicon", LexiconReferenceSchema)
    max_length = field.integer("longer words, in tiles, are not compared")
    total = field.nested("counts of all lengths", DiffCountsSchema)
    lengths = field.list_of("counts by length", LengthDiffSchema)
    part = field.string("the part that is listed: added, gone or hooks")
    words = field.strings("words added or gone, the shortest first; null for hooks", null=True)
    hooks = field.list_of("changes of hooks; null for words added or gone", HookChangeSchema, null=True)
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
