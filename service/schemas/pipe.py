"""The members of a line of `kibitz engine` that no operation of the API has."""

from __future__ import annotations

from typing import Final

from service.operations import OPERATIONS
from service.schemas.batch import MAX_ID, MAX_ID_LENGTH
from service.schemas.fields import Boolean, Choice, Integer, RequestSchema, String, StringOr

STOP: Final = "stop"
"""The operation that ends the work for another line."""


class PipeHeadSchema(RequestSchema):
    """What a line asks for."""

    operation = Choice([*OPERATIONS, STOP], "the operation that answers the other members", required=True)
    progress = Boolean("true for lines that say how far long work is", load_default=False)


class StopSchema(RequestSchema):
    """Which requests to stop."""

    stop = StringOr(
        String(MAX_ID_LENGTH), Integer(-MAX_ID, MAX_ID), "the id of requests not answered yet", required=True
    )
