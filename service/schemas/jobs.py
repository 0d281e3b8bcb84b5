"""Answers about jobs."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson

from service.jobs import ANALYZE, DONE
from service.schemas import answer_fields as field
from service.schemas.answer_fields import WIN_PCT_BY, WIN_PCT_LOW, AnswerSchema
from service.schemas.answers import (
    EffortSchema,
    EndgameReportSchema,
    PreendgameReportSchema,
    ProblemSchema,
    SimulationReportSchema,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.jobs import JobStatus


class MoveStateSchema(AnswerSchema):
    """What a running search has found of a move; the results of other searches are null."""

    move = field.string("8D RE.sINA a play, -ABC an exchange, - a pass")
    win_pct = field.number("chance to win, 0 to 100; null if only its range is known", null=True)
    win_pct_low = field.number(WIN_PCT_LOW, null=True)
    win_pct_high = field.number("the most, in the same way", null=True)
    win_pct_by = field.string(WIN_PCT_BY, null=True)
    sim = field.nested("result of the simulation so far", SimulationReportSchema, null=True)
    endgame = field.nested("estimate of the endgame search so far", EndgameReportSchema, null=True)
    preendgame = field.nested(
        "result of the pre-endgame search so far, without its draws", PreendgameReportSchema, null=True
    )


class SearchStateSchema(AnswerSchema):
    """What a running search has found so far."""

    phase = field.string("the search: simulate, preendgame or endgame")
    spent = field.nested("work done", EffortSchema)
    moves = field.list_of("moves, best first, at most 20", MoveStateSchema)


class JobSchema(AnswerSchema):
    """A job and its state."""

    id = field.string("secret: without API keys, anyone who knows it can follow, fetch and cancel the job")
    kind = field.string("analyze, annotate or batch")
    state = field.string("queued, running, done, failed or cancelled")
    done = field.integer(
        "number of steps done: parts of an annotation, items of a batch, seconds of a search"
    )
    total = field.integer("number of all steps: an estimate for an annotation, the maximum for a search")
    submitted_at = field.string("time of submission, RFC 3339")
    started_at = field.string("time when the work started, the last time if it was started again", null=True)
    finished_at = field.string("time when the job ended", null=True)
    result = field.string("path of the result; for a cancelled job, the result until then", null=True)
    events = field.string("path of its progress as server-sent events")
    so_far = field.nested(
        "what a running search has found, several times a second; null if it has not reported, or has ended",
        SearchStateSchema,
        null=True,
    )
    problem = field.nested("why the job failed", ProblemSchema, null=True)


class JobListSchema(AnswerSchema):
    """The jobs of the owner of an API key."""

    jobs = field.list_of("the newest first, at most 200", JobSchema)


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
        "so_far": status.so_far if status.is_open else None,
        "problem": status.problem,
    }


def _steps(status: JobStatus) -> tuple[int, int]:
    """Return the steps done and all steps; for a search, which has no steps, seconds of its time limit."""
    if status.state == DONE:
        steps = status.total if status.kind == ANALYZE else status.done  # the total may be an estimate
        return steps, steps
    if status.kind != ANALYZE or status.started_at is None:
        return status.done, status.total
    spent = int((status.finished_at or time.time()) - status.started_at)
    return max(0, min(spent, status.total)), status.total


def _moment(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
