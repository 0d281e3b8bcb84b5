"""/leaves: what the tiles kept are worth."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from engine import Rack, leave_reports
from service.json_parser import Blueprint
from service.middleware import add_log_fields
from service.resources import examples
from service.schemas.leaves import LeavesBody, LeavesSchema, dump_leaves
from service.schemas.reading import pointing, read_position
from service.state import state

blueprint = Blueprint("leaves", __name__, description="What leaves are worth")

_BODY = LeavesBody()


@blueprint.route("/leaves")
class Leaves(MethodView):
    """What leaves are worth."""

    @blueprint.arguments(_BODY, examples=examples.LEAVES)
    @blueprint.response(200, LeavesSchema)
    @blueprint.problems(400, 404, 411, 413, 415, 422)
    def post(self, data: dict[str, Any]) -> Response:
        """Value the leaves of racks: what was learned of them, and the bingos to expect on a board."""
        service = state()
        position, lexicon = read_position(data, service.catalogue, service.settings.lexicon)
        with pointing(data):
            alphabet = position.tile_set.alphabet
            racks = [
                Rack.from_text(text, alphabet, f"racks/{index}") for index, text in enumerate(data["racks"])
            ]
            reports = leave_reports(racks, position, lexicon, parts=data["parts"])
        add_log_fields(lexicon=lexicon.id)
        return Response(dump_leaves(reports), mimetype="application/json")
