"""/analyze: the moves of a position, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import current_app
from flask.globals import app_ctx, request_ctx
from flask.views import MethodView

from service.cache import name_of_bytes, name_of_document
from service.jobs.asking import analysis_job
from service.observability.timing import server_timing
from service.openapi import Blueprint
from service.parsing import load, read_body, read_object
from service.resources import examples
from service.resources.conditional import ETAG_HEADER, conditional
from service.resources.finished import Finished
from service.schemas.analyze import AnalyzeBody, AnalyzeQuery
from service.schemas.answers import AnalysisShape
from service.schemas.jobs import JobShape
from service.schemas.reading import pointing, read_request

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Response

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
    names: Iterable[bytes] | None = None,
) -> Response:
    with pointing(data):
        answer = analyst.answer(wanted, lexicon, names)
    return _response(answer, lexicon)


def _response(answer: Answer, lexicon: Lexicon) -> Response:
    app_ctx.g.log_fields = {"cache": "hit" if answer.stored else "miss", "lexicon": lexicon.id}
    return Finished(answer.body, ("Server-Timing", server_timing(answer)))


@blueprint.route("/analyze")
class Analyze(MethodView):
    """The moves of a position."""

    init_every_request = False  # it holds nothing

    @blueprint.body(_BODY, examples=examples.REQUESTS)
    @blueprint.response(200, AnalysisShape, headers=_TIMING)
    @blueprint.alt_response(202, schema=JobShape, description="a job: a long search; see Prefer in the text")
    @blueprint.problems(400, 404, 411, 413, 415, 422, 429, 503)
    def post(self) -> Response:
        """List the moves of a position, best first."""
        analyst = _analyst()
        body = read_body(request_ctx.request)
        name = name_of_bytes(body)
        known = analyst.known.find(name)
        if known is not None and (kept := analyst.recall(known)) is not None:
            return _response(kept, known.lexicon)
        document = read_object(body)
        names = name, name_of_document(document)
        same = analyst.known.find(names[1])
        if same is not None and same != known and (kept := analyst.recall(same)) is not None:
            analyst.known.note((name,), same)
            return _response(kept, same.lexicon)
        data = load(document, _BODY)
        wanted, lexicon = _read(data, analyst)
        return analysis_job(data, wanted, lexicon) or _respond(data, analyst, wanted, lexicon, names)

    @blueprint.arguments(_QUERY, location="query")
    @blueprint.response(200, AnalysisShape, headers=_TIMING | ETAG_HEADER)
    @blueprint.alt_response(304, description="the answer has not changed since the ETag in If-None-Match")
    @blueprint.problems(400, 404, 422)
    def get(self, data: dict[str, Any]) -> Response:
        """List the moves of a position given as CGP, best first."""
        analyst = _analyst()
        wanted, lexicon = _read(data, analyst)
        return conditional(analyst.etag(wanted, lexicon), lambda: _respond(data, analyst, wanted, lexicon))
