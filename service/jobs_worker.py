"""`kibitz worker`: RQ's worker, which forks a process for each job, and the function that runs in it.

RQ detects dead workers: with these intervals their jobs start again within 75 seconds. If a worker dies in
the moment between taking a job and starting it, RQ waits another minute, which no setting changes.
"""

from __future__ import annotations

import logging.config
import time
from contextlib import suppress
from dataclasses import replace
from functools import cache
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final

from redis import Redis, RedisError
from rq import Worker, get_current_job
from rq.serializers import JSONSerializer

from engine import Deadline, __version__
from service.app import create_app
from service.job_tasks import Report, run_task
from service.jobs import CANCELLED, DONE, FAILED
from service.jobs_rq import cancel_key, open_queue
from service.logs import get_logger, logging_config
from service.problems import problem_of
from service.settings import Settings
from service.traces import span, start_export, stop_export

if TYPE_CHECKING:
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
    worker = Worker(
        [open_queue(redis)],
        connection=redis,
        serializer=JSONSerializer,
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


def do_job(kind: str, media_type: str, task: dict[str, Any]) -> dict[str, str] | None:
    """Run the current job of RQ and return its result, None if it has none.

    The outcome is stored in the job's meta. RQ starts the job again only if its process is killed.
    """
    job = get_current_job()
    if job is None:
        raise RuntimeError("do_job must be called by RQ's worker")
    started = time.time()
    deadline = Deadline()
    body, problem = None, None
    with _Follower(job, deadline) as follower:
        if not follower.cancelled:
            try:
                app = worker_app()
                start_export()  # this process is a fork of the worker
                with app.app_context(), span(f"job {kind}", job.get_meta().get("trace"), job=job.id):
                    report = Report(follower.note, follower.note_state)
                    body = run_task(kind, task, media_type, deadline, report)
            except Exception as error:
                problem = problem_of(error).body()
    stop_export()
    outcome = CANCELLED if follower.cancelled else FAILED if problem else DONE
    job.get_meta().update(
        outcome=outcome,
        done=follower.done,
        so_far=None,
        finished_at=time.time(),
        problem=None if outcome == CANCELLED else problem,
        has_result=body is not None,
    )
    job.save_meta()  # type: ignore[no-untyped-call]
    log.info("job", job=job.id, kind=kind, outcome=outcome, seconds=round(time.time() - started, 3))
    return None if body is None else {"body": body.decode()}


class _Follower:
    """Store the progress of a job, and cut its deadline when it is cancelled; runs in a thread."""

    def __init__(self, job: Job, deadline: Deadline) -> None:
        self.done = 0
        self.cancelled = False
        self.so_far: dict[str, Any] | None = None
        self._job = job
        self._deadline = deadline
        self._ended = Event()
        self._thread = Thread(target=self._run, name="follower", daemon=True)

    def __enter__(self) -> _Follower:
        self._check(started_at=time.time())
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def note(self, done: int) -> None:
        """Take the number of steps done."""
        self.done = done

    def note_state(self, so_far: dict[str, Any]) -> None:
        """Take what a search has found so far."""
        self.so_far = so_far

    def _run(self) -> None:
        while not self._ended.wait(CHECK_SECONDS):
            with suppress(RedisError, OSError):  # the work continues while Redis does not answer
                self._check()

    def _check(self, **news: float) -> None:
        if not self.cancelled and self._job.connection.exists(cancel_key(self._job.id)):
            self.cancelled = True
            self._deadline.cut()
        meta = self._job.get_meta()
        if news or meta.get("done") != self.done or meta.get("so_far") != self.so_far:
            meta.update(news, done=self.done, so_far=self.so_far)
            self._job.save_meta()  # type: ignore[no-untyped-call]
