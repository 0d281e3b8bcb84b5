"""/hints: hints about the best move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from flask import Response
from flask.views import MethodView

from engine import HINT_MS, hint_request
from service.documents import dump_hints, read_hint
from service.json_parser import Blueprint
from service.languages import CONTENT_LANGUAGE, answer_language, with_language_headers
from service.logs import add_log_fields
from service.resources import examples
from service.resources.conditional import ETAG_HEADER, conditional, etag_of
from service.schemas.hint import HintQuerySchema, HintRequestSchema
from service.schemas.hint_answers import HintSchema
from service.schemas.pointers import pointing
from service.schemas.reading import read_position
from service.state import state

if TYPE_CHECKING:
    from engine import AnalysisRequest
    from service.schemas.reading import PositionReading

blueprint = Blueprint("hints", __name__, description="Hints about the best move")


@blueprint.route("/hints")
class Hints(MethodView):
    """Hints about the best move."""

    @blueprint.doc(operationId="hint")
    @blueprint.arguments(HintRequestSchema(), examples=examples.HINTS)
    @blueprint.response(200, HintSchema, headers=CONTENT_LANGUAGE)
    def post(self, data: dict[str, Any]) -> Response:
        """Return a hint about the best move, or the move itself on request.

        The move is the same at every level, unless a deadline cut its search (`deterministic` is false).
        The answer is 503 `table_not_ready` while the bingo tables that an evaluator needs are being built.
        """
        found = read_position(data)
        response = _respond(data, found, _request(data, found))
        response.headers["Cache-Control"] = "no-store"
        return with_language_headers(response)

    @blueprint.doc(operationId="hint_cgp")
    @blueprint.arguments(HintQuerySchema(), location="query")
    @blueprint.response(200, HintSchema, headers={**ETAG_HEADER, **CONTENT_LANGUAGE})
    @blueprint.unchanged
    def get(self, data: dict[str, Any]) -> Response:
        """Return a hint about the best move of a position given as CGP."""
        found = read_position(data)
        wanted = _request(data, found)
        with pointing(data):
            key = state().analyst.etag(wanted, found.lexicon)
        etag = etag_of(key, f"{data['level']} {data['levels']} {data['reveal']} {answer_language()}")
        return with_language_headers(conditional(etag, lambda: _respond(data, found, wanted)))


def _request(data: dict[str, Any], found: PositionReading) -> AnalysisRequest:
    """Return the analysis that the hint is about, with a search that is short enough to be no job."""
    max_ms = min(HINT_MS, state().settings.sync_ms)
    return hint_request(found.position, data["evaluator"], found.warnings, max_ms=max_ms)


def _respond(data: dict[str, Any], found: PositionReading, wanted: AnalysisRequest) -> Response:
    """Answer with the hint of a level; all levels are encoded and cached together, so they agree."""
    lang = answer_language()
    with pointing(data):
        answer = state().analyst.answer(
            wanted,
            found.lexicon,
            lambda analysis: dump_hints(analysis, wanted, lang),
            f"list of hints {lang}",
        )
    add_log_fields(cache="hit" if answer.stored else "miss", lexicon=found.lexicon.id)
    all_levels = data["levels"] == "all"
    hint = read_hint(answer.body, data["level"], reveal=data["reveal"], all_levels=all_levels)
    response = Response(orjson.dumps(hint), mimetype="application/json")
    if not hint["provenance"]["deterministic"]:
        response.headers["Cache-Control"] = "no-store"
    return response
