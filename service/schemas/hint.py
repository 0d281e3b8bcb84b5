"""The request and the answer of /hints."""

from __future__ import annotations

from engine import EVALUATORS, MAX_HINT_LEVEL
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema
from service.schemas.answers import (
    PROVENANCE,
    WARNINGS,
    LexiconReferenceSchema,
    MoveSchema,
    NoticeSchema,
    ProvenanceSchema,
)
from service.schemas.fields import Boolean, Choice, Integer, RequestSchema
from service.schemas.position import PositionQuerySchema, PositionRequestSchema


class HintOptionsSchema(RequestSchema):
    """How much a hint reveals."""

    level = Integer(
        1,
        MAX_HINT_LEVEL,
        "how much the hint reveals: 1 the kind of play, 2 also its region, 3 also a range of scores, 4 also "
        "its tiles, 5 also its start and direction",
        load_default=1,
    )
    reveal = Boolean("true to reveal the play itself", load_default=False)
    evaluator = Choice(EVALUATORS, "evaluator that decides which play is best", load_default="auto")


class HintRequestSchema(PositionRequestSchema, HintOptionsSchema):
    """The body of POST /hints."""


class HintQuerySchema(PositionQuerySchema, HintOptionsSchema):
    """The query of GET /hints: a position as CGP, and how much to reveal."""


class HintPositionSchema(AnswerSchema):
    """The position that the hint is for."""

    cgp = field.string("as CGP; null unless the play is revealed, because a rack may spell it", null=True)
    id = field.string("SHA-256 of the position in normal form")


class ScoreBandSchema(AnswerSchema):
    """The range in which the score of the play lies."""

    low = field.integer("lowest score")
    high = field.integer("highest score")


class HintSchema(AnswerSchema):
    """The answer of /hints; fields that only a higher level reveals are null."""

    level = field.integer("level of the hint")
    reveal = field.boolean("true if the play is revealed")
    position = field.nested("the position", HintPositionSchema)
    evaluator = field.string("evaluator used")
    kind = field.string("bingo, good_play (30 points or more), play, or none if there is no play")
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
    move = field.nested("the play, if it is revealed", MoveSchema, null=True)
    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    warnings = field.list_of(WARNINGS, NoticeSchema)
    provenance = field.nested(PROVENANCE, ProvenanceSchema)
