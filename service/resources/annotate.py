"""/games/annotate: what was good and what was not in a recorded game, line by line."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from flask import Response
from flask.views import MethodView

from service.jobs.asking import annotation_job
from service.jobs.operations import annotation
from service.json_parser import Blueprint
from service.middleware import add_log_fields
from service.protection.audience import while_present
from service.resources import examples
from service.schemas.annotate import AnnotateBody, dump_notes
from service.schemas.jobs import JobSchema
from service.state import state

blueprint = Blueprint("annotate", __name__, description="Records of whole games")

_BODY = AnnotateBody()
_LINES = {"type": "string"}
_MEDIA_TYPE = "application/x-ndjson"


@blueprint.route("/games/annotate")
class Annotate(MethodView):
    """The annotation of a recorded game."""

    @blueprint.arguments(_BODY, examples=examples.GAMES)
    @blueprint.response(200, _LINES, content_type=_MEDIA_TYPE)
    @blueprint.alt_response(
        202, schema=JobSchema, description="a job: long simulations, or as the sender prefers"
    )
    @blueprint.problems(400, 404, 411, 413, 415, 422, 429, 503)
    def post(self, data: dict[str, Any]) -> Response:
        """Annotate a recorded game: a line of JSON for the game, each turn, the summary and the end."""
        service = state()
        found = annotation(analyst, data, service.settings.lexicon)
        job = annotation_job(data, found.lexicon, found.options, found.steps)
        if job is not None:
            return job
        add_log_fields(lexicon=found.lexicon.id)
        room = ExitStack()
        room.enter_context(service.searches.slot())  # until the last line is sent, or the reader has gone
        response = Response(
            while_present(dump_notes(found.notes)),
            content_type=_MEDIA_TYPE,
            headers={"Cache-Control": "no-store"},
        )
        response.call_on_close(room.close)
        return response
