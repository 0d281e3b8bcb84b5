"""Jobs without Redis: threads of the only server process. Long kernels release the GIL."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from hashlib import sha256
from secrets import token_hex
from threading import Event, Lock
from typing import TYPE_CHECKING, Final

from cachetools import TTLCache

from engine import Text
from service.job_tasks import Ended, Work, run_job
from service.jobs import (
    CANCEL_SECONDS,
    CANCELLED,
    MAX_LISTED,
    QUEUED,
    RUNNING,
    STATES,
    JobStatus,
    JobsUnavailableError,
    check_queue,
    idempotency_key_reused,
    too_many_jobs,
)

if TYPE_CHECKING:
    from flask import Flask

    from service.jobs import NewJob
    from service.settings import Settings

ENDED_BYTES: Final = 1_000
"""Memory of an ended job in addition to its result."""

MAX_KEYS: Final = 10_000
"""The most idempotency keys that are stored."""


@dataclass(eq=False)
class _Job:
    """A job: its input until it has ended, then its result; `size` is that of the input."""

    new: NewJob | None
    caller: str
    size: int
    status: JobStatus
    work: Work = field(default_factory=Work)
    ended: Event = field(default_factory=Event)
    result: bytes | None = None


class ThreadJobs:
    """Run jobs in `job_threads` threads; store results for `job_seconds`, at most `job_bytes` together."""

    def __init__(self, app: Flask, settings: Settings) -> None:
        """Take the application, whose context the jobs need; no thread starts before the first job."""
        self._app = app
        self._settings = settings
        self._pool = ThreadPoolExecutor(settings.job_threads, "jobs")
        self._lock = Lock()
        self._open: dict[str, _Job] = {}
        self._ended: TTLCache[str, _Job] = TTLCache(
            settings.job_bytes + ENDED_BYTES, settings.job_seconds, getsizeof=_size
        )
        self._keys: TTLCache[tuple[str, str], tuple[str, bytes]] = TTLCache(MAX_KEYS, settings.job_seconds)

    def submit(self, new: NewJob) -> JobStatus:
        """Queue a job."""
        encoded = new.encoded()
        digest = sha256(encoded).digest()
        owner = new.caller if new.keyed else None
        with self._lock:
            if (earlier := self._of_key(new, digest)) is not None:
                return _status(earlier)
            self._check_room(new.caller, len(encoded))
            status = JobStatus(
                token_hex(16), new.kind, new.media_type, QUEUED, 0, new.total, time.time(), owner=owner
            )
            job = self._open[status.id] = _Job(new, new.caller, len(encoded), status)
            try:
                self._pool.submit(self._run, job)
            except RuntimeError:  # the pool is shut down
                del self._open[status.id]
                raise JobsUnavailableError(Text("the server is about to stop")) from None
            if new.idempotency_key is not None:
                self._keys[new.caller, new.idempotency_key] = status.id, digest
            return status

    def status(self, job_id: str) -> JobStatus | None:
        """Return the state of a job."""
        with self._lock:
            job = self._find(job_id)
            return None if job is None else _status(job)

    def cancel(self, job_id: str) -> JobStatus | None:
        """Stop a job; one that runs has CANCEL_SECONDS to end."""
        with self._lock:
            job = self._find(job_id)
            if job is None:
                return None
            if job.status.state == QUEUED:
                self._end(job, Ended(CANCELLED, None, None))
            is_running = job.status.state == RUNNING
        if is_running:
            job.work.cancel()
            job.ended.wait(CANCEL_SECONDS)
        return _status(job)

    def result(self, job_id: str) -> bytes | None:
        """Return the result of a job."""
        with self._lock:
            job = self._find(job_id)
            return None if job is None else job.result

    def of_owner(self, owner: str) -> list[JobStatus]:
        """Return the jobs of the owner of an API key."""
        mine = [status for status in self._statuses() if status.owner == owner]
        return sorted(mine, key=lambda status: status.submitted_at, reverse=True)[:MAX_LISTED]

    def counts(self) -> dict[str, int]:
        """Return the number of jobs by state."""
        states = [status.state for status in self._statuses()]
        return {state: states.count(state) for state in STATES}

    def close(self) -> None:
        """Stop the running jobs and drop the waiting ones."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            jobs = list(self._open.values())
        for job in jobs:
            job.work.deadline.cut()

    def _find(self, job_id: str) -> _Job | None:
        return self._open.get(job_id) or self._ended.get(job_id)

    def _statuses(self) -> list[JobStatus]:
        with self._lock:
            return [_status(job) for job in (*self._open.values(), *self._ended.values())]

    def _of_key(self, new: NewJob, digest: bytes) -> _Job | None:
        """Return the caller's stored job with the same idempotency key, if there is one."""
        known = self._keys.get((new.caller, new.idempotency_key or ""))
        if known is None:
            return None
        job_id, earlier_digest = known
        if earlier_digest != digest:
            raise idempotency_key_reused()
        return self._find(job_id)

    def _check_room(self, caller: str, size: int) -> None:
        """Raise a Problem if a limit is reached."""
        limit = self._settings.jobs_per_caller
        if sum(job.caller == caller for job in self._open.values()) >= limit > 0:
            raise too_many_jobs(limit)
        check_queue(self._settings, size, [job.size for job in self._open.values()])

    def _run(self, job: _Job) -> None:
        """Run a job in a thread of the pool."""
        with self._lock:
            new = job.new
            if new is None:  # cancelled while it waited
                return
            job.status = replace(job.status, state=RUNNING, started_at=time.time())
        ended = run_job(self._app, job.status.id, new, job.work)
        with self._lock:
            self._end(job, ended)

    def _end(self, job: _Job, ended: Ended) -> None:
        """Store the end of a job, and drop its input."""
        job.result = ended.body
        job.status = replace(
            job.status,
            state=ended.state,
            done=job.work.done,
            finished_at=time.time(),
            problem=ended.problem,
            has_result=ended.body is not None,
        )
        job.new = None
        self._ended[job.status.id] = job
        del self._open[job.status.id]
        job.ended.set()


def _status(job: _Job) -> JobStatus:
    """Return the state of a job, with the progress of its work while it runs."""
    if job.status.state != RUNNING:
        return job.status
    return replace(job.status, done=job.work.done, so_far=job.work.so_far)


def _size(job: _Job) -> int:
    return ENDED_BYTES + len(job.result or b"")
