"""The items of /batch, and their answers."""

from __future__ import annotations

from typing import Any, Final

import marshmallow as ma

from service.schemas import answer_fields as field
from service.schemas.analyze import AnalyzeRequestSchema
from service.schemas.annotate import AnnotateRequestSchema
from service.schemas.annotation_answers import AnnotationSchema
from service.schemas.answer_fields import AnswerSchema
from service.schemas.answers import AnalysisSchema, ProblemSchema
from service.schemas.fields import Integer, String, StringOr

MAX_ID_LENGTH: Final = 100
MAX_ID: Final = 2**53 - 1
"""The greatest integer that every JSON reader reads exactly."""


def _id() -> Any:
    return StringOr(
        String(MAX_ID_LENGTH), Integer(-MAX_ID, MAX_ID), "repeated in the answer", allow_none=True
    )


class BatchPositionSchema(AnalyzeRequestSchema):
    """An item of a batch: a position to analyze."""

    id = _id()


class BatchGameSchema(AnnotateRequestSchema):
    """An item of a batch: a game to annotate."""

    id = _id()


class BatchAnswerSchema(AnswerSchema):
    """The answer to an item of a batch: `answer`, or `problem` in its place."""

    id = field.any_of("id of the item", ma.fields.String(), ma.fields.Integer(strict=True), null=True)
    line = field.integer("number of the item, or of its line, from 1")
    status = field.integer("HTTP status that the item alone would have")
    answer = field.any_of(
        "what the operation answers",
        ma.fields.Nested(AnalysisSchema()),
        ma.fields.Nested(AnnotationSchema()),
        required=False,
    )
    problem = field.nested("what is wrong with the item", ProblemSchema, required=False)
