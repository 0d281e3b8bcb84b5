"""/opponent-rack: what the opponent may hold after the last move."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.blueprint import Blueprint
from service.languages import CONTENT_LANGUAGE, with_language_headers
from service.operations.positions import infer_rack
from service.resources import examples
from service.resources.calls import request_call
from service.schemas.opponent_rack import OpponentRackSchema
from service.view_rules import JSON

blueprint = Blueprint("opponent_rack", __name__, description="What the opponent may hold")


@blueprint.route("/opponent-rack")
class OpponentRacks(MethodView):
    """What the opponent may hold."""

    @blueprint.operation(infer_rack, location="json", examples=examples.OPPONENT_RACKS)
    @blueprint.response(200, OpponentRackSchema, headers=CONTENT_LANGUAGE)
    def post(self, data: dict[str, Any]) -> Response:
        """Return what the opponent's last move says of the rack: its leave, and the odds of each tile."""
        return with_language_headers(Response(infer_rack(data, request_call()), mimetype=JSON))
