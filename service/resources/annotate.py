"""/games/annotate: the mistakes of a recorded game, turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from flask import Response, request
from flask.views import MethodView

from engine import Deadline
from service.annotation import MEDIA_TYPES, annotation_document, annotation_lines, read_record
from service.blueprint import Blueprint
from service.job_requests import annotation_job
from service.json_parser import check_no_query, load, read_body, read_json
from service.languages import CONTENT_LANGUAGE, answer_language, prefer_language, with_language_headers
from service.logs import add_log_fields
from service.operations.positions import annotate_game
from service.resources import examples
from service.resources.calls import searching
from service.schemas.annotate import AnnotateQuerySchema, options_of_query
from service.schemas.annotation_answers import AnnotationSchema
from service.schemas.jobs import JobSchema
from service.state import state
from service.streams import computed_stream
from service.view_rules import JSON, NDJSON, TEXT, takes

if TYPE_CHECKING:
    from collections.abc import Mapping

blueprint = Blueprint("annotate", __name__, description="Annotations of recorded games")

_BODY: Final = annotate_game.schema
_REQUEST: Final = {
    "required": True,
    "content": {
        JSON: {"schema": _BODY, "examples": examples.GAMES},
        TEXT: {
            "schema": {"type": "string", "format": "binary", "description": "a record in the GCG format"},
            "example": examples.GAMES["game"]["value"]["gcg"],
        },
    },
}
_TEXTS: Final = {one: {"schema": {"type": "string"}} for one in MEDIA_TYPES[1:]}
_ANSWERS: Final = {
    "200": {
        "description": "the annotation: one document, or with `Accept: application/x-ndjson` lines of the "
        "types game, turn, event, summary and end, each sent when it is computed; with `Accept: text/plain` "
        "the record as GCG with the annotation in its notes; with `Accept: text/html` a page with boards",
        "headers": CONTENT_LANGUAGE,
        "content": {JSON: {"schema": AnnotationSchema()}, **_TEXTS},
    }
}


@blueprint.route("/games/annotate")
@takes(JSON, TEXT, max_bytes="max_gcg_bytes")
class Annotate(MethodView):
    """The annotation of a recorded game."""

    @blueprint.problems(411, 413, 415)  # of the body, which is not always JSON
    @blueprint.arguments(AnnotateQuerySchema(), location="query")
    @blueprint.doc(operationId=annotate_game.name, requestBody=_REQUEST, responses=_ANSWERS)
    @blueprint.alt_response(
        202, schema=JobSchema, description="a job: for long simulations, or if the client prefers one"
    )
    def post(self, options: dict[str, Any]) -> Response:
        """Annotate a recorded game: every turn with its best move and the loss, then a summary.

        The body is JSON, or the record itself as text/plain in any encoding of GCG files, with the options in
        the query.
        """
        data = {"lang": answer_language(), **_read(options)}
        wanted = read_record(data)
        media_type = _wanted_type()
        if (job := annotation_job(wanted, media_type)) is not None:
            return job
        add_log_fields(lexicon=wanted.lexicon.id)
        if media_type == NDJSON:
            deadline = Deadline.after(state().settings.sync_ms)
            response = computed_stream(annotation_lines(wanted, deadline), NDJSON)
        else:
            with searching() as deadline:
                body = annotation_document(wanted, media_type, deadline)
            response = Response(body, mimetype=media_type, headers={"Cache-Control": "no-store"})
        return with_language_headers(response)


def _read(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the loaded request, from the JSON body or from the record with the options of the query."""
    if request.mimetype == TEXT:
        return _load({**options_of_query(options), "gcg": read_body(request)})
    check_no_query(request)
    document = read_json(read_body(request), state().settings.max_depth)
    prefer_language(document)
    return _load(document)


def _load(document: Any) -> dict[str, Any]:
    found: dict[str, Any] = load(document, _BODY)
    return found


def _wanted_type() -> str:
    """Return the media type of the answer; a client that accepts several equally gets JSON."""
    best = request.accept_mimetypes.best_match(MEDIA_TYPES, default=JSON)
    return best or JSON
