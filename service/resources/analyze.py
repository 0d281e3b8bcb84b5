"""/analyze: the moves of a position, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from flask.views import MethodView

from service.blueprint import Blueprint
from service.job_requests import analysis_job
from service.languages import CONTENT_LANGUAGE, with_language, with_language_headers
from service.logs import add_log_fields
from service.operations.positions import analyze
from service.resources import examples
from service.resources.conditional import ETAG_HEADER, conditional
from service.schemas.analyze import AnalyzeQuerySchema, has_sentences_of_its_own
from service.schemas.answers import AnalysisSchema
from service.schemas.jobs import JobSchema
from service.schemas.pointers import pointing
from service.schemas.reading import read_request
from service.state import state

if TYPE_CHECKING:
    from engine import AnalysisRequest, Lexicon, Timings

blueprint = Blueprint("analyze", __name__, description="Moves of a position")

_HEADERS = {
    "Server-Timing": {"description": "milliseconds: board, gen, eval, total", "schema": {"type": "string"}},
    **CONTENT_LANGUAGE,
}


@blueprint.route("/analyze")
class Analyze(MethodView):
    """The moves of a position."""

    @blueprint.operation(analyze, location="json", examples=examples.REQUESTS)
    @blueprint.response(200, AnalysisSchema, headers=_HEADERS)
    @blueprint.alt_response(202, schema=JobSchema, description="a job: a long search")
    def post(self, data: dict[str, Any]) -> Response:
        """List the moves of a position, best first."""
        data = with_language(data)
        return _respond(data, *read_request(data))

    @blueprint.doc(operationId="analyze_cgp")
    @blueprint.arguments(AnalyzeQuerySchema(), location="query")
    @blueprint.response(200, AnalysisSchema, headers=_HEADERS | ETAG_HEADER)
    @blueprint.unchanged
    def get(self, data: dict[str, Any]) -> Response:
        """List the moves of a position given as CGP, best first."""
        data = with_language(data)
        wanted, lexicon = read_request(data)
        answer = conditional(state().analyst.etag(wanted, lexicon), lambda: _respond(data, wanted, lexicon))
        return _name_language(answer, wanted)


def server_timing(timings: Timings, *, cached: bool) -> str:
    """Return the Server-Timing header of an answer: milliseconds by stage, and whether it was cached."""
    stages = ("board", "gen", "eval", "total")
    parts = [f"{stage};dur={getattr(timings, stage) * 1000:.3f}" for stage in stages]
    return ", ".join([*parts, f'cache;desc="{"hit" if cached else "miss"}"'])


def _respond(data: dict[str, Any], wanted: AnalysisRequest, lexicon: Lexicon) -> Response:
    if (job := analysis_job(data, wanted, lexicon)) is not None:
        return job
    with pointing(data):
        answer = state().analyst.answer(wanted, lexicon)
    add_log_fields(cache="hit" if answer.stored else "miss", lexicon=lexicon.id)
    headers = {"Server-Timing": server_timing(answer.timings, cached=answer.stored)}
    response = Response(answer.body, mimetype="application/json", headers=headers)
    return _name_language(response, wanted)


def _name_language(response: Response, wanted: AnalysisRequest) -> Response:
    """Return the response; if its answer has or may have sentences, with headers about their language."""
    has_sentences = has_sentences_of_its_own(wanted.options) or wanted.warnings
    return with_language_headers(response) if has_sentences else response
