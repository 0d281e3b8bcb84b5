"""The request of /board.svg: a position, and how to draw it."""

from __future__ import annotations

from service.schemas.analyze import EXAMPLE_CGP, LONGEST_MOVE
from service.schemas.fields import Boolean, Integer, Strict, Text
from service.schemas.position import LONGEST_CGP, LONGEST_ID, PositionFields


class PictureOptions(Strict):
    """How to draw a board."""

    play = Text(
        LONGEST_MOVE,
        shortest=1,
        metadata={"description": "a play to draw upon the board, legal or not", "example": "N8 SAGIEsT"},
    )
    size = Integer(100, 4_000, load_default=600, metadata={"description": "width in pixels"})
    coordinates = Boolean(load_default=True, metadata={"description": "letters and numbers at the edges"})


class PictureBody(PositionFields, PictureOptions):
    """The body of POST /board.svg; the racks are not drawn, and the position need not be possible."""


class PictureQuery(PictureOptions):
    """The query of GET /board.svg."""

    cgp = Text(
        LONGEST_CGP,
        shortest=1,
        required=True,
        metadata={"description": "the position as a CGP string", "example": EXAMPLE_CGP},
    )
    lexicon = Text(LONGEST_ID, shortest=1, metadata={"description": "id of a lexicon, instead of the CGP's"})
    board = Text(LONGEST_ID, metadata={"description": "id of a board, instead of the CGP's"})
    tile_set = Text(LONGEST_ID, metadata={"description": "id of a tile set, instead of the CGP's"})
