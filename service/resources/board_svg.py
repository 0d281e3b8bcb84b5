"""/board.svg: a picture of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from flask.views import MethodView

from engine import Play, board_svg, parse_move
from service.json_parser import Blueprint
from service.resources import examples
from service.resources.conditional import ETAG_HEADER, conditional, etag_of
from service.schemas.picture import PictureQuerySchema, PictureRequestSchema
from service.schemas.pointers import pointing
from service.schemas.reading import read_position

if TYPE_CHECKING:
    from engine import Position

blueprint = Blueprint("board_svg", __name__, description="Pictures of boards")

_PICTURE = {"type": "string"}
_MEDIA_TYPE = "image/svg+xml"
# A picture opened as a document may run and fetch nothing. Pages of any origin may show it.
_HEADERS = {"Content-Security-Policy": "default-src 'none'", "Cross-Origin-Resource-Policy": "cross-origin"}


def _read(data: dict[str, Any]) -> tuple[Position, Play | None]:
    """Return the position, which may be impossible, and the play, None for an exchange or a pass."""
    position = read_position(data).position
    if "play" not in data:
        return position, None
    with pointing(data):
        move = parse_move(data["play"], position.board, position.tile_set, "play")
    return position, move if isinstance(move, Play) else None


def _respond(data: dict[str, Any], position: Position, play: Play | None) -> Response:
    drawn = board_svg(position, play, size=data["size"], coordinates=data["coordinates"])
    return Response(drawn, content_type=f"{_MEDIA_TYPE}; charset=utf-8", headers=_HEADERS)


@blueprint.route("/board.svg")
class Picture(MethodView):
    """A picture of a board."""

    @blueprint.doc(operationId="draw_board")
    @blueprint.arguments(PictureRequestSchema(), examples=examples.PICTURES)
    @blueprint.response(200, _PICTURE, content_type=_MEDIA_TYPE)
    @blueprint.problems(400, 404, 411, 413, 415, 422, 429)
    def post(self, data: dict[str, Any]) -> Response:
        """Draw a board as SVG, with a play if one is given.

        The position may be impossible: a picture of a faulty record can show unconnected tiles, or too many
        of one letter. /analyze checks positions.
        """
        return _respond(data, *_read(data))

    @blueprint.doc(operationId="draw_board_cgp")
    @blueprint.arguments(PictureQuerySchema(), location="query")
    @blueprint.response(200, _PICTURE, content_type=_MEDIA_TYPE, headers=ETAG_HEADER)
    @blueprint.unchanged
    @blueprint.problems(400, 404, 422, 429)
    def get(self, data: dict[str, Any]) -> Response:
        """Draw a board given as CGP as SVG, with a play if one is given."""
        position, play = _read(data)
        etag = etag_of(position.canonical(), f"{play!r} {data['size']} {data['coordinates']}")
        return conditional(etag, lambda: _respond(data, position, play))
