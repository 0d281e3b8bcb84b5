"""The requests of /board.svg and /board.png: a position, and how to draw it."""

from __future__ import annotations

from engine import MAX_PNG_SIZE
from service.schemas.fields import Boolean, Integer, RequestSchema, String
from service.schemas.position import MAX_MOVE, PositionQuerySchema, PositionRequestSchema


class PictureOptionsSchema(RequestSchema):
    """How to draw a board."""

    play = String(MAX_MOVE, "a play to draw, legal or not", min_length=1, example="N8 SAGIEsT")
    size = Integer(100, 4_000, "width in pixels", load_default=600)
    coordinates = Boolean("true to draw letters and numbers at the edges", load_default=True)
    dark = Boolean("true for a dark page", load_default=False)


class PngOptionsSchema(PictureOptionsSchema):
    """How to draw a board as PNG."""

    size = Integer(100, MAX_PNG_SIZE, "width in pixels", load_default=600)


class PictureRequestSchema(PositionRequestSchema, PictureOptionsSchema):
    """The body of POST /board.svg. The racks are not drawn, and the position may be impossible."""


class PngRequestSchema(PositionRequestSchema, PngOptionsSchema):
    """The body of POST /board.png. The racks are not drawn, and the position may be impossible."""


class PictureQuerySchema(PositionQuerySchema, PictureOptionsSchema):
    """The query of GET /board.svg: a position as CGP, and how to draw it."""

    class Meta(PositionQuerySchema.Meta):
        """Exclude what is not drawn."""

        exclude = ("rack", "zero_turns", "rules")


class PngQuerySchema(PositionQuerySchema, PngOptionsSchema):
    """The query of GET /board.png: a position as CGP, and how to draw it."""

    class Meta(PictureQuerySchema.Meta):
        """Exclude what is not drawn."""
