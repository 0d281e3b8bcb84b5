"""The request and the answer of /hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from engine import EVALUATORS, LANGUAGES, MAX_HINT_LEVEL, hint_of, hint_sentences
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema
from service.schemas.answers import (
    PROVENANCE,
    WARNINGS,
    LexiconReferenceSchema,
    MoveSchema,
    NoticeSchema,
    ProvenanceSchema,
    dump_with_warnings,
)
from service.schemas.fields import Boolean, Choice, Integer, RequestSchema
from service.schemas.position import PositionQuerySchema, PositionRequestSchema

if TYPE_CHECKING:
    from engine import Analysis, AnalysisRequest, Hint, Notice


def dump_hints(analysis: Analysis, request: AnalysisRequest, lang: str) -> bytes:
    """Encode the hints of every level in a language, each with and without the move, one per line."""
    return b"\n".join(
        dump_hint(hint_of(analysis, request.position, level, reveal=reveal), lang, request.warnings)
        for level in range(1, MAX_HINT_LEVEL + 1)
        for reveal in (False, True)
    )


def dump_hint(hint: Hint, lang: str, warnings: tuple[Notice, ...] = ()) -> bytes:
    """Encode a hint with its sentences in a language."""
    body = orjson.dumps({"lang": lang, "sentences": hint_sentences(hint, lang)})
    return body[:-1] + b"," + dump_with_warnings(hint, warnings, lang)[1:]


def read_hint(body: bytes, level: int, *, reveal: bool) -> tuple[bytes, bool]:
    """Return one of the encoded hints, and whether the same request always gets the same one."""
    found = body.split(b"\n")[2 * (level - 1) + reveal]
    return found, orjson.loads(found)["provenance"]["deterministic"]


class HintOptionsSchema(RequestSchema):
    """How much a hint reveals, and in which language."""

    lang = Choice(
        LANGUAGES, "language of the sentences; default: the best one of Accept-Language, else English"
    )
    level = Integer(
        1,
        MAX_HINT_LEVEL,
        "how much the hint reveals: 1 the kind of move, 2 also its region, 3 also a range of scores, 4 also "
        "its tiles, 5 also its start and direction",
        load_default=1,
    )
    reveal = Boolean("true to reveal the move itself", load_default=False)
    evaluator = Choice(
        EVALUATORS,
        "evaluator of the analysis with the phase auto that finds the best move; greedy points at the play "
        "with the most points, without a search",
        load_default="auto",
    )


class HintRequestSchema(PositionRequestSchema, HintOptionsSchema):
    """The body of POST /hints."""


class HintQuerySchema(PositionQuerySchema, HintOptionsSchema):
    """The query of GET /hints: a position as CGP, and how much to reveal."""


class HintPositionSchema(AnswerSchema):
    """The position that the hint is for."""

    cgp = field.string("as CGP; null unless the move is revealed, because a rack may spell it", null=True)
    id = field.string("SHA-256 of the position in normal form")


class ScoreBandSchema(AnswerSchema):
    """The range in which the score of the play lies."""

    low = field.integer("lowest score")
    high = field.integer("highest score")


class HintSchema(AnswerSchema):
    """The answer of /hints; fields that only a higher level reveals are null."""

    lang = field.string("language of the sentences")
    sentences = field.strings("what the hint reveals, in words, one sentence for each thing")
    level = field.integer("level of the hint")
    reveal = field.boolean("true if the move is revealed")
    position = field.nested("the position", HintPositionSchema)
    evaluator = field.string("evaluator used")
    kind = field.string(
        "bingo, good_play (30 points or more), play, exchange, pass if that is better than every play, or "
        "none if there is no play. Only a play has a region, a score and a start"
    )
    region = field.string(
        "from level 2: one of nine regions of the board, such as top left or middle centre", null=True
    )
    score_band = field.nested(
        "from level 3: a range of ten points that holds its score", ScoreBandSchema, null=True
    )
    tiles = field.strings(
        "from level 4: the tiles of the rack that it uses, in the order of the tile set, ? a blank", null=True
    )
    at = field.string("from level 5: start of the main word, 8D across, D8 down", null=True)
    direction = field.string("from level 5: across or down", null=True)
    move = field.nested("the move, if it is revealed", MoveSchema, null=True)
    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    warnings = field.list_of(WARNINGS, NoticeSchema)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)
