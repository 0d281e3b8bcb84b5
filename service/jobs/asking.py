"""When a request becomes a job, and what its sender is told.

A request becomes a job if it is longer than this server answers at once, or if its sender prefers so
(`Prefer: respond-async`, RFC 7240) and the work is long. Everything else is answered at once: what is in the
cache, and what takes no longer than asking for a job would. Work that no deadline bounds, a batch with
searches or a game simulated at length, is done as a job or not at all.
"""

from __future__ import annotations

from hashlib import sha256
from math import ceil
from typing import TYPE_CHECKING, Any, Final

import orjson
from flask import Response, current_app, g, request

from engine import __version__, annotation_key, check_request
from service.jobs import why_no_jobs
from service.jobs.interface import (
    ANALYZE,
    ANNOTATE,
    BATCH,
    JobsUnavailableError,
    NewJob,
    QueueFullError,
    TooManyJobsError,
)
from service.jobs.problems import queue_full, too_many_jobs, unavailable
from service.jobs.work import batch_input, media_type_of
from service.schemas.jobs import dump_job
from service.schemas.reading import pointing
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import AnalysisRequest, AnnotationOptions, Lexicon
    from service.jobs.interface import Jobs, JobState
    from service.protection.gate import Gate

SHORT_MS: Final = 1_000
"""A search that may take no longer is answered at once, whatever the sender prefers."""

SHORT_TURNS: Final = 12_000
"""Turns played through for each turn of a game that is annotated at once: at most about a second of work,
after which it is noticed that the reader has gone."""

_PREFERENCE: Final = "respond-async"


def jobs() -> Jobs:
    """Return the back end; raises a Problem (503) if there is none."""
    found: Jobs | None = current_app.config["JOBS"]
    if found is None:
        raise unavailable(why_no_jobs(current_app.config["SETTINGS"]) or "this server takes no jobs")
    return found


def prefers_job() -> bool:
    """Tell whether the sender would rather not wait."""
    given = ",".join(request.headers.getlist("Prefer"))
    return any(one.partition(";")[0].strip().lower() == _PREFERENCE for one in given.split(","))


def holder() -> str:
    """Return who is asking, as a hash: the name of the key, or the network, as for the rates."""
    gate: Gate = current_app.config["GATE"]
    return sha256(gate.caller().name.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def analysis_job(data: dict[str, Any], wanted: AnalysisRequest, lexicon: Lexicon) -> Response | None:
    """Make a job of an analysis if it is to be one; None: answer it at once.

    `data` is the loaded request.
    """
    longest = wanted.options.max_ms
    if longest is None:  # nothing is searched
        return None
    service = state()
    if not (longest > service.settings.sync_ms or (longest > SHORT_MS and prefers_job())):
        return None
    name = analyst.etag(wanted, lexicon)
    if analyst.store.get_many([name])[0] is not None:
        return None
    with pointing(data):
        check_request(wanted, lexicon)  # a fault is told at once, not when its turn has come
    seconds = ceil(longest / 1_000)
    return _if_possible(NewJob(name, ANALYZE, _input(data, lexicon), media_type_of(ANALYZE), seconds))


def annotation_job(
    data: dict[str, Any], lexicon: Lexicon, options: AnnotationOptions, total: int
) -> Response | None:
    """Make a job of an annotation if it is long or its sender prefers that; None: answer it at once.

    Raises a Problem (503) if a long one cannot be a job.
    """
    is_long = _turns_played(options) > SHORT_TURNS
    if not is_long and not prefers_job():
        return None
    name = _hash(ANNOTATE, [annotation_key(lexicon, options)], [data["gcg"].encode()])
    job = NewJob(name, ANNOTATE, _input(data, lexicon), media_type_of(ANNOTATE), total)
    return _needed(job) if is_long else _if_possible(job)


def batch_job(items: list[tuple[int, bytes]], media_type: str, lexica: Iterable[Lexicon]) -> Response:
    """Make a job of a batch, of the numbered `items`; raises a Problem (503) if that cannot be."""
    settings = state().settings
    versions = [media_type, settings.lexicon.lower(), *sorted(map(annotation_key, lexica))]
    parts = (b"%d %b" % (number, _canonical(item)) for number, item in items)
    body = batch_input(settings.lexicon, items)
    return _needed(NewJob(_hash(BATCH, versions, parts), BATCH, body, media_type, len(items)))


def _needed(job: NewJob) -> Response:
    """Submit a job that cannot be done at once; raises a Problem (503) where no jobs are to be had."""
    try:
        return _accepted(_submitted(jobs(), job))
    except JobsUnavailableError as error:
        raise unavailable(str(error)) from None


def _if_possible(job: NewJob) -> Response | None:
    """Submit a job that may as well be done at once: it is, where no jobs are to be had."""
    found: Jobs | None = current_app.config["JOBS"]
    if found is None:
        return None
    try:
        return _accepted(_submitted(found, job))
    except JobsUnavailableError:
        return None


def _turns_played(options: AnnotationOptions) -> int:
    """Return how many turns a simulation plays through at most for each turn of a game."""
    plan = options.simulate
    return 0 if plan is None else plan.iterations * plan.refills * max(plan.plies, 1)


def _input(data: dict[str, Any], lexicon: Lexicon) -> bytes:
    """Return a loaded request as a worker reads it, whose default lexicon may be another."""
    return orjson.dumps({**data, "lexicon": lexicon.id})


def _submitted(found: Jobs, job: NewJob) -> JobState:
    service = state()
    try:
        return found.submit(job, holder())
    except QueueFullError:
        analyst.counts.refused.add("queue")
        raise queue_full() from None
    except TooManyJobsError:
        analyst.counts.refused.add("jobs")
        raise too_many_jobs(service.settings.jobs_each) from None


def _accepted(state: JobState) -> Response:
    response = Response(dump_job(state), 202, mimetype="application/json")
    response.headers["Location"] = f"/jobs/{state.id}"
    response.headers["Cache-Control"] = "no-store"
    if state.is_open:
        response.headers["Retry-After"] = "1"
    if prefers_job():
        response.headers["Preference-Applied"] = _PREFERENCE
    g.log_fields = {"job": state.id}
    return response


def _canonical(item: bytes) -> bytes:
    """Return an item in the form that equal ones share; as it is if it is no JSON."""
    try:
        return orjson.dumps(orjson.loads(item), option=orjson.OPT_SORT_KEYS)
    except (orjson.JSONDecodeError, TypeError, RecursionError):
        return item


def _hash(kind: str, versions: Iterable[str], parts: Iterable[bytes]) -> str:
    digest = sha256("\n".join([f"job {kind} {__version__}", *versions]).encode())
    for part in parts:
        digest.update(b"\n%d\n" % len(part))
        digest.update(part)
    return digest.hexdigest()
