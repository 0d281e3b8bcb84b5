"""`kibitz worker`: an RQ worker that forks a process for each job, and looks after those left lying.

The process that does a job renews its lease as it goes, and ends at once when the job is cancelled, when the
lease is lost, or when the worker that forked it is gone.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import redis
from rq import Worker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

from service.jobs.interface import CHECK_SECONDS, MOST_ATTEMPTS, JobsUnavailableError
from service.jobs.problems import given_up
from service.jobs.queued import open_queue, send, waiting
from service.jobs.records import LEASE_SECONDS, PIECE_BYTES, JobRecords
from service.jobs.work import do_work, problem_of
from service.jobs.worker_app import make_worker_app
from service.observability.logs import JsonFormatter
from service.observability.structured import get_logger

if TYPE_CHECKING:
    from flask import Flask
    from rq import Queue

    from service.analyst import Analyst
    from service.settings import Settings

ROUND_SECONDS: Final = 1
"""How often a worker looks for jobs that were left lying."""

_DEQUEUE_SECONDS: Final = 2
_PATIENCE: Final = 0.6 * LEASE_SECONDS
"""How long the process that does a job goes on without word from Redis: surely less than the lease."""

log = get_logger("kibitz.worker")


class JobWorker(Worker):
    """Do what RQ's worker does, and deliver again what a dead one has left."""

    max_connection_wait_time = 2.0  # seconds between two tries to reach Redis; RQ's own minute is long

    def __init__(self, records: JobRecords, client: redis.Redis) -> None:
        """Take the records and a client that may wait for long."""
        super().__init__(
            [open_queue(client)],
            connection=client,
            serializer=JSONSerializer,
            maintenance_interval=ROUND_SECONDS,
            worker_ttl=15 + _DEQUEUE_SECONDS,  # RQ waits for a job for 15 seconds less
            job_monitoring_interval=ROUND_SECONDS,
            log_job_description=False,
        )
        self._records = records
        self._cleaned_at = 0.0

    @property
    def stopped(self) -> bool:
        """Tell whether it ended because it was asked to, not because Redis failed it."""
        return self._shutdown_requested_date is not None

    def run_maintenance_tasks(self) -> None:
        """Look for what was left lying; let RQ clean up its own lists now and then."""
        self._deliver_again()
        if time.monotonic() - self._cleaned_at > 60:
            self._cleaned_at = time.monotonic()
            super().run_maintenance_tasks()  # type: ignore[no-untyped-call]

    def teardown(self) -> None:
        """Sign off as far as Redis can be told, and end the thread that listens to it."""
        with suppress(redis.RedisError, OSError):
            super().teardown()  # type: ignore[no-untyped-call]
        listening: Any = self.pubsub_thread
        if listening is not None:
            listening.stop()

    def maintain_heartbeats(self, job: Any) -> None:
        """Tell that this worker lives, and look around: the others may be dead."""
        super().maintain_heartbeats(job)
        self._deliver_again()

    def _deliver_again(self) -> None:
        queue: Queue = self.queues[0]
        try:
            for job_id in self._records.overdue(waiting(queue)):
                log.warning("delivered_again", job=job_id)
                send(queue, job_id)
        except (JobsUnavailableError, redis.RedisError, OSError) as error:
            log.warning("redis_unavailable", detail=repr(error))


class _Office:
    """What the processes forked by this worker find: the application and the records."""

    app: Flask
    records: JobRecords


def run_worker(settings: Settings) -> None:
    """Do jobs until SIGTERM or SIGINT, then finish the one under way; a second signal stops that too.

    Raises what `create_app` raises.
    """
    assert settings.redis_url is not None  # noqa: S101 - the command looked
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonFormatter())
    logging.getLogger("rq").addHandler(handler)
    _Office.app = make_worker_app(settings)
    _Office.records = JobRecords(settings.redis_url, settings.job_seconds)
    with suppress(StopRequested):
        while True:
            with suppress(redis.RedisError, OSError):
                worker = JobWorker(_Office.records, redis.Redis.from_url(settings.redis_url))
                worker.work(logging_level="DEBUG" if settings.log_level == "debug" else "WARNING")
                if worker.stopped:
                    return
            log.warning("redis_unavailable", retry_seconds=ROUND_SECONDS)
            time.sleep(ROUND_SECONDS)


def deliver(job_id: str) -> None:
    """Do a job, unless another worker is at it or nobody wants it any more; RQ calls this by its name."""
    records, token = _Office.records, uuid4().hex
    attempt = records.begin(job_id, token)
    give_up = time.monotonic() + 4 * CHECK_SECONDS
    while attempt < 0 and time.monotonic() < give_up:  # it was cancelled, and is wanted again
        time.sleep(CHECK_SECONDS)
        attempt = records.begin(job_id, token)
    if attempt <= 0:
        return
    body, state = records.input(job_id), records.state(job_id)
    if attempt > MOST_ATTEMPTS or body is None or state is None:
        records.finish(job_id, token, 0, given_up())
        return
    log.info("job_begun", job=job_id, attempt=attempt)
    guard = _Guard(records, job_id, token)
    problem: dict[str, Any] | None = None
    pieces = _Pieces(records, job_id, token)
    try:
        for piece, guard.done in do_work(_Office.app, state.kind, state.media_type, body):
            pieces.add(piece)
        pieces.flush()
    except JobsUnavailableError:
        raise  # it will be done once more
    except Exception as error:
        problem = problem_of(error)
    analyst: Analyst = _Office.app.config["ANALYST"]
    analyst.store.settle()  # this process ends with its job, and waits for no thread
    guard.stop()
    taken = records.finish(job_id, token, guard.done, problem, pieces.count)
    log.info("job_ended", job=job_id, taken=taken, failed=problem is not None)


class _Pieces:
    """Packs the small pieces of a result into large ones."""

    def __init__(self, records: JobRecords, job_id: str, token: str) -> None:
        self._put = partial(records.put, job_id, token)
        self._pieces: list[bytes] = []
        self._size = 0
        self.count = 0

    def add(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size >= PIECE_BYTES:
            self.flush()

    def flush(self) -> None:
        if self._pieces:
            self._put(self.count, b"".join(self._pieces))
            self._pieces, self._size = [], 0
            self.count += 1


class _Guard:
    """A thread that ends this process as soon as it has no business any more."""

    def __init__(self, records: JobRecords, job_id: str, token: str) -> None:
        self.done = 0
        self._renew = partial(records.renew, job_id, token)
        self._parent = os.getppid()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="kibitz-lease", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Watch no longer; the lease lasts for a while."""
        self._stopped.set()
        self._thread.join()

    def _watch(self) -> None:
        heard = time.monotonic()
        while os.getppid() == self._parent:
            if self._stopped.wait(CHECK_SECONDS):
                return
            try:
                if not self._renew(self.done):
                    break
                heard = time.monotonic()
            except JobsUnavailableError:
                if time.monotonic() - heard > _PATIENCE:
                    break
        os._exit(1)
