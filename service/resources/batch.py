"""/batch: many requests in one body, each with an answer of its own."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import Final

import orjson
from flask import Response, request
from flask.views import MethodView

from engine import Deadline
from service.batch import Batch as Items
from service.batch import answer_items, frame
from service.blueprint import Blueprint
from service.disconnects import until_disconnect
from service.job_requests import batch_job
from service.json_parser import check_no_query, read_body
from service.languages import accepted_language
from service.logs import add_log_fields
from service.operations import Call
from service.resources import examples
from service.schemas.batch import BatchAnswerSchema, BatchGameSchema, BatchPositionSchema
from service.schemas.jobs import JobSchema
from service.state import state
from service.streams import computed_stream
from service.view_rules import JSON, NDJSON, takes

blueprint = Blueprint("batch", __name__, description="Many positions and games at once")

_LINES: Final = "\n".join(orjson.dumps(item).decode() for item in examples.BATCH["positions"]["value"])
_BODY: Final = {
    "required": True,
    "content": {
        JSON: {
            "schema": {"type": "array", "items": {"anyOf": [BatchPositionSchema(), BatchGameSchema()]}},
            "examples": examples.BATCH,
        },
        NDJSON: {"schema": {"type": "string"}, "example": _LINES},
    },
}
_ANSWERS: Final = {
    "200": {
        "description": "an object for each item, in the same order: id, line, status, and answer or problem",
        "content": {
            NDJSON: {"schema": {"type": "string"}},
            JSON: {"schema": {"type": "array", "items": BatchAnswerSchema()}},
        },
    }
}


@blueprint.route("/batch")
@takes(JSON, NDJSON, max_bytes="max_batch_bytes")
class Batch(MethodView):
    """Many requests in one."""

    @blueprint.doc(operationId="batch", requestBody=_BODY, responses=_ANSWERS)
    @blueprint.alt_response(
        202, schema=JobSchema, description="a job: the batch is long, has searches or many explanations"
    )
    @blueprint.problems(400, 411, 413, 415, 422, 429, 503)
    def post(self) -> Response:
        """Answer many requests of /analyze and /games/annotate, in their order, as lines or as a list.

        The body is lines of JSON (application/x-ndjson) or one JSON array. An item with `gcg` but without
        `turn` is a game to annotate, any other item a position to analyze. The answer repeats `id`, a string
        or an integer. A wrong item gets a problem and does not affect the others. An explanation of an item
        without `lang` is in the language of Accept-Language.
        """
        service = state()
        check_no_query(request)
        items = Items(read_body(request), request.mimetype, service.settings)
        job = batch_job(items)
        if job is not None:
            return job
        add_log_fields(items=len(items))

        ends = Deadline.after(service.settings.sync_ms)  # of all explanations together
        analyze = partial(service.analyst.answer, ends=ends)
        # The batch holds one slot for all of its items, and its annotations have no time limit.
        call = Call(analyze, nullcontext, accepted_language(), service.settings.lexicon)
        answers = frame(answer_items(items, call), items.media_type)
        if items.media_type == NDJSON:
            return computed_stream(answers, NDJSON)
        with service.searches.slot():
            body = b"".join(until_disconnect(answers))
        return Response(body, mimetype=JSON, headers={"Cache-Control": "no-store"})
