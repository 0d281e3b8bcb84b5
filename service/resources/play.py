"""/play: make a move, or let a computer player move, and return the next position."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.blueprint import Blueprint
from service.languages import CONTENT_LANGUAGE, with_language_headers
from service.operations.positions import play
from service.resources import examples
from service.resources.calls import request_call
from service.schemas.play import TurnSchema
from service.view_rules import JSON

blueprint = Blueprint("play", __name__, description="Playing a game")


@blueprint.route("/play")
class Play(MethodView):
    """A turn of a game."""

    @blueprint.operation(play, location="json", examples=examples.TURNS)
    @blueprint.response(200, TurnSchema, headers=CONTENT_LANGUAGE)
    def post(self, data: dict[str, Any]) -> Response:
        """Make a move, or let a computer player move, and return the next position."""
        return with_language_headers(Response(play(data, request_call()), mimetype=JSON))
