"""/equipment/check: boards and tile sets of one's own."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.blueprint import Blueprint
from service.languages import CONTENT_LANGUAGE, with_language_headers
from service.operations.reference import check_equipment
from service.resources import examples
from service.resources.calls import request_call
from service.schemas.equipment import EquipmentSchema
from service.view_rules import JSON

blueprint = Blueprint("equipment", __name__, description="Boards and tile sets of one's own")


@blueprint.route("/equipment/check")
class CheckedEquipment(MethodView):
    """What is wrong with the text of a board or a tile set."""

    @blueprint.operation(check_equipment, location="json", examples=examples.EQUIPMENT)
    @blueprint.response(200, EquipmentSchema, headers=CONTENT_LANGUAGE)
    def post(self, data: dict[str, Any]) -> Response:
        """Read the text of a board, of a tile set or of both; list each fault with its line and square."""
        return with_language_headers(Response(check_equipment(data, request_call()), mimetype=JSON))
