"""/analyze: the moves of a position, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, current_app
from flask.globals import app_ctx, request_ctx
from flask.views import MethodView

from service.jobs.asking import analysis_job
from service.observability.timing import server_timing
from service.openapi import Blueprint
from service.parsing import read_body
from service.resources import examples
from service.resources.conditional import ETAG_HEADER, conditional
from service.schemas.analyze import AnalyzeBody, AnalyzeQuery
from service.schemas.answers import AnalysisShape
from service.schemas.jobs import JobShape
from service.schemas.reading import pointing, read_request

if TYPE_CHECKING:
    from engine import AnalysisRequest, Answer, Lexicon
    from service.analyst import Analyst

blueprint = Blueprint("analyze", __name__, description="Moves of a position")

# Instances: of a class, the parser would make a new one for every request.
_BODY, _QUERY = AnalyzeBody(), AnalyzeQuery()

_TIMING = {
    "Server-Timing": {"description": "milliseconds: board, gen, eval, total", "schema": {"type": "string"}}
}


def _analyst() -> Analyst:
    analyst: Analyst = current_app.config["ANALYST"]
    return analyst


def _read(data: dict[str, Any], analyst: Analyst) -> tuple[AnalysisRequest, Lexicon]:
    return read_request(data, analyst.catalogue, analyst.settings.lexicon)


def _respond(
    data: dict[str, Any],
    analyst: Analyst,
    wanted: AnalysisRequest,
    lexicon: Lexicon,
    body: bytes | None = None,
) -> Response:
    with pointing(data):
        answer = analyst.answer(wanted, lexicon, body)
    return _response(answer, lexicon)


def _response(answer: Answer, lexicon: Lexicon) -> Response:
    app_ctx.g.log_fields = {"cache": "hit" if answer.stored else "miss", "lexicon": lexicon.id}
    response = Response(answer.body, mimetype="application/json")
    response.headers["Server-Timing"] = server_timing(answer)
    return response


def answer_at_once() -> Response | None:
    """Answer a body whose very bytes were answered before; the guards have let it in, as any other."""
    asked = request_ctx.request
    if asked.method != "POST":
        return None
    recalled = _analyst().recall(read_body(asked))
    return None if recalled is None else _response(*recalled)


blueprint.before_request(answer_at_once)


@blueprint.route("/analyze")
class Analyze(MethodView):
    """The moves of a position."""

    init_every_request = False  # it holds nothing

    @blueprint.arguments(_BODY, examples=examples.REQUESTS)
    @blueprint.response(200, AnalysisShape, headers=_TIMING)
    @blueprint.alt_response(202, schema=JobShape, description="a job: a long search; see Prefer in the text")
    @blueprint.problems(400, 404, 411, 413, 415, 422, 429, 503)
    def post(self, data: dict[str, Any]) -> Response:
        """List the moves of a position, best first."""
        analyst = _analyst()
        wanted, lexicon = _read(data, analyst)
        body = read_body(request_ctx.request)
        return analysis_job(data, wanted, lexicon) or _respond(data, analyst, wanted, lexicon, body)

    @blueprint.arguments(_QUERY, location="query")
    @blueprint.response(200, AnalysisShape, headers=_TIMING | ETAG_HEADER)
    @blueprint.alt_response(304, description="the answer has not changed since the ETag in If-None-Match")
    @blueprint.problems(400, 404, 422)
    def get(self, data: dict[str, Any]) -> Response:
        """List the moves of a position given as CGP, best first."""
        analyst = _analyst()
        wanted, lexicon = _read(data, analyst)
        return conditional(analyst.etag(wanted, lexicon), lambda: _respond(data, analyst, wanted, lexicon))
