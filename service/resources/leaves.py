"""/leaves: what the tiles kept are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, current_app, g

from engine import Rack, leave_reports
from service.openapi import Blueprint, Operations
from service.resources import examples
from service.schemas.leaves import LeavesBody, LeavesShape, dump_leaves
from service.schemas.reading import pointing, read_position

if TYPE_CHECKING:
    from service.analyst import Analyst

blueprint = Blueprint("leaves", __name__, description="What leaves are worth")

_BODY = LeavesBody()


@blueprint.route("/leaves")
class Leaves(Operations):
    """What leaves are worth."""

    @blueprint.arguments(_BODY, examples=examples.LEAVES)
    @blueprint.response(200, LeavesShape)
    @blueprint.problems(400, 404, 411, 413, 415, 422)
    def post(self, data: dict[str, Any]) -> Response:
        """Value the leaves of racks: what was learned of them, and the bingos to expect on a board."""
        analyst: Analyst = current_app.config["ANALYST"]
        position, lexicon = read_position(data, analyst.catalogue, analyst.settings.lexicon)
        with pointing(data):
            alphabet = position.tile_set.alphabet
            racks = [
                Rack.from_text(text, alphabet, f"racks/{index}") for index, text in enumerate(data["racks"])
            ]
            reports = leave_reports(racks, position, lexicon, parts=data["parts"])
        g.log_fields = {"lexicon": lexicon.id}
        return Response(dump_leaves(reports), mimetype="application/json")
