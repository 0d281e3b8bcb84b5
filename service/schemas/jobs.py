"""The answers about jobs."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import marshmallow as ma
import orjson

from service.jobs import ANALYZE, DONE
from service.schemas.answers import ProblemSchema
from service.schemas.shapes import Shape, items, part, text, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.jobs import JobStatus


class JobSchema(Shape):
    """A job, and how it stands."""

    id = text("unguessable: without API keys, whoever knows it may follow, fetch and cancel the job")
    kind = text("analyze, annotate or batch")
    state = text("queued, running, done, failed or cancelled")
    done = whole("steps done: parts of an annotation, items of a batch, seconds of a search")
    total = whole("steps in all; of an annotation about as many, of a search at most")
    submitted_at = text("when it was submitted, RFC 3339")
    started_at = text("when the work began, the last time", null=True)
    finished_at = text("when it ended", null=True)
    result = text("path of the result; of a cancelled job, what was known by then", null=True)
    events = text("path of its progress as server-sent events")
    problem = part("why it failed", ProblemSchema, null=True)


class JobListSchema(Shape):
    """The jobs of the owner of an API key."""

    jobs = items("the newest first, at most 200", ma.fields.Nested(JobSchema))


def dump_job(status: JobStatus) -> bytes:
    """Encode a job as JSON."""
    return orjson.dumps(_members(status))


def dump_jobs(statuses: Sequence[JobStatus]) -> bytes:
    """Encode a list of jobs as JSON."""
    return orjson.dumps({"jobs": [_members(status) for status in statuses]})


def _members(status: JobStatus) -> dict[str, Any]:
    path = f"/jobs/{status.id}"
    done, total = _steps(status)
    return {
        "id": status.id,
        "kind": status.kind,
        "state": status.state,
        "done": done,
        "total": total,
        "submitted_at": _moment(status.submitted_at),
        "started_at": _moment(status.started_at),
        "finished_at": _moment(status.finished_at),
        "result": f"{path}/result" if status.has_result else None,
        "events": f"{path}/events",
        "problem": status.problem,
    }


def _steps(status: JobStatus) -> tuple[int, int]:
    """Return the steps done, and those in all; of a search, which has none, the seconds that it may take."""
    if status.state == DONE:
        known = status.total if status.kind == ANALYZE else status.done  # the total may have been a guess
        return known, known
    if status.kind != ANALYZE or status.started_at is None:
        return status.done, status.total
    spent = int((status.finished_at or time.time()) - status.started_at)
    return max(0, min(spent, status.total)), status.total


def _moment(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
