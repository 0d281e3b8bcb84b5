"""The records of jobs in Redis: the one truth about them. RQ only carries ids to workers, perhaps twice.

A worker does a job while it holds the job's lease; one that loses it stops, and what it has made is not
taken. So no two workers do the same job at once, and no result is made of two halves.
"""

from __future__ import annotations

import time
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import orjson
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.cache.breaker import Breaker
from service.cache.envelope import seal, unseal
from service.jobs import scripts
from service.jobs.interface import (
    DONE,
    FAILED,
    OPEN_STATES,
    STATES,
    JobState,
    JobsUnavailableError,
    NewJob,
    QueueFullError,
    TooManyJobsError,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

TIMEOUT_SECONDS: Final = 2.0
LEASE_SECONDS: Final = 5.0
"""How long a worker that has fallen silent is believed to be at work."""

PIECE_BYTES: Final = 1 << 18
"""How much of a result is packed together."""

UNFINISHED_SECONDS: Final = 3_600
"""Life of the pieces of a result that is not whole; renewed with each."""

_FAULTS: Final = (redis.RedisError, OSError, ValueError, KeyError, AttributeError, TypeError, zlib.error)
"""What a Redis that is away, slow or talking nonsense may raise."""

_PREFIX: Final = "kibitz-job:"
_OPEN: Final = "kibitz-jobs:open"
_ENDED: Final = "kibitz-jobs:ended"


class JobRecords:
    """Read and write the records of jobs; every method may raise JobsUnavailableError."""

    def __init__(self, url: str, life: int) -> None:
        """Take the address of Redis, which is not contacted here, and the life of results in seconds."""
        self._client: Any = connect(url)  # which cannot tell that answers are bytes, not text
        self._life = life
        self._breaker = Breaker()
        register = self._client.register_script
        self._submit, self._begin, self._renew = map(register, (scripts.SUBMIT, scripts.BEGIN, scripts.RENEW))
        self._finish, self._let_go, self._overdue = map(
            register, (scripts.FINISH, scripts.LET_GO, scripts.OVERDUE)
        )

    def submit(self, job: NewJob, holder: str, most: int, most_each: int = 0) -> bool:
        """Enter a job unless it is there, and a reference to it; tell whether it is new.

        Raises QueueFullError if it is new and `most` others are open, TooManyJobsError if the holder has a
        reference to `most_each` of them (0: no limit).
        """
        name = job.id
        described: list[str | int] = ["kind", job.kind, "media_type", job.media_type, "total", job.total]
        packed = seal(name, zlib.compress(job.body, 1))
        with self._reporting():
            entered = self._submit(
                keys=[_PREFIX + name, _input(name), _holders(name), _OPEN, _held(holder)],
                args=[name, holder, most, most_each, time.time(), packed, *described],
            )
        if entered == -2:
            raise TooManyJobsError
        if entered == -1:
            raise QueueFullError
        return bool(entered)

    def state(self, job_id: str) -> JobState | None:
        """Return how a job stands."""
        with self._reporting():
            fields = {key.decode(): value for key, value in self._client.hgetall(_PREFIX + job_id).items()}
            if "state" not in fields:
                return None
            state = fields["state"].decode()
            if state not in STATES:
                raise ValueError(f"{state!r} is no state of a job")
            problem = fields.get("problem")
            return JobState(
                id=job_id,
                kind=fields["kind"].decode(),
                media_type=fields["media_type"].decode(),
                state=state,
                done=int(fields["done"]),
                total=int(fields["total"]),
                submitted_at=float(fields["submitted_at"]),
                started_at=_time(fields.get("started_at")),
                finished_at=_time(fields.get("finished_at")),
                problem=orjson.loads(problem) if problem else None,
            )

    def let_go(self, job_id: str, holder: str) -> bool:
        """Give up a reference, and cancel the job with the last; tell whether there was one."""
        with self._reporting():
            held = self._let_go(
                keys=[_PREFIX + job_id, _input(job_id), _holders(job_id), _OPEN, _ENDED, _held(holder)],
                args=[job_id, holder, time.time(), self._life],
            )
        return bool(held)

    def begin(self, job_id: str, token: str) -> int:
        """Take the lease of an open job; return which attempt it is.

        0: it is not to be done any more, -1: another holds its lease.
        """
        with self._reporting():
            attempt = self._begin(
                keys=[_PREFIX + job_id, _lease(job_id), _OPEN],
                args=[job_id, token, int(LEASE_SECONDS * 1000), time.time()],
            )
        return int(attempt)

    def renew(self, job_id: str, token: str, done: int) -> bool:
        """Keep the lease and tell of the steps done; False if the job is not wanted any more, or lost."""
        with self._reporting():
            kept = self._renew(
                keys=[_PREFIX + job_id, _lease(job_id), _OPEN],
                args=[job_id, token, int(LEASE_SECONDS * 1000), time.time(), done],
            )
        return bool(kept)

    def input(self, job_id: str) -> bytes | None:
        """Return what is to be done, None if it is not there or damaged."""
        with self._reporting():
            packed = unseal(job_id, self._client.get(_input(job_id)))
            return None if packed is None else zlib.decompress(packed)

    def put(self, job_id: str, token: str, number: int, piece: bytes) -> None:
        """Keep a piece of the result that the holder of the lease makes."""
        key = _result(job_id, token)
        with self._reporting(), self._client.pipeline(transaction=False) as pipeline:
            pipeline.rpush(key, seal(f"{job_id} {number}", zlib.compress(piece, 1)))
            pipeline.expire(key, UNFINISHED_SECONDS)
            pipeline.execute()

    def finish(
        self, job_id: str, token: str, done: int, problem: dict[str, Any] | None, pieces: int = 0
    ) -> bool:
        """Declare the job done, its result in so many pieces, or failed.

        False if the lease was lost, and then the result is not taken.
        """
        state, told = (DONE, b"") if problem is None else (FAILED, orjson.dumps(problem))
        names = (_lease(job_id), _OPEN, _input(job_id), _holders(job_id), _result(job_id, token), _ENDED)
        with self._reporting():
            taken = self._finish(
                keys=[_PREFIX + job_id, *names],
                args=[job_id, token, time.time(), self._life, state, done, told, pieces],
            )
        return bool(taken)

    def result(self, job_id: str) -> Iterator[bytes] | None:
        """Return the result piece by piece; None if it is gone. A damaged piece ends it with ValueError."""
        with self._reporting():
            token, whole = self._client.hmget(_PREFIX + job_id, "token", "pieces")
            if token is None or whole is None:
                return None
            key = _result(job_id, token.decode())
            count = self._client.llen(key)
            first = self._client.lindex(key, 0)
            if count != int(whole):  # Redis has dropped it, or part of it, for want of room
                return None

        def pieces() -> Iterator[bytes]:
            for number in range(count):
                packed = unseal(
                    f"{job_id} {number}", first if number == 0 else self._client.lindex(key, number)
                )
                if packed is None:
                    raise ValueError("a piece of the result is damaged or gone")
                yield zlib.decompress(packed)

        if count and unseal(f"{job_id} 0", first) is None:
            return None
        return pieces()

    def overdue(self, waiting: Container[str]) -> list[str]:
        """Return the jobs to be delivered again: long silent, without a lease, and not among `waiting`."""
        now = time.time()
        with self._reporting():
            silent = self._client.zrangebyscore(_OPEN, 0, now - LEASE_SECONDS)
            names = [name.decode() for name in silent]
            return [
                name
                for name in names
                if self._overdue(
                    keys=[_PREFIX + name, _lease(name), _OPEN],
                    args=[name, now, now - LEASE_SECONDS, int(name in waiting)],
                )
            ]

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Turn whatever a broken Redis provokes into one error; leave it alone for a while then."""
        if not self._breaker.allows():
            raise JobsUnavailableError("the jobs are out of reach: Redis failed just now")
        try:
            yield
        except _FAULTS as error:
            self._breaker.failed()
            raise JobsUnavailableError(f"the jobs are out of reach: {type(error).__name__}") from error
        self._breaker.succeeded()

    def figures(self) -> dict[str, int]:
        """Return the number of jobs by state."""
        with self._reporting():
            found = dict.fromkeys(STATES, 0)
            names = self._client.zrange(_OPEN, 0, -1)
            with self._client.pipeline(transaction=False) as pipeline:
                for name in names:
                    pipeline.hget(_PREFIX + name.decode(), "state")
                pipeline.hgetall(_ENDED)
                *states, ended = pipeline.execute()
            for state in states:
                if state is not None and state.decode() in OPEN_STATES:
                    found[state.decode()] += 1
            return found | {
                name.decode(): int(count) for name, count in ended.items() if name.decode() in found
            }


def connect(url: str) -> redis.Redis:
    """Return a client that gives up soon."""
    return redis.Redis.from_url(
        url,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 0),
        health_check_interval=0,
    )


def _time(value: bytes | None) -> float | None:
    return None if value is None else float(value)


def _input(name: str) -> str:
    return f"{_PREFIX}{name}:input"


def _holders(name: str) -> str:
    return f"{_PREFIX}{name}:holders"


def _held(holder: str) -> str:
    return f"kibitz-jobs:of:{holder}"


def _lease(name: str) -> str:
    return f"{_PREFIX}{name}:lease"


def _result(name: str, token: str) -> str:
    return f"{_PREFIX}{name}:result:{token}"
