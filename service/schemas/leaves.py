"""The request and the answer of /leaves."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from service.schemas import answer_fields as field
from service.schemas.answer_fields import AnswerSchema
from service.schemas.answers import WARNINGS, NoticeSchema, PositionSchema, ProvenanceSchema
from service.schemas.fields import Boolean, List, String
from service.schemas.position import MAX_RACK, WAYS, PositionRequestSchema

MAX_RACKS = 50


class LeavesRequestSchema(PositionRequestSchema):
    """The body of POST /leaves; without a position, the board is empty."""

    class Meta(PositionRequestSchema.Meta):
        """Exclude `rack`: the racks are those of `racks`."""

        exclude = ("rack",)

    racks = List(
        String(MAX_RACK, min_length=1),
        MAX_RACKS,
        "racks or leaves of up to seven tiles; ? is a blank",
        min_length=1,
        required=True,
    )
    parts = Boolean("true for every part of each rack, false for the complete rack only", load_default=True)

    def check_position(self, data: dict[str, Any]) -> None:
        """Raise ValidationError if a position is given, but not in exactly one way."""
        if any(way in data for way in (*WAYS, "turn")):
            super().check_position(data)

    @ma.post_load
    def _empty_board(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return data if any(way in data for way in WAYS) else {**data, "tiles": []}


class LeaveSchema(AnswerSchema):
    """A leave."""

    leave = field.string("tiles in the order of the tile set, ? a blank")
    tile_count = field.integer("number of tiles")
    value = field.number(
        "learned value in points, independent of the board; null for a full rack, or without a table",
        null=True,
    )
    bingo_expectation = field.number(
        "points expected from bingos next turn, given the board and the unseen tiles; null for a full rack",
        null=True,
    )


class RackLeavesSchema(AnswerSchema):
    """The leaves of a rack."""

    rack = field.string("the rack, in the order of the tile set")
    leaves = field.list_of("leaves, the longest first", LeaveSchema)


class LeavesSchema(AnswerSchema):
    """The answer of /leaves."""

    position = field.nested("the position in normal form, without the rack on turn", PositionSchema)
    racks = field.list_of("the racks, in the order of the request", RackLeavesSchema)
    warnings = field.list_of(WARNINGS, NoticeSchema)
    provenance = field.nested(
        "versions behind the answer; leaves names the table of the values", ProvenanceSchema
    )
