"""/board.svg and /board.png: a picture of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from flask.views import MethodView

from engine import InvalidInput, Play, board_svg, parse_move, png_of
from service.blueprint import Blueprint
from service.cache import LOCAL
from service.problems import Problem
from service.resources import examples
from service.resources.conditional import ETAG_HEADER, conditional, etag_of
from service.schemas.picture import (
    PictureQuerySchema,
    PictureRequestSchema,
    PngQuerySchema,
    PngRequestSchema,
)
from service.schemas.pointers import pointing
from service.schemas.reading import read_position
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Position

blueprint = Blueprint("pictures", __name__, description="Pictures of boards")

_SVG = "image/svg+xml"
_PNG = "image/png"
_TEXT = {"type": "string"}
_BYTES = {"type": "string", "format": "binary"}
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


def _svg(data: dict[str, Any], position: Position, play: Play | None) -> str:
    return board_svg(position, play, size=data["size"], coordinates=data["coordinates"], dark=data["dark"])


def _etag(data: dict[str, Any], position: Position, play: Play | None) -> str:
    look = f"{play!r} {data['size']} {data['coordinates']} {data['dark']}"
    return etag_of(position.canonical(), look)


def _respond_svg(svg: str) -> Response:
    return Response(svg, content_type=f"{_SVG}; charset=utf-8", headers=_HEADERS)


def _respond_png(key: str, svg: Callable[[], str]) -> Response:
    """Return the PNG of a drawing; `key` names it in the cache. Raises a Problem (501) without resvg."""
    cache, name = state().cache, f"{LOCAL}png {key}"
    drawn = cache.get(name)
    if drawn is None:
        try:
            drawn = png_of(svg())
        except InvalidInput as error:
            raise Problem(501, error.code, error.message) from None
        cache.put_many({name: drawn})
    return Response(drawn, content_type=_PNG, headers=_HEADERS)


@blueprint.route("/board.svg")
class SvgPicture(MethodView):
    """A picture of a board as SVG."""

    @blueprint.doc(operationId="draw_board")
    @blueprint.arguments(PictureRequestSchema(), examples=examples.PICTURES)
    @blueprint.response(200, _TEXT, content_type=_SVG)
    def post(self, data: dict[str, Any]) -> Response:
        """Draw a board as SVG, with a play if one is given.

        The position may be impossible: a picture of a faulty record can show unconnected tiles, or too many
        of one letter. /analyze checks positions.
        """
        return _respond_svg(_svg(data, *_read(data)))

    @blueprint.doc(operationId="draw_board_cgp")
    @blueprint.arguments(PictureQuerySchema(), location="query")
    @blueprint.response(200, _TEXT, content_type=_SVG, headers=ETAG_HEADER)
    @blueprint.unchanged
    def get(self, data: dict[str, Any]) -> Response:
        """Draw a board given as CGP as SVG, with a play if one is given."""
        read = _read(data)
        response = conditional(_etag(data, *read), lambda: _respond_svg(_svg(data, *read)))
        response.headers.update(_HEADERS)  # of a 304 too
        return response


@blueprint.route("/board.png")
class PngPicture(MethodView):
    """A picture of a board as PNG."""

    @blueprint.doc(operationId="draw_board_png")
    @blueprint.arguments(PngRequestSchema(), examples=examples.PICTURES)
    @blueprint.response(200, _BYTES, content_type=_PNG)
    @blueprint.problems(501)
    def post(self, data: dict[str, Any]) -> Response:
        """Draw a board as PNG, with a play if one is given.

        The answer is 501 with the code `png_missing` if the server was installed without the extra
        `kibitz[png]`.
        """
        read = _read(data)
        return _respond_png(_etag(data, *read), lambda: _svg(data, *read))

    @blueprint.doc(operationId="draw_board_cgp_png")
    @blueprint.arguments(PngQuerySchema(), location="query")
    @blueprint.response(200, _BYTES, content_type=_PNG, headers=ETAG_HEADER)
    @blueprint.unchanged
    @blueprint.problems(501)
    def get(self, data: dict[str, Any]) -> Response:
        """Draw a board given as CGP as PNG, with a play if one is given."""
        read = _read(data)
        etag = _etag(data, *read)
        response = conditional(etag, lambda: _respond_png(etag, lambda: _svg(data, *read)))
        response.headers.update(_HEADERS)  # of a 304 too
        return response
