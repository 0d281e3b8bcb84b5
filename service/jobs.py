"""Jobs: what a back end of jobs does (`Jobs`), and the data about a job.

There are two back ends: with Redis `jobs_rq`, otherwise threads of this process in `jobs_threads`. The work
itself is in `job_tasks`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from engine import Text
from service.problem_objects import ErrorItem
from service.problems import Problem
from service.traces import trace_headers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from service.settings import Settings

ANALYZE: Final = "analyze"
ANNOTATE: Final = "annotate"
BATCH: Final = "batch"

QUEUED: Final = "queued"
RUNNING: Final = "running"
DONE: Final = "done"
FAILED: Final = "failed"
CANCELLED: Final = "cancelled"

STATES: Final = (QUEUED, RUNNING, DONE, FAILED, CANCELLED)
OPEN_STATES: Final = (QUEUED, RUNNING)

MAX_LISTED: Final = 200
"""The most jobs in a list."""

QUEUED_BATCHES: Final = 4
"""The inputs of all jobs that wait or run take at most the bytes of this number of the largest batches."""

CANCEL_SECONDS: Final = 2.0
"""How long a cancelled job has to end and return its result until then."""


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to submit.

    `kind`: analyze, annotate or batch; `task`: the input, as JSON values; `media_type`: that of the result;
    `total`: the number of steps, for a search its time limit in seconds; `caller`: the hash of the caller;
    `keyed`: whether the caller has an API key; `trace`: joins the job to the trace of its request.
    """

    kind: str
    task: dict[str, Any]
    media_type: str
    total: int
    caller: str
    keyed: bool = False
    idempotency_key: str | None = None
    trace: Mapping[str, str] = field(default_factory=trace_headers)

    def encoded(self) -> bytes:
        """Return kind, media type and input as JSON: equal for equal work."""
        return json.dumps([self.kind, self.media_type, self.task], sort_keys=True).encode()


@dataclass(frozen=True, slots=True)
class JobStatus:
    """The state of a job: `done` steps of `total`; times in seconds since 1970, None if not yet reached.

    `problem`: why it failed, as a problem of RFC 9457; `owner`: the hash of the caller if the job was
    submitted with an API key, else None; `so_far`: what a running search has found, as JSON values.
    """

    id: str
    kind: str
    media_type: str
    state: str
    done: int
    total: int
    submitted_at: float
    started_at: float | None = None
    finished_at: float | None = None
    problem: dict[str, Any] | None = None
    has_result: bool = False
    owner: str | None = None
    so_far: dict[str, Any] | None = None

    @property
    def is_open(self) -> bool:
        """Return whether the job waits or runs."""
        return self.state in OPEN_STATES


class JobsUnavailableError(Problem):
    """Answer 503: jobs cannot be submitted or looked up now."""

    def __init__(self, reason: str) -> None:
        super().__init__(503, "jobs_unavailable", reason, headers={"Retry-After": "10"})


class Jobs(Protocol):
    """Store jobs and run them; every method may raise JobsUnavailableError."""

    def submit(self, new: NewJob) -> JobStatus:
        """Queue a job; with an idempotency key, return the caller's job of that key if there is one.

        Raises a Problem: 503 `queue_full`, 429 `too_many_jobs`, 422 `idempotency_key_reused`.
        """

    def status(self, job_id: str) -> JobStatus | None:
        """Return the state of a job, None if there is no job with this id."""

    def cancel(self, job_id: str) -> JobStatus | None:
        """Stop a job and return its state; its result is the one until then."""

    def result(self, job_id: str) -> bytes | None:
        """Return the result of a job, None if there is none."""

    def of_owner(self, owner: str) -> list[JobStatus]:
        """Return the jobs that a caller submitted with an API key, the newest first."""

    def counts(self) -> dict[str, int]:
        """Return the number of stored jobs by state."""

    def close(self) -> None:
        """Stop the jobs of this process, at its end."""


def why_no_jobs(settings: Settings) -> str | None:
    """Return why the settings allow no jobs, None if they do."""
    if not settings.jobs_queued:
        return Text("this server takes no jobs")
    if not settings.redis_url and settings.workers > 1:
        return Text("jobs need Redis when KIBITZ_WORKERS is above 1")
    return None


def check_queue(settings: Settings, size: int, inputs: Sequence[int]) -> None:
    """Raise a Problem (503 `queue_full`) if there is no room for a job with an input of `size` bytes.

    `inputs`: the bytes of the input of each job that waits or runs.
    """
    too_large = bool(inputs) and sum(inputs) + size > QUEUED_BATCHES * settings.max_batch_bytes
    if too_large or len(inputs) >= settings.jobs_queued:
        raise Problem(503, "queue_full", Text("the queue of jobs is full"), headers={"Retry-After": "10"})


def too_many_jobs(limit: int) -> Problem:
    """Return the problem of a caller who already has `limit` open jobs."""
    detail = Text("{limit} of your jobs are not done yet, which is the limit of one caller", limit=limit)
    return Problem(429, "too_many_jobs", detail, headers={"Retry-After": "10"})


def idempotency_key_reused() -> Problem:
    """Return the problem of a caller who repeats an idempotency key with another request."""
    detail = Text("this Idempotency-Key was sent before with another request")
    return Problem(422, "idempotency_key_reused", detail, [ErrorItem("", "idempotency_key_reused", detail)])


def given_up(attempts: int) -> Problem:
    """Return the problem of a job whose process died at every attempt."""
    detail = Text("the worker of this job crashed {attempts} times; giving up", attempts=attempts)
    return Problem(503, "job_given_up", detail, headers={"Retry-After": "10"})
