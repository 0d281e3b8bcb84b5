"""The cache in Redis: sealed values, and a circuit breaker. Imported only if Redis is configured."""

from __future__ import annotations

import hmac
from contextlib import contextmanager, suppress
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Final

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import LockError
from redis.retry import Retry

from service.logs import get_logger

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from service.metrics import Metrics
    from service.settings import Settings

PREFIX: Final = "kibitz:"
LOCK_PREFIX: Final = "kibitz-lock:"
FORMAT: Final = b"kbz2"
"""The first bytes of a value in Redis; changed when the layout of values changes."""

RETRY_SECONDS: Final = 1.0
"""How long Redis is not called after a failure."""

SLOW: Final = 4
"""A call slower than SLOW time-outs counts as failed: redis-py's time-out applies to each single read."""

_DIGEST: Final = "sha256"
_HEADER: Final = len(FORMAT) + 32

log = get_logger("kibitz.cache")


def seal(key: str, value: bytes, secret: bytes) -> bytes:
    """Return a value as it is stored in Redis: format, HMAC-SHA256 over key and value, value.

    Without a secret the HMAC is a checksum: it detects damage, not forgery.
    """
    return FORMAT + hmac.digest(secret, key.encode() + b"\n" + value, _DIGEST) + value


def unseal(key: str, sealed: object, secret: bytes) -> bytes | None:
    """Return the value that `seal` wrote under this key and secret, None for anything else."""
    if not isinstance(sealed, bytes) or not sealed.startswith(FORMAT):
        return None
    value = sealed[_HEADER:]
    valid = hmac.compare_digest(seal(key, value, secret)[:_HEADER], sealed[:_HEADER])
    return value if valid else None


class Breaker:
    """Circuit breaker: after a failure, block calls for RETRY_SECONDS, then let one through as a trial."""

    def __init__(self) -> None:
        self._retry_at: float | None = None
        self._lock = Lock()

    def allows(self) -> bool:
        """Return whether to call the server now."""
        if self._retry_at is None:
            return True
        with self._lock:
            now = monotonic()
            if self._retry_at is not None and now < self._retry_at:
                return False
            self._retry_at = now + RETRY_SECONDS  # other callers wait for the outcome of this trial
            return True

    def record(self, *, failed: bool) -> bool:
        """Record the outcome of a call; return whether it is the first failure after a success."""
        with self._lock:
            blocked = self._retry_at is not None
            self._retry_at = monotonic() + RETRY_SECONDS if failed else None
            return failed and not blocked


class RedisCache:
    """Sealed values in Redis. A server that fails, hangs or returns garbage costs time, nothing else."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._timeout = timeout = settings.redis_timeout_ms / 1000
        self._redis = Redis.from_url(
            settings.redis_url,
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            retry=Retry(NoBackoff(), 0),
        )
        self._seconds = settings.cache_seconds
        self._secret = settings.cache_key.encode()
        self._metrics = metrics
        self._breaker = Breaker()

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key by one MGET, None where there is none."""
        values = self._call(lambda: self._redis.mget([PREFIX + key for key in keys]))
        if not isinstance(values, list) or len(values) != len(keys):
            return [None] * len(keys)
        return [unseal(key, value, self._secret) for key, value in zip(keys, values, strict=True)]

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Store the entries by one pipeline."""

        def store() -> None:
            pipeline = self._redis.pipeline(transaction=False)
            for key, value in entries.items():
                pipeline.set(PREFIX + key, seal(key, value, self._secret), ex=self._seconds)
            pipeline.execute()

        self._call(store)

    @contextmanager
    def lock(self, key: str, seconds: float) -> Iterator[None]:
        """Hold the lock of `key`; without it, continue after `seconds`."""
        lock = self._redis.lock(LOCK_PREFIX + key, timeout=seconds, blocking_timeout=seconds)
        acquired = self._call(lock.acquire, seconds)
        try:
            yield
        finally:
            if acquired:
                with suppress(LockError):  # it has expired, and another process may hold it
                    self._call(lock.release)

    def _call(self, operation: Callable[[], object], waits: float = 0.0) -> object:
        """Return the result of `operation`, None if Redis fails or the breaker blocks calls.

        `waits`: seconds that the operation itself may wait.
        """
        if not self._breaker.allows():
            return None
        started = monotonic()
        try:
            result = operation()
        except LockError:
            raise
        except Exception as error:  # a broken server causes errors of many types
            self._fail(f"{type(error).__name__}: {error}")
            return None
        if monotonic() - started > waits + SLOW * self._timeout:
            self._fail("it is slow")
        else:
            self._breaker.record(failed=False)
        return result

    def _fail(self, reason: str) -> None:
        self._metrics.cache_failures.inc()
        if self._breaker.record(failed=True):
            log.warning("cache_unavailable", error=reason[:200])
