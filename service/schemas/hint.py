"""The request and the answer of /hints."""

from __future__ import annotations

import marshmallow as ma

from engine import EVALUATORS, MAX_HINT_LEVEL
from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema
from service.schemas.answers import (
    WARNINGS,
    LexiconReferenceSchema,
    MoveSchema,
    NoticeSchema,
    ProvenanceSchema,
)
from service.schemas.fields import Boolean, Integer, RequestSchema, String, one_of
from service.schemas.position import PositionQuerySchema, PositionRequestSchema


class HintOptionsSchema(RequestSchema):
    """How much a hint says."""

    level = Integer(
        1,
        MAX_HINT_LEVEL,
        load_default=1,
        metadata={
            "description": "how much the hint says: 1 what kind of play there is, 2 and the region, 3 and a "
            "band of scores, 4 and the tiles, 5 and where it begins"
        },
    )
    reveal = Boolean(load_default=False, metadata={"description": "reveal the play itself"})
    evaluator = String(
        16,
        validate=[one_of(*EVALUATORS)],
        load_default="auto",
        metadata={"description": "what decides which play is best, as in /analyze"},
    )


class HintRequestSchema(PositionRequestSchema, HintOptionsSchema):
    """The body of POST /hints."""


class HintQuerySchema(PositionQuerySchema, HintOptionsSchema):
    """The query of GET /hints: a position as CGP, and how much to say."""


class HintPositionSchema(AnswerSchema):
    """The position that the hint is for."""

    cgp = field.string(
        "as CGP; null unless the play is revealed, as a rack may happen to spell it", null=True
    )
    id = field.string("SHA-256 of the position in normal form")


class ScoreBandSchema(AnswerSchema):
    """The scores between which the play's lies."""

    low = field.integer("least points")
    high = field.integer("most points")


class HintSchema(AnswerSchema):
    """The answer of /hints; what only a higher level reveals is null."""

    level = field.integer("level of the hint")
    reveal = field.boolean("true if the play is revealed")
    position = field.nested("the position", HintPositionSchema)
    evaluator = field.string("evaluator used")
    kind = field.string("bingo, good_play (30 points or more), play, or none if there is no play")
    region = field.string("from level 2: a ninth of the board, such as top left or middle centre", null=True)
    score_band = field.nested(
        "from level 3: the ten points among which its score is", ScoreBandSchema, null=True
    )
    tiles = field.list_of(
        "from level 4: tiles of the rack it takes, in the order of the tile set, ? a blank",
        ma.fields.String(),
        null=True,
    )
    at = field.string("from level 5: where the main word begins, 8D across, D8 down", null=True)
    direction = field.string("from level 5: across or down", null=True)
    move = field.nested("the play, if it is revealed", MoveSchema, null=True)
    lexicon = field.nested("the lexicon", LexiconReferenceSchema)
    warnings = field.list_of(WARNINGS, ma.fields.Nested(NoticeSchema))
    provenance = field.nested("what the answer was made of", ProvenanceSchema)
