"""The request of /board.svg: a position, and how to draw it."""

from __future__ import annotations

from service.schemas.fields import Boolean, Integer, RequestSchema, String
from service.schemas.position import MAX_MOVE, PositionQuerySchema, PositionRequestSchema


class PictureOptionsSchema(RequestSchema):
    """How to draw a board."""

    play = String(
        MAX_MOVE,
        min_length=1,
        metadata={"description": "a play to draw upon the board, legal or not", "example": "N8 SAGIEsT"},
    )
    size = Integer(100, 4_000, load_default=600, metadata={"description": "width in pixels"})
    coordinates = Boolean(load_default=True, metadata={"description": "letters and numbers at the edges"})


class PictureRequestSchema(PositionRequestSchema, PictureOptionsSchema):
    """The body of POST /board.svg; the racks are not drawn, and the position need not be possible."""


class PictureQuerySchema(PositionQuerySchema, PictureOptionsSchema):
    """The query of GET /board.svg: a position as CGP, and how to draw it."""

    class Meta(PositionQuerySchema.Meta):
        """What is not drawn."""

        exclude = ("rack", "zero_turns", "rules")
