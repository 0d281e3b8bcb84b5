"""Jobs with Redis: RQ queues them, and `kibitz worker` processes run them.

Nothing from Redis is unpickled, and no function that Redis names is called but `do_job` (see `TaskJob`).
`job.meta` holds the progress and the fields of `JobStatus` that RQ does not have.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager, suppress
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry as RedisRetry
from rq import Queue, Retry
from rq.command import send_stop_job_command
from rq.exceptions import DuplicateJobError, InvalidJobOperation, NoSuchJobError
from rq.job import Job
from rq.job import JobStatus as State

from engine import Text
from service.jobs import (
    CANCEL_SECONDS,
    CANCELLED,
    DONE,
    FAILED,
    MAX_LISTED,
    QUEUED,
    RUNNING,
    JobStatus,
    JobsUnavailableError,
    check_queue,
    given_up,
    idempotency_key_reused,
    too_many_jobs,
)
from service.logs import get_logger
from service.redis_cache import seal, unseal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from service.jobs import NewJob
    from service.settings import Settings

log = get_logger("kibitz.jobs")

QUEUE: Final = "kibitz"
FUNCTION: Final = "service.jobs_worker.do_job"

MAX_ATTEMPTS: Final = 5
"""How often a job is started if its process dies."""

CONNECT_SECONDS: Final = 1.0
ANSWER_SECONDS: Final = 5.0
"""How long an operation of Redis may take; a result may have megabytes."""

STOP_SECONDS: Final = 1.0
"""How long a worker has to notice that the process of its job was killed."""

MAINTENANCE_LOCK_SECONDS: Final = 10
"""How long a worker may need for maintenance, which takes milliseconds."""

_POLL_SECONDS: Final = 0.05

_SALT: Final = "kibitz-job"
"""What the values of jobs are sealed for, so that none can be used as a cached value."""

# What RQ may read of a job in Redis; not the functions to call and the addresses to send to when it ends.
_FIELDS: Final = frozenset(
    (
        *("data", "description", "failure_ttl", "meta", "origin", "result_ttl", "retries_left", "status"),
        *("created_at", "ended_at", "enqueued_at", "last_heartbeat", "started_at", "timeout", "ttl"),
        "worker_name",
    )
)


class SignedSerializer:
    """RQ's serializer: JSON sealed with the secret of the service, which nobody else can write."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self.__qualname__ = type(self).__qualname__  # RQ expects a class and takes its name

    def dumps(self, value: object, /) -> bytes:
        """Return a value as sealed JSON."""
        return seal(_SALT, json.dumps(value).encode(), self._secret)

    def loads(self, sealed: bytes, /) -> Any:
        """Return the value of sealed JSON; raises ValueError for anything else."""
        value = unseal(_SALT, sealed, self._secret)
        if value is None:
            raise ValueError("a value that is damaged, or sealed with another KIBITZ_CACHE_KEY")
        return json.loads(value)


class TaskJob(Job):
    """A job that runs `do_job` and nothing else, whatever Redis holds.

    Its input, meta and result are signed and name the job, so that none can be copied to another one.
    """

    def restore(self, raw_data: Mapping[bytes, bytes]) -> None:
        """Read the fields of a job, except those that RQ would call or send something to."""
        super().restore({name: value for name, value in raw_data.items() if name.decode() in _FIELDS})

    @property
    def func(self) -> Callable[..., Any]:
        """The function of the job; raises ValueError for any other than `do_job` with its own id."""
        if self.func_name != FUNCTION or self.instance is not None or self.args[:1] != [self.id]:
            raise ValueError("a job of another function than do_job, or the input of another job")
        return super().func  # type: ignore[no-any-return]


class QueuedJobs:
    """Queue jobs for the workers of all machines that share a Redis."""

    def __init__(self, settings: Settings) -> None:
        """Take the settings; Redis is not contacted here."""
        self._settings = settings
        self._redis = Redis.from_url(
            settings.redis_url,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=CONNECT_SECONDS,
            retry=RedisRetry(NoBackoff(), 0),
        )
        self._secret = settings.cache_key.encode()
        self._queue = open_queue(self._redis, self._secret)
        self._serializer = SignedSerializer(self._secret)

    def submit(self, new: NewJob) -> JobStatus:
        """Queue a job."""
        with _redis_errors():
            job_id, earlier = self._reserve(new)
            if earlier is not None:
                return earlier
            self._check_room(new)
            now = time.time()
            meta = {
                "job": job_id,
                "kind": new.kind,
                "media_type": new.media_type,
                "total": new.total,
                "submitted_at": now,
                "owner": new.caller if new.keyed else None,
                "trace": dict(new.trace),
            }
            seconds = self._settings.job_seconds
            with suppress(DuplicateJobError):  # an equal request of the same moment was faster
                self._queue.enqueue_call(
                    FUNCTION,
                    args=(job_id, new.kind, new.media_type, new.task),
                    timeout=-1,
                    result_ttl=seconds,
                    failure_ttl=seconds,
                    description=new.kind,  # by default it would repeat the input
                    job_id=job_id,
                    meta=meta,
                    retry=Retry(max=MAX_ATTEMPTS - 1),
                    unique=True,
                )
            pipeline = self._redis.pipeline()
            name = _list_name(new.caller)
            pipeline.zadd(name, {job_id: now})
            pipeline.zremrangebyscore(name, 0, now - seconds)
            pipeline.expire(name, seconds)
            pipeline.execute()
            status = self.status(job_id)
            if status is None:
                raise JobsUnavailableError(Text("Redis has lost the job"))
            return status

    def status(self, job_id: str) -> JobStatus | None:
        """Return the state of a job."""
        with _redis_errors():
            found = self._fetch(job_id)
            return None if found is None else _status(*found)

    def cancel(self, job_id: str) -> JobStatus | None:
        """Stop a job; one that runs has CANCEL_SECONDS to end, then its process is killed."""
        with _redis_errors():
            status = self.status(job_id)
            if status is None or not status.is_open:
                return status
            self._ask_to_stop(job_id)
            if status.state == QUEUED:
                self._record_cancelled(job_id)
            status = self._wait_for_end(job_id, CANCEL_SECONDS)
            if status is not None and status.is_open:
                with suppress(InvalidJobOperation):  # it has ended just now
                    send_stop_job_command(self._redis, job_id, serializer=self._serializer)
                status = self._wait_for_end(job_id, STOP_SECONDS)
            if status is not None and status.state == CANCELLED:
                self._record_cancelled(job_id)
            return status

    def result(self, job_id: str) -> bytes | None:
        """Return the result of a job."""
        with _redis_errors():
            value = self._job(job_id).return_value(refresh=True)
            return None if value is None else str(_checked(value, job_id)["body"]).encode()

    def of_owner(self, owner: str) -> list[JobStatus]:
        """Return the jobs of the owner of an API key."""
        with _redis_errors():
            names: list[Any] = self._redis.zrevrange(_list_name(owner), 0, MAX_LISTED - 1)
            found = [self.status(name.decode()) for name in names]
            return [status for status in found if status is not None and status.owner == owner]

    def counts(self) -> dict[str, int]:
        """Return the number of jobs by state, nothing while Redis does not answer."""
        queue = self._queue
        try:
            return {
                QUEUED: queue.count,
                RUNNING: queue.started_job_registry.get_job_count(cleanup=False),
                DONE: queue.finished_job_registry.get_job_count(cleanup=False),
                FAILED: queue.failed_job_registry.get_job_count(cleanup=False),
                CANCELLED: queue.canceled_job_registry.get_job_count(cleanup=False),
            }
        except Exception:  # a broken server causes errors of many types
            return {}

    def close(self) -> None:
        """Do nothing: jobs run in other processes."""

    def _job(self, job_id: str) -> Job:
        return TaskJob(job_id, connection=self._redis, serializer=self._serializer)

    def _fetch(self, job_id: str) -> tuple[Job, State, dict[str, Any]] | None:
        """Return a job, its state and its meta, None if there is none; raises ValueError if damaged."""
        job = self._job(job_id)
        try:
            state, meta = job.get_status(), job.get_meta()
            if state in (State.FAILED, State.STOPPED):
                job.refresh()  # type: ignore[no-untyped-call]
        except InvalidJobOperation:
            return None
        except (RedisError, OSError):
            raise
        except Exception as error:  # RQ reads what is no job with errors of many types
            raise ValueError("what Redis holds is no job") from error
        return job, state, _checked(meta, job_id)

    def _reserve(self, new: NewJob) -> tuple[str, JobStatus | None]:
        """Return the id for a new job, and the state of the earlier job with the same idempotency key."""
        job_id = token_hex(16)
        if new.idempotency_key is None:
            return job_id, None
        digest = sha256(new.encoded()).hexdigest()
        name = "kibitz-idempotency:" + sha256(f"{new.caller}\n{new.idempotency_key}".encode()).hexdigest()
        mine = seal(name, f"{job_id} {digest}".encode(), self._secret)
        if self._redis.set(name, mine, nx=True, ex=self._settings.job_seconds):
            return job_id, None
        stored = unseal(name, self._redis.get(name), self._secret)
        if stored is None:  # it has expired just now, or nobody with the secret wrote it
            return job_id, None
        earlier_id, _, earlier_digest = stored.decode().partition(" ")
        if earlier_digest != digest:
            raise idempotency_key_reused()
        return earlier_id, self.status(earlier_id)

    def _check_room(self, new: NewJob) -> None:
        """Raise a Problem if a limit is reached; simultaneous requests may exceed the limits."""
        waiting = self._queue.get_job_ids()
        opened = [*waiting, *self._queue.started_job_registry.get_job_ids(cleanup=False)]
        limit = self._settings.jobs_per_caller
        if limit and opened:
            mine = self._redis.zmscore(_list_name(new.caller), opened)
            if sum(score is not None for score in mine) >= limit:
                raise too_many_jobs(limit)
        pipeline = self._redis.pipeline(transaction=False)
        for job_id in opened:
            pipeline.hstrlen(TaskJob.key_for(job_id), "data")
        check_queue(self._settings, len(new.encoded()), pipeline.execute())

    def _ask_to_stop(self, job_id: str) -> None:
        self._redis.set(cancel_key(job_id), 1, ex=self._settings.job_seconds)

    def _wait_for_end(self, job_id: str, seconds: float) -> JobStatus | None:
        """Return the state of a job when it has ended, or after `seconds`."""
        until = time.monotonic() + seconds
        while (status := self.status(job_id)) is not None and status.is_open and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)
        return status

    def _record_cancelled(self, job_id: str) -> None:
        """Mark a job as cancelled in RQ, and let it expire."""
        registry = self._queue.canceled_job_registry
        with suppress(InvalidJobOperation, NoSuchJobError):  # another request was faster
            job = TaskJob.fetch(job_id, connection=self._redis, serializer=self._serializer)
            if "finished_at" not in job.meta:
                job.meta["finished_at"] = time.time()
                job.save_meta()  # type: ignore[no-untyped-call]
            job.cancel()
            job.cleanup(self._settings.job_seconds, remove_from_queue=False)
        self._redis.zremrangebyscore(registry.key, 0, time.time() - self._settings.job_seconds)


class JobQueue(Queue):
    """A queue whose maintenance resumes soon after a worker was killed in the middle of it."""

    def acquire_maintenance_lock(self) -> bool:
        """Return whether this worker may do the maintenance now.

        RQ's lock lasts 15 minutes, so that no job of a dead worker would start again until then.
        """
        return bool(self.connection.set(self.registry_cleaning_key, 1, nx=True, ex=MAINTENANCE_LOCK_SECONDS))


def open_queue(redis: Redis, secret: bytes = b"") -> Queue:
    """Return the queue that the service writes to and the workers read from; `secret` seals its jobs."""
    return JobQueue(QUEUE, connection=redis, serializer=SignedSerializer(secret), job_class=TaskJob)


@contextmanager
def _redis_errors() -> Iterator[None]:
    """Raise JobsUnavailableError if Redis fails, or holds other data than was stored."""
    try:
        yield
    except (RedisError, OSError) as error:
        log.warning("jobs_unavailable", error=f"{type(error).__name__}: {error}"[:200])
        raise JobsUnavailableError(Text("Redis does not answer")) from None
    except ValueError as error:
        log.error("job_damaged", exc_info=error)
        raise JobsUnavailableError(Text("Redis holds a damaged job of this id")) from None


def _checked(stored: object, job_id: str) -> dict[str, Any]:
    """Return what was stored for a job; raises ValueError for the values of another one."""
    if not isinstance(stored, dict) or stored.get("job") != job_id:
        raise ValueError("a value of another job")
    return stored


def cancel_key(job_id: str) -> str:
    """Return the Redis key that requests a running job to stop; only the worker may write the job's meta."""
    return f"kibitz-cancel:{job_id}"


def _list_name(caller: str) -> str:
    return f"kibitz-jobs:{caller}"


def _status(job: Job, state: State, meta: dict[str, Any]) -> JobStatus:
    problem = meta.get("problem")
    finished_at = meta.get("finished_at")
    if state in (State.FAILED, State.STOPPED) and finished_at is None and job.ended_at is not None:
        finished_at = job.ended_at.timestamp()
    match state:
        case State.FINISHED:
            named = str(meta.get("outcome") or DONE)
        case State.FAILED:
            named, problem = FAILED, given_up(MAX_ATTEMPTS).body()
        case State.STOPPED | State.CANCELED:
            named = CANCELLED
        case State.STARTED:
            named = RUNNING
        case _:
            named = QUEUED
    return JobStatus(
        id=job.id,
        kind=meta["kind"],
        media_type=meta["media_type"],
        state=named,
        done=meta.get("done", 0),
        total=meta["total"],
        submitted_at=meta["submitted_at"],
        started_at=meta.get("started_at"),
        finished_at=finished_at,
        problem=problem,
        has_result=bool(meta.get("has_result")),
        owner=meta["owner"],
        so_far=meta.get("so_far"),
    )
