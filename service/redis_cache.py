"""Values in Redis: sealed, behind a breaker; imported only where Redis is configured."""

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
"""The first bytes of a value in Redis; raised when the layout of values changes."""

RETRY_SECONDS: Final = 1.0
"""How long Redis is left alone after a failure."""

SLOW: Final = 4
"""A call that takes longer than so many time-outs has failed: the time-out is one of each read."""

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
    """Leave a failing server alone: after a failure no call for RETRY_SECONDS, then one to try it."""

    def __init__(self) -> None:
        self._closed_again = 0.0
        self._lock = Lock()

    def allows(self) -> bool:
        """Return whether to call the server now."""
        now = monotonic()
        if not self._closed_again:
            return True
        with self._lock:
            if now < self._closed_again:
                return False
            self._closed_again = now + RETRY_SECONDS  # the others wait for this caller's outcome
            return True

    def record(self, *, failed: bool) -> bool:
        """Note the outcome of a call; return whether it is the first failure after a success."""
        with self._lock:
            was_open = self._closed_again > 0
            self._closed_again = monotonic() + RETRY_SECONDS if failed else 0.0
            return failed and not was_open


class RedisCache:
    """Sealed values in Redis; a server that fails, hangs or answers nonsense costs time, nothing else."""

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
        """Hold the lock of `key`, or continue without it after waiting `seconds` for its holder."""
        lock = self._redis.lock(LOCK_PREFIX + key, timeout=seconds, blocking_timeout=seconds)
        acquired = self._call(lock.acquire, seconds)
        try:
            yield
        finally:
            if acquired:
                with suppress(LockError):  # it expired, and may be another's by now
                    self._call(lock.release)

    def _call(self, operation: Callable[[], object], waits: float = 0.0) -> object:
        """Return what `operation` returns, None if Redis fails or is being left alone.

        `waits`: how many seconds the operation may wait by itself.
        """
        if not self._breaker.allows():
            return None
        started = monotonic()
        try:
            result = operation()
        except LockError:
            raise
        except Exception as error:  # what a broken server provokes has many types
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
