"""The request of /hints."""

from __future__ import annotations

from engine import EVALUATORS, LANGUAGES, MAX_HINT_LEVEL
from service.schemas.fields import Boolean, Choice, Integer, RequestSchema
from service.schemas.position import PositionQuerySchema, PositionRequestSchema

HINT_LEVELS = ("one", "all")


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
    levels = Choice(
        HINT_LEVELS,
        "one: the hint of `level` alone; all: in `levels` the hint of every level too, so that one request "
        "suffices",
        load_default=HINT_LEVELS[0],
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
