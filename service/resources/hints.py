"""/hints: hints about the best play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from flask.views import MethodView

from engine import AnalysisOptions, AnalysisRequest, hint
from service.json_parser import Blueprint
from service.middleware import add_log_fields
from service.resources import examples
from service.resources.conditional import ETAG_HEADER, conditional, etag_of
from service.schemas.answers import dump_with_warnings
from service.schemas.hint import HintQuerySchema, HintRequestSchema, HintSchema
from service.schemas.pointers import pointing
from service.schemas.reading import read_position
from service.state import state

if TYPE_CHECKING:
    from service.schemas.reading import PositionReading

blueprint = Blueprint("hints", __name__, description="Hints about the best play")


@blueprint.route("/hints")
class Hints(MethodView):
    """Hints about the best play."""

    @blueprint.doc(operationId="hint")
    @blueprint.arguments(HintRequestSchema(), examples=examples.HINTS)
    @blueprint.response(200, HintSchema)
    @blueprint.problems(400, 404, 411, 413, 415, 422, 429)
    def post(self, data: dict[str, Any]) -> Response:
        """Return a hint about the best play, the same play at every level, or the play itself on request."""
        response = _respond(data, read_position(data))
        response.headers["Cache-Control"] = "no-store"
        return response

    @blueprint.doc(operationId="hint_cgp")
    @blueprint.arguments(HintQuerySchema(), location="query")
    @blueprint.response(200, HintSchema, headers=ETAG_HEADER)
    @blueprint.unchanged
    @blueprint.problems(400, 404, 422, 429)
    def get(self, data: dict[str, Any]) -> Response:
        """Return a hint about the best play of a position given as CGP."""
        found = read_position(data)
        options = AnalysisOptions(top_n=1, evaluator=data["evaluator"])
        with pointing(data):
            key = state().analyst.etag(
                AnalysisRequest(found.position, options, found.warnings), found.lexicon
            )
        etag = etag_of(key, f"{data['level']} {data['reveal']}")
        return conditional(etag, lambda: _respond(data, found))


def _respond(data: dict[str, Any], found: PositionReading) -> Response:
    with pointing(data):
        given = hint(
            found.position,
            found.lexicon,
            data["level"],
            reveal=data["reveal"],
            evaluator=data["evaluator"],
            store=state().cache,
        )
    add_log_fields(lexicon=found.lexicon.id)
    return Response(dump_with_warnings(given, found.warnings), mimetype="application/json")
