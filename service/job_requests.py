"""Decide whether a request becomes a job, and answer it with the job.

A search becomes a job if its `max_ms` is above the limit of the server, or if the client prefers a job
(`Prefer: respond-async`, RFC 7240) and the search may take more than a second. A cached answer is returned at
once, unless the request has an Idempotency-Key. Work without a time limit (a batch with searches, a game with
long simulations) is only done as a job.
"""

from __future__ import annotations

from hashlib import sha256
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from flask import Response, request

from engine import Text, check_request
from service.annotation import check_record
from service.job_tasks import batch_task, request_task
from service.jobs import ANALYZE, ANNOTATE, BATCH, JobsUnavailableError, NewJob, why_no_jobs
from service.keys import caller
from service.logs import add_log_fields
from service.problem_objects import ErrorItem
from service.problems import Problem
from service.schemas.jobs import dump_job
from service.schemas.pointers import pointing
from service.state import state
from service.view_rules import JSON

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine import AnalysisRequest, AnnotationOptions, Lexicon
    from service.annotation import RecordRequest
    from service.batch import Batch
    from service.jobs import Jobs

SHORT_MS: Final = 1_000
"""A search with this time limit or a lower one is never a job."""

SHORT_TURNS: Final = 12_000
"""The most turns simulated for each turn of a game without a job: about a second of work."""

MAX_IDEMPOTENCY_KEY: Final = 255

PREFERENCE: Final = "respond-async"


def jobs() -> Jobs:
    """Return the back end; raises a Problem (503 `jobs_unavailable`) if there is none."""
    service = state()
    if service.jobs is None:
        raise JobsUnavailableError(why_no_jobs(service.settings) or Text("this server takes no jobs"))
    return service.jobs


def prefers_job() -> bool:
    """Return whether the client prefers a job."""
    given = ",".join(request.headers.getlist("Prefer"))
    return any(one.partition(";")[0].strip().lower() == PREFERENCE for one in given.split(","))


def caller_hash() -> str:
    """Return a hash that identifies the caller of the current request: the owner of a key, or a network."""
    return sha256(caller().name.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def analysis_job(data: Mapping[str, Any], wanted: AnalysisRequest, lexicon: Lexicon) -> Response | None:
    """Return the answer of an analysis that becomes a job, None if it is to be computed now.

    `data` is the loaded request. Raises a Problem for a request that cannot be answered.
    """
    service = state()
    key = _idempotency_key()
    max_ms = wanted.options.max_ms if wanted.options.is_search else None
    if max_ms is None or not (max_ms > service.settings.sync_ms or (max_ms > SHORT_MS and prefers_job())):
        return None
    if key is None and service.analyst.is_cached(wanted, lexicon):
        return None
    with pointing(data):
        check_request(wanted, lexicon)
    return _submit_if_possible(ANALYZE, request_task(data), JSON, ceil(max_ms / 1_000), key)


def annotation_job(wanted: RecordRequest, media_type: str) -> Response | None:
    """Return the answer of an annotation that becomes a job, None if it is to be computed now.

    Raises a Problem for a record that cannot be annotated, and 503 if a long annotation cannot be a job.
    """
    key = _idempotency_key()
    is_long = _is_long(wanted.options)
    if not is_long and not prefers_job():
        return None
    check_record(wanted)
    task = request_task(wanted.data)
    if is_long:
        return _submit(ANNOTATE, task, media_type, wanted.steps, key)
    return _submit_if_possible(ANNOTATE, task, media_type, wanted.steps, key)


def batch_job(batch: Batch) -> Response | None:
    """Return the answer of a batch that becomes a job, None if it is to be computed now.

    Raises a Problem (503) if it must be a job and cannot be one.
    """
    key = _idempotency_key()
    most = state().settings.batch_items
    is_long = batch.media_type == JSON and len(batch) > most
    if not (is_long or prefers_job() or batch.is_long_work(most)):
        return None
    jobs()  # before the body is copied
    return _submit(BATCH, batch_task(batch), batch.media_type, len(batch), key)


def _submit_if_possible(
    kind: str, task: dict[str, Any], media_type: str, total: int, key: str | None
) -> Response | None:
    """Submit a job; return None if the server has no jobs."""
    try:
        return _submit(kind, task, media_type, total, key)
    except JobsUnavailableError:
        return None


def _submit(kind: str, task: dict[str, Any], media_type: str, total: int, key: str | None) -> Response:
    new = NewJob(kind, task, media_type, total, caller_hash(), caller().keyed, key)
    try:
        status = jobs().submit(new)
    except Problem as problem:
        if problem.problem_code in ("queue_full", "too_many_jobs"):
            state().metrics.refused.labels(problem.problem_code).inc()
        raise
    response = Response(dump_job(status), 202, mimetype=JSON)
    response.headers["Location"] = f"/jobs/{status.id}"
    response.headers["Cache-Control"] = "no-store"
    if status.is_open:
        response.headers["Retry-After"] = "1"
    if prefers_job():
        response.headers["Preference-Applied"] = PREFERENCE
    add_log_fields(job=status.id)
    return response


def _idempotency_key() -> str | None:
    """Return the Idempotency-Key of the current request; raises a Problem (422) for a wrong length."""
    given = request.headers.get("Idempotency-Key")
    if given is not None and not 0 < len(given) <= MAX_IDEMPOTENCY_KEY:
        detail = Text("an Idempotency-Key has 1 to {limit} characters", limit=MAX_IDEMPOTENCY_KEY)
        raise Problem.invalid([ErrorItem("/Idempotency-Key", "out_of_range", detail)])
    return given


def _is_long(options: AnnotationOptions) -> bool:
    """Return whether an annotation takes longer than a request that is answered at once."""
    if options.seconds is not None:
        return 1000 * options.seconds >= state().settings.sync_ms
    plan = options.simulate
    return plan is not None and plan.iterations * plan.refills * max(plan.plies, 1) > SHORT_TURNS
