"""The request and the answer of /leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import marshmallow as ma
import orjson

from service.schemas.answers import PositionSchema, ProvenanceSchema
from service.schemas.fields import Boolean, Items, Text
from service.schemas.position import LONGEST_RACK, WAYS, PositionFields
from service.schemas.shapes import Shape, items, number, part, text, whole

if TYPE_CHECKING:
    from engine import LeaveReports

MOST_RACKS = 50


class LeavesBody(PositionFields):
    """The body of POST /leaves; without a position, the board is empty."""

    class Meta:
        """The racks are those of `racks`."""

        exclude = ("rack",)

    racks = Items(
        Text(LONGEST_RACK, shortest=1),
        MOST_RACKS,
        shortest=1,
        required=True,
        metadata={"description": "racks, or leaves, of up to seven tiles; ? is a blank"},
    )
    parts = Boolean(
        load_default=True,
        metadata={"description": "every part of each rack; false: only the rack as a whole"},
    )

    def _check_way(self, data: dict[str, Any]) -> None:
        if any(way in data for way in (*WAYS, "turn")):
            super()._check_way(data)

    @ma.post_load
    def _empty_board(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return data if any(way in data for way in WAYS) else {**data, "tiles": []}


def dump_leaves(reports: LeaveReports) -> bytes:
    """Encode leaves as JSON, their fields in their fixed order."""
    return orjson.dumps(reports)


class LeaveSchema(Shape):
    """A leave."""

    leave = text("its tiles, in the order of the tile set, ? a blank")
    tile_count = whole("how many tiles")
    value = number(
        "learned value in points, whatever the board; null for a whole rack, or without a table", null=True
    )
    bingo_expectation = number(
        "points expected of bingos next turn, given the board and the unseen tiles; null for a whole rack",
        null=True,
    )


class RackLeavesSchema(Shape):
    """The leaves of a rack."""

    rack = text("the rack, in the order of the tile set")
    leaves = items("its leaves, the longest first", ma.fields.Nested(LeaveSchema))


class LeavesSchema(Shape):
    """The answer of /leaves."""

    position = part("the position in normal form, without the rack on turn", PositionSchema)
    racks = items("the racks, in the order asked", ma.fields.Nested(RackLeavesSchema))
    provenance = part("what the answer was made of; leaves names the table of the values", ProvenanceSchema)
