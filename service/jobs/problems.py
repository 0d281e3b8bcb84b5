"""What callers of jobs are told when something is amiss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from service.jobs.interface import MOST_ATTEMPTS
from service.problems import ErrorItem, Problem, problem_bytes

if TYPE_CHECKING:
    from service.jobs.interface import JobState


def given_up() -> dict[str, Any]:
    """Return the problem of a job whose process died again and again."""
    detail = f"the work was begun {MOST_ATTEMPTS} times, and each time the process that did it died"
    problem: dict[str, Any] = orjson.loads(problem_bytes(503, "job_given_up", detail))
    return problem


def problem_from(body: dict[str, Any] | None) -> Problem:
    """Return the Problem that a failed job is on record with."""
    body = body or given_up()
    errors = [ErrorItem(**item) for item in body["errors"]]
    return Problem(body["status"], body["code"], body["detail"], errors)


def unknown_job() -> Problem:
    """Return the answer to an id that no job has."""
    return Problem(404, "unknown_job", "there is no job of this id; results are kept for a while only")


def not_held() -> Problem:
    """Return the answer to a caller who lets go of what only others hold."""
    return Problem(404, "no_reference", "this job is not yours, or not any more: you hold no reference to it")


def queue_full() -> Problem:
    """Return the answer to one job too many."""
    detail = "as many jobs wait as this server takes"
    return Problem(503, "queue_full", detail, headers={"Retry-After": "10"})


def too_many_jobs(most: int) -> Problem:
    """Return the answer to one job too many of one caller."""
    detail = f"{most} of your jobs are not done yet, which is as many as one caller may have"
    return Problem(429, "too_many_jobs", detail, headers={"Retry-After": "10"})


def unavailable(reason: str) -> Problem:
    """Return the answer while no jobs can be had."""
    return Problem(503, "jobs_unavailable", reason, headers={"Retry-After": "10"})


def too_many_streams() -> Problem:
    """Return the answer to one stream of events too many."""
    detail = "as many streams are open as this server keeps; ask for the job itself meanwhile"
    return Problem(503, "too_many_streams", detail, headers={"Retry-After": "5"})


def no_result(state: JobState) -> Problem:
    """Return the answer to who asks for a result that a job does not have."""
    if state.is_open:
        return Problem(409, "job_not_done", f"the job is {state.state}", headers={"Retry-After": "1"})
    return Problem(410, "job_cancelled", "the job was cancelled; submit it again if you want its result")
