"""What is told of a job."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import orjson

from service.jobs.interface import ANALYZE, DONE
from service.schemas.answers import ProblemSchema
from service.schemas.shapes import Shape, part, text, whole

if TYPE_CHECKING:
    from service.jobs.interface import JobState


def dump_job(state: JobState) -> bytes:
    """Encode a job as JSON, its fields in their fixed order."""
    address = f"/jobs/{state.id}"
    done, total = _steps(state)
    return orjson.dumps(
        {
            "id": state.id,
            "kind": state.kind,
            "state": state.state,
            "done": done,
            "total": total,
            "submitted_at": _moment(state.submitted_at),
            "started_at": _moment(state.started_at),
            "finished_at": _moment(state.finished_at),
            "result": f"{address}/result" if state.state == DONE else None,
            "events": f"{address}/events",
            "problem": state.problem,
        }
    )


def _steps(state: JobState) -> tuple[int, int]:
    """Return the steps done, and those in all; of a search, which has none, the seconds that it may take."""
    if state.state == DONE:
        known = state.total if state.kind == ANALYZE else state.done  # the total may have been a guess
        return known, known
    if state.kind != ANALYZE or state.started_at is None:
        return state.done, state.total
    spent = int((state.finished_at or time.time()) - state.started_at)
    return max(0, min(spent, state.total)), state.total


def _moment(seconds: float | None) -> str | None:
    return (
        None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    )


class JobSchema(Shape):
    """A job, and how it stands."""

    id = text("SHA-256 of all that the result follows from: the same request is the same job")
    kind = text("analyze, annotate or batch")
    state = text("queued, running, done, failed or cancelled")
    done = whole("steps done: lines of an annotation, items of a batch, seconds of a search")
    total = whole("steps in all; of an annotation about as many, of a search at most")
    submitted_at = text("when it was submitted first, RFC 3339")
    started_at = text("when the work began, last time", null=True)
    finished_at = text("when it ended", null=True)
    result = text("where the result is; null until the job is done", null=True)
    events = text("where its progress is told as it goes (server-sent events)")
    problem = part("why it failed", ProblemSchema, null=True)
