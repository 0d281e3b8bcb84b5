"""/batch: many requests in one, each answered on a line of its own."""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import orjson
from flask import Response, current_app, g, request
from flask.views import MethodView

from engine import EngineError
from service.jobs.asking import batch_job, prefers_job
from service.jobs.batch_lines import JSON, NDJSON, answer_items, framed, read_items
from service.json_parser import Blueprint
from service.parsing import read_json
from service.problems import ErrorItem, Problem
from service.protection.audience import while_present
from service.resources import examples
from service.schemas.jobs import JobSchema
from service.state import state

if TYPE_CHECKING:
    from flask import Flask

    from engine import Lexicon

blueprint = Blueprint("batch", __name__, description="Many positions and games at once")

SEARCHES: Final = frozenset({"simulate", "endgame", "preendgame", "phase"})
"""The fields of an item that make it long work."""

_NAMED: Final = re.compile(rb'(?:"lexicon"\s*:\s*"|\blex |#lexicon )([A-Za-z0-9_.-]{1,64})')
_MOST_LEXICA: Final = 16  # looked for in a batch, so that its job has a name of its own

_LINES = "\n".join(orjson.dumps(item).decode() for item in examples.BATCH["positions"]["value"])
_BODY = {
    "required": True,
    "content": {
        JSON: {"schema": {"type": "array", "items": {"type": "object"}}, "examples": examples.BATCH},
        NDJSON: {"schema": {"type": "string"}, "example": _LINES},
    },
}
_ANSWERS = {
    "200": {
        "description": "an object for each item, in their order: id, line, status, and answer or problem",
        "content": {
            NDJSON: {"schema": {"type": "string"}},
            JSON: {"schema": {"type": "array", "items": {"type": "object"}}},
        },
    }
}


@blueprint.route("/batch")
class Batch(MethodView):
    """Many requests in one."""

    @blueprint.doc(requestBody=_BODY, responses=_ANSWERS)
    @blueprint.alt_response(202, schema=JobSchema, description="a job: the batch is long, or holds searches")
    @blueprint.problems(400, 411, 413, 415, 422, 429, 503)
    def post(self) -> Response:
        """Answer many requests of /analyze and /games/annotate, in their order, as lines or as a list.

        The body is lines of JSON (application/x-ndjson) or one JSON array. An item with `gcg`, but no
        `turn`, is a game to annotate, any other a position to analyze; `id`, a string or an integer, is
        echoed. An item that is wrong gets a problem and ends nothing.
        """
        settings = state().settings
        media_type = request.mimetype
        items = _items(settings, media_type)
        most = settings.batch_positions if media_type == JSON else settings.batch_lines
        if len(items) > most or prefers_job() or any(_searches(text) for _, text in items):
            return batch_job(items, media_type, _lexica(b"\n".join([text for _, text in items])))
        return _answered_now(items, media_type)


def _items(settings: Settings, media_type: str) -> list[tuple[int, bytes]]:
    """Return the items of the body, each with its number."""
    try:
        body = request.get_data(cache=False)
    except OSError:  # the client has gone, or has been silent for too long
        raise Problem(400, "body_incomplete", "the body ended before its Content-Length") from None
    if media_type == NDJSON:
        return read_items(body)
    document = read_json(body, settings.max_depth + 1)
    if not isinstance(document, list):
        raise Problem.invalid([ErrorItem("", "wrong_type", "the body must be a list")])
    return [(number, orjson.dumps(item)) for number, item in enumerate(document, 1)]


def _searches(item: bytes) -> bool:
    """Tell whether an item asks for a search."""
    try:
        document: Any = orjson.loads(item)
    except orjson.JSONDecodeError:
        return False
    return isinstance(document, dict) and not SEARCHES.isdisjoint(document)


def _lexica(body: bytes) -> list[Lexicon]:
    """Return the lexica that the items may be answered by, as far as they are at hand."""
    service = state()
    names = {service.settings.lexicon, *(name.decode().lower() for name in _NAMED.findall(body))}
    found = []
    for name in sorted(names)[:_MOST_LEXICA]:
        try:
            found.append(service.catalogue.open(name))
        except EngineError:
            continue  # the answer says so
    return found


def _answered_now(items: list[tuple[int, bytes]], media_type: str) -> Response:
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    analyst: Analyst = app.config["ANALYST"]
    g.log_fields = {"items": len(items)}
    room = ExitStack()
    room.enter_context(service.searches.slot())  # until the last line is sent, or the reader has gone
    found = answer_items(app, items, service.settings.batch_threads, service.settings.lexicon)
    answers = while_present(framed(found, media_type))
    response = Response(answers, content_type=media_type, headers={"Cache-Control": "no-store"})
    response.call_on_close(room.close)
    return response
