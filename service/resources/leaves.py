"""/leaves: the values of leaves."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from engine import Rack, leave_reports
from service.documents import dump_leaves
from service.json_parser import Blueprint
from service.languages import CONTENT_LANGUAGE, answer_language, with_language_headers
from service.logs import add_log_fields
from service.resources import examples
from service.schemas.leaves import LeavesRequestSchema, LeavesSchema
from service.schemas.pointers import pointing
from service.schemas.reading import read_position

blueprint = Blueprint("leaves", __name__, description="Values of leaves")


@blueprint.route("/leaves")
class Leaves(MethodView):
    """Values of leaves."""

    @blueprint.doc(operationId="value_leaves")
    @blueprint.arguments(LeavesRequestSchema(), examples=examples.LEAVES)
    @blueprint.response(200, LeavesSchema, headers=CONTENT_LANGUAGE)
    def post(self, data: dict[str, Any]) -> Response:
        """Return the value of each leave of the racks: the learned value, and the bingo expectation."""
        position, lexicon, warnings = read_position(data)
        with pointing(data):
            alphabet = position.tile_set.alphabet
            racks = [
                Rack.from_text(text, alphabet, f"racks/{index}") for index, text in enumerate(data["racks"])
            ]
            reports = leave_reports(racks, position, lexicon, parts=data["parts"])
        add_log_fields(lexicon=lexicon.id)
        body = dump_leaves(reports, warnings, answer_language())
        return with_language_headers(Response(body, mimetype="application/json"))
