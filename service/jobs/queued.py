"""Jobs with Redis: records there, and RQ to carry their ids to the workers (`kibitz worker`).

RQ's own JSON serializer is used throughout: nothing that lies in Redis is ever unpickled.
"""

from __future__ import annotations

from contextlib import suppress
from secrets import token_hex
from typing import TYPE_CHECKING, Final

import redis
from rq import Queue
from rq.serializers import JSONSerializer

from service.jobs.interface import JobsUnavailableError
from service.jobs.records import JobRecords, connect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.jobs.interface import JobState, NewJob
    from service.settings import Settings

QUEUE: Final = "kibitz"
DELIVERY: Final = "service.jobs.worker.deliver"
_LETTER_SECONDS: Final = 60  # life of a delivery that failed; the record is what counts


class QueuedJobs:
    """Hand jobs to the workers of all machines that share a Redis."""

    def __init__(self, settings: Settings) -> None:
        """Take the settings; Redis is not contacted here."""
        assert settings.redis_url is not None  # noqa: S101 - `open_jobs` looked
        self._limits = settings.jobs_queued, settings.jobs_each
        self._records = JobRecords(settings.redis_url, settings.job_seconds)
        self._queue = open_queue(connect(settings.redis_url))

    def submit(self, job: NewJob, holder: str) -> JobState:
        """Take a job in, or find the same one again."""
        if self._records.submit(job, holder, *self._limits):
            with suppress(redis.RedisError, OSError):  # it is on record: a worker finds it there
                send(self._queue, job.id)
        state = self._records.state(job.id)
        if state is None:
            raise JobsUnavailableError("the job is gone again")
        return state

    def look(self, job_id: str) -> JobState | None:
        """Return how a job stands."""
        return self._records.state(job_id)

    def let_go(self, job_id: str, holder: str) -> tuple[JobState | None, bool]:
        """Give up a reference; the worker sees soon that the last is gone, and stops."""
        held = self._records.let_go(job_id, holder)
        return self._records.state(job_id), held

    def result(self, job_id: str) -> Iterator[bytes] | None:
        """Return the result of a job that is done."""
        return self._records.result(job_id)

    def figures(self) -> dict[str, int]:
        """Return the number of jobs by state, over all machines."""
        return self._records.figures()


def open_queue(client: redis.Redis) -> Queue:
    """Return the queue that the service writes and the workers read."""
    return Queue(QUEUE, connection=client, serializer=JSONSerializer)


def send(queue: Queue, job_id: str) -> None:
    """Let RQ carry a job's id to a worker, in a letter with a name of its own."""
    queue.enqueue_call(
        DELIVERY,
        args=(job_id,),
        timeout=-1,
        result_ttl=0,
        failure_ttl=_LETTER_SECONDS,
        description="a job of kibitz",
        job_id=f"{job_id}-{token_hex(4)}",
    )


def waiting(queue: Queue) -> set[str]:
    """Return the ids of the jobs that a letter in the queue names."""
    return {letter.partition("-")[0] for letter in queue.job_ids}
