"""/duplicate: arbitrate a game of duplicate, whose state the caller stores."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service.blueprint import Blueprint
from service.languages import CONTENT_LANGUAGE, with_language_headers
from service.operations.duplicate import duplicate
from service.resources import examples
from service.resources.calls import request_call
from service.schemas.duplicate import DuplicateSchema
from service.view_rules import JSON

blueprint = Blueprint("duplicate", __name__, description="Games of duplicate")


@blueprint.route("/duplicate")
class Duplicate(MethodView):
    """A game of duplicate."""

    @blueprint.operation(duplicate, location="json", examples=examples.DUPLICATE)
    @blueprint.response(200, DuplicateSchema, headers=CONTENT_LANGUAGE)
    def post(self, data: dict[str, Any]) -> Response:
        """Begin a game of duplicate, or judge the slips of a round, lay the top and draw the next rack."""
        return with_language_headers(Response(duplicate(data, request_call()), mimetype=JSON))
