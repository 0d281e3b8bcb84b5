"""/leaves: the values of leaves."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.blueprint import Blueprint
from service.languages import CONTENT_LANGUAGE, with_language_headers
from service.operations.positions import value_leaves
from service.resources import examples
from service.resources.calls import request_call
from service.schemas.leaves import LeavesSchema
from service.view_rules import JSON

blueprint = Blueprint("leaves", __name__, description="Values of leaves")


@blueprint.route("/leaves")
class Leaves(MethodView):
    """Values of leaves."""

    @blueprint.operation(value_leaves, location="json", examples=examples.LEAVES)
    @blueprint.response(200, LeavesSchema, headers=CONTENT_LANGUAGE)
    def post(self, data: dict[str, Any]) -> Response:
        """Return the value of each leave of the racks: the learned value, and the bingo expectation."""
        return with_language_headers(Response(value_leaves(data, request_call()), mimetype=JSON))
