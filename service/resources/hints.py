"""/hints: hints about the best move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from flask import Response
from flask.views import MethodView

from service.blueprint import Blueprint
from service.languages import CONTENT_LANGUAGE, answer_language, with_language_headers
from service.operations.positions import hint, hint_of, wanted_hint
from service.resources import examples
from service.resources.calls import request_call
from service.resources.conditional import ETAG_HEADER, conditional, etag_of
from service.schemas.hint import HintQuerySchema
from service.schemas.hint_answers import HintSchema
from service.schemas.pointers import pointing
from service.schemas.reading import read_position
from service.state import state
from service.view_rules import JSON

if TYPE_CHECKING:
    from engine import AnalysisRequest
    from service.schemas.reading import PositionReading

blueprint = Blueprint("hints", __name__, description="Hints about the best move")


@blueprint.route("/hints")
class Hints(MethodView):
    """Hints about the best move."""

    @blueprint.operation(hint, location="json", examples=examples.HINTS)
    @blueprint.response(200, HintSchema, headers=CONTENT_LANGUAGE)
    def post(self, data: dict[str, Any]) -> Response:
        """Return a hint about the best move, or the move itself on request.

        The move is the same at every level, unless a deadline cut its search (`deterministic` is false).
        The answer is 503 `table_not_ready` while the bingo tables that an evaluator needs are being built.
        """
        found = read_position(data)
        response = _respond(data, found, wanted_hint(data, found))
        response.headers["Cache-Control"] = "no-store"
        return with_language_headers(response)

    @blueprint.doc(operationId="hint_cgp")
    @blueprint.arguments(HintQuerySchema(), location="query")
    @blueprint.response(200, HintSchema, headers={**ETAG_HEADER, **CONTENT_LANGUAGE})
    @blueprint.unchanged
    def get(self, data: dict[str, Any]) -> Response:
        """Return a hint about the best move of a position given as CGP."""
        found = read_position(data)
        wanted = wanted_hint(data, found)
        with pointing(data):
            key = state().analyst.etag(wanted, found.lexicon)
        etag = etag_of(key, f"{data['level']} {data['levels']} {data['reveal']} {answer_language()}")
        return with_language_headers(conditional(etag, lambda: _respond(data, found, wanted)))


def _respond(data: dict[str, Any], found: PositionReading, wanted: AnalysisRequest) -> Response:
    answered = hint_of(data, found, wanted, request_call())
    response = Response(orjson.dumps(answered), mimetype=JSON)
    if not answered["provenance"]["deterministic"]:
        response.headers["Cache-Control"] = "no-store"
    return response
