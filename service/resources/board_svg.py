"""/board.svg: a picture of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from flask.views import MethodView

from engine import Play, board_svg, parse_move
from service.json_parser import Blueprint
from service.resources import examples
from service.resources.conditional import ETAG_HEADER, conditional, etag_of
from service.schemas.picture import PictureBody, PictureQuery
from service.schemas.reading import pointing, read_position
from service.state import state

if TYPE_CHECKING:
    from engine import Position

blueprint = Blueprint("board_svg", __name__, description="Pictures of boards")

_BODY, _QUERY = PictureBody(), PictureQuery()
_PICTURE = {"type": "string"}
_MEDIA_TYPE = "image/svg+xml"
# Opened by itself a picture is a document: it may run and fetch nothing. It may stand in anybody's page.
_HEADERS = {"Content-Security-Policy": "default-src 'none'", "Cross-Origin-Resource-Policy": "cross-origin"}


def _read(data: dict[str, Any]) -> tuple[Position, Play | None]:
    """Return the position, which need not be possible, and the play, None for an exchange or a pass."""
    service = state()
    position, _ = read_position(data, service.catalogue, service.settings.lexicon)
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

    @blueprint.arguments(_BODY, examples=examples.PICTURES)
    @blueprint.response(200, _PICTURE, content_type=_MEDIA_TYPE)
    @blueprint.problems(400, 404, 411, 413, 415, 422)
    def post(self, data: dict[str, Any]) -> Response:
        """Draw a board as SVG, with a play upon it if one is given.

        What is given is drawn, be it possible or not: tiles that float, or more of one than the set has, are
        what a picture of a faulty record has to show. Whether a position can be is for /analyze to say.
        """
        return _respond(data, *_read(data))

    @blueprint.arguments(_QUERY, location="query")
    @blueprint.response(200, _PICTURE, content_type=_MEDIA_TYPE, headers=ETAG_HEADER)
    @blueprint.alt_response(304, description="the answer has not changed since the ETag in If-None-Match")
    @blueprint.problems(400, 404, 422)
    def get(self, data: dict[str, Any]) -> Response:
        """Draw a board given as CGP as SVG, with a play upon it if one is given; possible or not."""
        position, play = _read(data)
        etag = etag_of(position.canonical(), f"{play!r} {data['size']} {data['coordinates']}")
        return conditional(etag, lambda: _respond(data, position, play))
