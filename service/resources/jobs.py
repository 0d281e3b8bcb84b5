"""/jobs: how a job stands, its progress as it goes, its result, and letting go of it."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final

from flask import Response, current_app, g
from flask.views import MethodView

from service.jobs.asking import holder, jobs
from service.jobs.batch_lines import JSON, NDJSON
from service.jobs.interface import DONE, FAILED, JobsUnavailableError
from service.jobs.problems import (
    no_result,
    not_held,
    problem_from,
    too_many_streams,
    unavailable,
    unknown_job,
)
from service.json_parser import Blueprint
from service.protection.audience import connection, has_gone
from service.resources import examples
from service.schemas.jobs import JobSchema, dump_job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from threading import BoundedSemaphore

    from service.jobs.interface import Jobs, JobState
    from service.protection.audience import Connection

blueprint = Blueprint("jobs", __name__, description="Long work")

LOOK_SECONDS: Final = 0.25
KEEP_ALIVE_SECONDS: Final = 5.0
"""How long a stream is silent at most, for those on the way who close what is silent."""

_NAME: Final = re.compile("[0-9a-f]{64}")
_EVENTS: Final = "text/event-stream"
_RESULT = {
    "200": {
        "description": "as the operation answers: JSON of an analysis and of a list, else lines",
        "content": {JSON: {"schema": {}}, NDJSON: {"schema": {"type": "string"}}},
    }
}
_ID = {"in": "path", "name": "job_id", "description": "id of a job", "example": examples.JOB_ID}


def _found(job_id: str) -> JobState:
    found = jobs()
    if not _NAME.fullmatch(job_id):  # nor may it name anything else that the back end keeps
        raise unknown_job()
    g.log_fields = {"job": job_id}
    try:
        state = found.look(job_id)
    except JobsUnavailableError as error:
        raise unavailable(str(error)) from None
    if state is None:
        raise unknown_job()
    return state


def _told(state: JobState) -> Response:
    response = Response(dump_job(state), mimetype="application/json", headers={"Cache-Control": "no-store"})
    if state.is_open:
        response.headers["Retry-After"] = "1"
    return response


@blueprint.route("/jobs/<string:job_id>", parameters=[_ID])
class Job(MethodView):
    """A job."""

    @blueprint.response(200, JobSchema)
    @blueprint.problems(404, 503)
    def get(self, job_id: str) -> Response:
        """Tell how a job stands."""
        return _told(_found(job_id))

    @blueprint.response(200, JobSchema)
    @blueprint.problems(404, 503)
    def delete(self, job_id: str) -> Response:
        """Let go of a job; the work stops within a second when all who submitted it have let go."""
        before = _found(job_id)
        try:
            state, held = jobs().let_go(job_id, holder())
        except JobsUnavailableError as error:
            raise unavailable(str(error)) from None
        if state is None:
            raise unknown_job()
        if not held and before.is_open:
            raise not_held()
        return _told(state)


@blueprint.route("/jobs/<string:job_id>/result", parameters=[_ID])
class Result(MethodView):
    """The result of a job."""

    @blueprint.doc(responses=_RESULT)
    @blueprint.problems(400, 404, 409, 410, 413, 422, 503)
    def get(self, job_id: str) -> Response:
        """Get the bytes that the operation would have answered at once; of a failed job, its problem."""
        state = _found(job_id)
        if state.state == FAILED:
            raise problem_from(state.problem)
        if state.state != DONE:
            raise no_result(state)
        try:
            pieces = jobs().result(job_id)
        except JobsUnavailableError as error:
            raise unavailable(str(error)) from None
        if pieces is None:
            raise unknown_job()
        return Response(pieces, content_type=state.media_type, headers={"Cache-Control": "no-store"})


@blueprint.route("/jobs/<string:job_id>/events", parameters=[_ID])
class Events(MethodView):
    """The progress of a job."""

    @blueprint.response(200, {"type": "string"}, content_type=_EVENTS)
    @blueprint.problems(404, 503)
    def get(self, job_id: str) -> Response:
        """Follow a job by server-sent events: "progress" as it goes, "end" last, each with the job."""
        state = _found(job_id)
        streams: BoundedSemaphore = current_app.config["STREAMS"]
        if not streams.acquire(blocking=False):
            raise too_many_streams()
        response = Response(
            _events(jobs(), state, current_app.config["IS_DRAINING"], connection()),
            content_type=_EVENTS,
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},  # nginx would hold them back
        )
        response.call_on_close(streams.release)
        return response


def _events(
    found: Jobs, state: JobState | None, is_draining: Callable[[], bool], client: Connection | None
) -> Iterator[bytes]:
    """Yield the events of a job until it has ended, this server is about to, or the client has gone."""
    yield b"retry: 2000\n\n"
    told, told_at = b"", time.monotonic()
    while state is not None:
        if (news := dump_job(state)) != told:
            event = b"progress" if state.is_open else b"end"
            yield b"event: " + event + b"\ndata: " + news + b"\n\n"
            told, told_at = news, time.monotonic()
        if not state.is_open or is_draining() or has_gone(client):
            return
        if time.monotonic() - told_at > KEEP_ALIVE_SECONDS:
            yield b": keep-alive\n\n"
            told_at = time.monotonic()
        time.sleep(LOOK_SECONDS)
        try:
            state = found.look(state.id)
        except JobsUnavailableError:
            return  # the reader comes again
