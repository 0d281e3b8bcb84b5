"""The cache: process memory and, if configured, Redis behind it.

A value depends on nothing but its key, so an entry never becomes wrong. With Redis configured, every value is
stored there too, and looked up there after a miss in memory.
"""

from __future__ import annotations

import hmac
from contextlib import contextmanager, suppress
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Final

from cachetools import LRUCache
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
FORMAT: Final = b"kbz2"
"""The first bytes of a value in Redis; raised when the layout of values changes."""

ENTRY_BYTES: Final = 300
"""What an entry of the memory cache takes besides its value: key, slots of three tables, headers."""

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


class MemoryCache:
    """An LRU of at most `capacity` bytes."""

    def __init__(self, capacity: int) -> None:
        self._entries: LRUCache[str, bytes] = LRUCache(
            capacity, getsizeof=lambda value: len(value) + ENTRY_BYTES
        )
        self._lock = Lock()

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key, None where there is none."""
        with self._lock:
            return [self._entries.get(key) for key in keys]

    def put_many(self, entries: Mapping[str, bytes]) -> int:
        """Store the entries, except those larger than the cache; return the bytes in use."""
        with self._lock:
            for key, value in entries.items():
                if len(value) + ENTRY_BYTES <= self._entries.maxsize:
                    self._entries[key] = value
            return int(self._entries.currsize)


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
        """Hold the lock of `key`, or wait at most `seconds` for whoever holds it; go on without it then."""
        lock = self._redis.lock(f"{PREFIX}lock:{key}", timeout=seconds, blocking_timeout=seconds)
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


class Cache:
    """Process memory, and Redis behind it if configured: the `Store` of `engine.answer`."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._memory = MemoryCache(settings.cache_bytes)
        self._redis = RedisCache(settings, metrics) if settings.redis_url else None
        self._metrics = metrics

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key; after a miss of the first one, Redis is asked once for all missing.

        The first key names what the caller wants, the others what it is computed from.
        """
        found = self._memory.get_many(keys)
        self._count("memory", found)
        if self._redis is None or not found or found[0] is not None:
            return found
        missing = [key for key, value in zip(keys, found, strict=True) if value is None]
        fetched = dict(zip(missing, self._redis.get_many(missing), strict=True))
        self._count("redis", list(fetched.values()))
        self._remember({key: value for key, value in fetched.items() if value is not None})
        return [fetched.get(key) if value is None else value for key, value in zip(keys, found, strict=True)]

    def holds(self, key: str) -> bool:
        """Return whether a value is stored, in memory or in Redis; the metrics do not count the look."""
        if self._memory.get_many([key])[0] is not None:
            return True
        return self._redis is not None and self._redis.get_many([key])[0] is not None

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Store the entries in memory and in Redis."""
        if entries:
            self._remember(entries)
            if self._redis is not None:
                self._redis.put_many(entries)

    @contextmanager
    def lock(self, key: str, seconds: float) -> Iterator[None]:
        """Keep other workers from computing `key` at the same time, where Redis is configured."""
        if self._redis is None:
            yield
            return
        with self._redis.lock(key, seconds):
            yield

    def _remember(self, entries: Mapping[str, bytes]) -> None:
        self._metrics.cache_bytes.set(self._memory.put_many(entries))

    def _count(self, tier: str, values: Sequence[bytes | None]) -> None:
        misses = values.count(None)
        if misses:
            self._metrics.cache_values.labels(tier, "miss").inc(misses)
        if misses < len(values):
            self._metrics.cache_values.labels(tier, "hit").inc(len(values) - misses)
