"""/jobs: the state of a job, its progress, its result, and cancelling it."""

from __future__ import annotations

import re
import time
from threading import Event
from typing import TYPE_CHECKING, Final

from flask import Response, stream_with_context
from flask.views import MethodView

from engine import Text
from service.annotation import MEDIA_TYPES
from service.blueprint import Blueprint
from service.disconnects import on_disconnect
from service.job_requests import caller_hash, jobs
from service.jobs import FAILED, JobsUnavailableError
from service.keys import caller
from service.logs import add_log_fields
from service.problem_objects import ErrorItem
from service.problems import Problem
from service.resources import examples
from service.schemas.annotation_answers import AnnotationSchema
from service.schemas.answers import AnalysisSchema
from service.schemas.batch import BatchAnswerSchema
from service.schemas.jobs import JobListSchema, JobSchema, dump_job, dump_jobs
from service.state import draining, state
from service.view_rules import JSON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.jobs import JobStatus

blueprint = Blueprint("jobs", __name__, description="Long work")

POLL_SECONDS: Final = 0.5
KEEP_ALIVE_SECONDS: Final = 5.0
"""The longest pause in a stream of events: proxies close idle connections."""

_ID: Final = re.compile("[0-9a-f]{32}")
_EVENTS: Final = "text/event-stream"
_NOT_STORED: Final = {"Cache-Control": "no-store"}
_ANSWERS: Final = [AnalysisSchema(), AnnotationSchema(), {"type": "array", "items": BatchAnswerSchema()}]
_TEXTS: Final = {one: {"schema": {"type": "string"}} for one in MEDIA_TYPES[1:]}
_RESULT: Final = {
    "200": {
        "description": "the answer of the operation: JSON, or what the request accepted",
        "content": {JSON: {"schema": {"anyOf": _ANSWERS}}, **_TEXTS},
    }
}
_EVENT: Final = {
    "additionalProperties": False,
    "type": "object",
    "properties": {
        "event": {"type": "string", "enum": ["progress", "end"]},
        "data": {"type": "string", "contentMediaType": JSON, "description": "the job"},
        "retry": {"type": "integer"},
    },
}
_STREAM: Final = {"anyOf": [{"type": "string"}, _EVENT], "description": "server-sent events"}
_PATH = {
    "in": "path",
    "name": "job_id",
    "description": "id of a job",
    "example": examples.JOB_ID,
    "schema": {"type": "string", "pattern": f"^{_ID.pattern}$"},
}


@blueprint.route("/jobs")
class JobList(MethodView):
    """The jobs of the owner of an API key."""

    @blueprint.doc(operationId="list_jobs")
    @blueprint.response(200, JobListSchema)
    @blueprint.problems(401, 503)
    def get(self) -> Response:
        """List the jobs that were submitted with your API key, the newest first."""
        if not caller().keyed:
            headers = {"WWW-Authenticate": 'Bearer realm="kibitz"'}
            raise Problem(
                401, "key_required", Text("only the owner of an API key has a list of jobs"), headers=headers
            )
        return Response(dump_jobs(jobs().of_owner(caller_hash())), mimetype=JSON, headers=_NOT_STORED)


@blueprint.route("/jobs/<string:job_id>", parameters=[_PATH])
class Job(MethodView):
    """A job."""

    @blueprint.doc(operationId="job")
    @blueprint.response(200, JobSchema)
    @blueprint.problems(404, 503)
    def get(self, job_id: str) -> Response:
        """Return the state of a job."""
        return _respond(_find(job_id))

    @blueprint.doc(operationId="cancel_job")
    @blueprint.response(200, JobSchema)
    @blueprint.problems(404, 503)
    def delete(self, job_id: str) -> Response:
        """Cancel a job: it stops within seconds, and its result is the one until then."""
        _find(job_id)
        status = jobs().cancel(job_id)
        if status is None:
            raise _unknown()
        return _respond(status)


@blueprint.route("/jobs/<string:job_id>/result", parameters=[_PATH])
class Result(MethodView):
    """The result of a job."""

    @blueprint.doc(operationId="job_result", responses=_RESULT)
    @blueprint.problems(400, 404, 409, 410, 413, 422, 503)
    def get(self, job_id: str) -> Response:
        """Return the answer of the operation; for a failed job, its problem."""
        status = _find(job_id)
        if status.state == FAILED:
            raise _problem_of(status)
        if status.is_open:
            headers = {"Retry-After": "1"}
            raise Problem(
                409, "job_not_done", Text("the job is {state}", state=status.state), headers=headers
            )
        body = jobs().result(job_id)
        if body is None:
            raise Problem(410, "job_cancelled", Text("the job was cancelled before it had a result"))
        return Response(body, content_type=status.media_type, headers=_NOT_STORED)


@blueprint.route("/jobs/<string:job_id>/events", parameters=[_PATH])
class Events(MethodView):
    """The progress of a job."""

    @blueprint.doc(operationId="job_events")
    @blueprint.response(200, _STREAM, content_type=_EVENTS)
    @blueprint.problems(404, 503)
    def get(self, job_id: str) -> Response:
        """Follow a job by server-sent events: "progress" at each change, last "end"; the data is the job."""
        status = _find(job_id)
        streams = state().streams
        if not streams.acquire(blocking=False):
            detail = Text("the server already has as many streams as it allows; poll the job instead")
            raise Problem(503, "too_many_streams", detail, headers={"Retry-After": "5"})
        response = Response(
            stream_with_context(_events(status)),
            content_type=_EVENTS,
            headers={**_NOT_STORED, "X-Accel-Buffering": "no"},  # nginx would buffer the events
        )
        response.call_on_close(streams.release)
        return response


def _find(job_id: str) -> JobStatus:
    """Return a job; raises a Problem (404) if it does not exist or belongs to another key."""
    found = jobs()
    status = found.status(job_id) if _ID.fullmatch(job_id) else None
    if status is None or (status.owner is not None and status.owner != caller_hash()):
        raise _unknown()
    add_log_fields(job=job_id)
    return status


def _respond(status: JobStatus) -> Response:
    response = Response(dump_job(status), mimetype=JSON, headers=_NOT_STORED)
    if status.is_open:
        response.headers["Retry-After"] = "1"
    return response


def _events(status: JobStatus | None) -> Iterator[bytes]:
    """Yield the events of a job until it has ended, this server stops, or the client disconnects."""
    disconnected = Event()
    with on_disconnect(disconnected.set):
        yield b"retry: 2000\n\n"
        sent, sent_at = b"", time.monotonic()
        while status is not None:
            if (body := dump_job(status)) != sent:
                name = b"progress" if status.is_open else b"end"
                yield b"event: " + name + b"\ndata: " + body + b"\n\n"
                sent, sent_at = body, time.monotonic()
            if not status.is_open or draining.value or disconnected.wait(POLL_SECONDS):
                return
            if time.monotonic() - sent_at > KEEP_ALIVE_SECONDS:
                yield b": keep-alive\n\n"
                sent_at = time.monotonic()
            try:
                status = jobs().status(status.id)
            except JobsUnavailableError:
                return  # the client will connect again


def _problem_of(status: JobStatus) -> Problem:
    body = status.problem or {}
    errors = [ErrorItem(**item) for item in body.get("errors", ())]
    code = body.get("status", 500)
    headers = {"Retry-After": "10"} if code == 503 else None
    detail = body.get("detail", "")
    return Problem(
        code, body.get("code", "internal_error"), detail, errors, params=body.get("params"), headers=headers
    )


def _unknown() -> Problem:
    return Problem(
        404, "unknown_job", Text("there is no job with this id; jobs are stored for a limited time")
    )
