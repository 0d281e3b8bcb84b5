"""`kibitz worker`: RQ's worker, which forks a process for each job, and the function that runs in it.

RQ detects dead workers: with these intervals their jobs start again within 75 seconds. If a worker dies in
the moment between taking a job and starting it, RQ waits another minute, which no setting changes.
"""

from __future__ import annotations

import logging.config
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final

from redis import Redis, RedisError
from rq import Worker, get_current_job

from engine import __version__
from service.app import create_app
from service.job_tasks import Ended, Work, run_job
from service.jobs import CANCELLED, NewJob
from service.jobs_rq import cancel_key, open_queue
from service.logs import get_logger, logging_config
from service.settings import Settings
from service.traces import start_export, stop_export

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from rq.job import Job

MONITORING_SECONDS: Final = 5
MAINTENANCE_SECONDS: Final = 10

WORKER_TTL: Final = 25
"""RQ waits for a job 15 seconds less than this, and does its maintenance in between."""

CHECK_SECONDS: Final = 0.25
"""How often a running job stores its progress and checks whether it is cancelled."""

log = get_logger("kibitz.worker")


def run_worker(settings: Settings) -> None:
    """Run jobs until SIGTERM or SIGINT, then finish the current one; a second signal stops it too."""
    logging.config.dictConfig(logging_config(settings.log_level))
    worker_app()  # created once, before the forks
    redis = Redis.from_url(settings.redis_url)
    queue = open_queue(redis, settings.cache_key.encode())
    worker = Worker(
        [queue],
        connection=redis,
        serializer=queue.serializer,
        job_class=queue.job_class,
        worker_ttl=WORKER_TTL,
        maintenance_interval=MAINTENANCE_SECONDS,
        job_monitoring_interval=MONITORING_SECONDS,
        log_job_description=False,
    )
    log.info("worker_ready", version=__version__)
    worker.work(logging_level="WARNING")  # RQ logs its maintenance at INFO, every ten seconds


@cache
def worker_app() -> Flask:
    """Return the application for the context of jobs; it accepts no jobs itself."""
    return create_app(replace(Settings.from_environment(), jobs_queued=0))


def do_job(job_id: str, kind: str, media_type: str, task: dict[str, Any]) -> dict[str, str] | None:
    """Run the current job of RQ and return its result with its id, None if it has none.

    The outcome is stored in the job's meta. RQ starts the job again only if its process is killed.
    """
    job = get_current_job()
    if job is None:
        raise RuntimeError("do_job must be called by RQ's worker")
    started, meta = time.time(), job.get_meta()
    new = NewJob(kind, task, media_type, meta["total"], meta["owner"] or "", trace=meta["trace"])
    start_export()  # this process is a fork of the worker
    work = Work()
    with _following(job, work):
        ended = Ended(CANCELLED, None, None) if work.cancelled else run_job(worker_app(), job_id, new, work)
    stop_export()
    job.get_meta().update(
        outcome=ended.state,
        done=work.done,
        so_far=None,
        finished_at=time.time(),
        problem=ended.problem,
        has_result=ended.body is not None,
    )
    job.save_meta()  # type: ignore[no-untyped-call]
    log.info("job", job=job_id, kind=kind, outcome=ended.state, seconds=round(time.time() - started, 3))
    return None if ended.body is None else {"job": job_id, "body": ended.body.decode()}


@contextmanager
def _following(job: Job, work: Work) -> Iterator[None]:
    """Store the progress of the work in Redis, and cancel it on request, in a thread during the block."""
    ended = Event()

    def follow() -> None:
        while not ended.wait(CHECK_SECONDS):
            with suppress(RedisError, OSError):  # the work continues while Redis does not answer
                _synchronize(job, work)

    _synchronize(job, work, started_at=time.time())
    thread = Thread(target=follow, name="follower", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _synchronize(job: Job, work: Work, **news: float) -> None:
    if not work.cancelled and job.connection.exists(cancel_key(job.id)):
        work.cancel()
    meta = job.get_meta()
    if news or meta.get("done") != work.done or meta.get("so_far") != work.so_far:
        meta.update(news, done=work.done, so_far=work.so_far)
        job.save_meta()  # type: ignore[no-untyped-call]
