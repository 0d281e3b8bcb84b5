"""The cache: process memory and, if configured, Redis behind it.

A value depends only on its key, so an entry never becomes wrong. Redis holds loaded boards, and answers with
a search or an explanation. A plain answer stays in memory: computing it is faster than asking Redis for it.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Final

from cachetools import LRUCache
from flask import after_this_request, g, has_request_context

from service.traces import span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from flask import Response

    from service.metrics import Metrics
    from service.redis_cache import RedisCache
    from service.redis_client import RedisClient
    from service.settings import Settings

LOCAL: Final = "local "
"""The beginning of keys whose values stay in the memory of a process."""

ENTRY_BYTES: Final = 300
"""Memory of a cache entry in addition to its value: key, table slots, object headers."""


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


class Cache:
    """Process memory, and Redis behind it if configured: the `Store` of `engine.answer`."""

    def __init__(self, settings: Settings, redis: RedisClient | None, metrics: Metrics) -> None:
        self._memory = MemoryCache(settings.cache_bytes)
        self._redis: RedisCache | None = None
        self._metrics = metrics
        if redis is not None:
            from service.redis_cache import RedisCache  # only with Redis: its client takes 6 MB

            self._redis = RedisCache(settings, redis)

    def get(self, key: str) -> bytes | None:
        """Return a value from memory or Redis, None if there is none; only a hit is counted."""
        (value,) = self._memory.get_many([key])
        if value is not None:
            self._count("memory", [value])
        elif self._redis is not None and not key.startswith(LOCAL):
            (value,) = self._redis.get_many([key])
            if value is not None:
                self._count("redis", [value])
                self._remember({key: value})
        return value

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key, None where there is none.

        The first key is that of the answer, the others are of its parts. If the answer is not in memory, one
        MGET fetches all missing keys from Redis.
        """
        with span("cache lookup") as traced:
            found = self._get_many(keys)
            if traced is not None:
                traced.set_attribute("kibitz.values", len(keys))
                traced.set_attribute("kibitz.hits", len(keys) - found.count(None))
            return found

    def _get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        found = self._memory.get_many(keys)
        self._count("memory", found)
        if self._redis is None or not found or found[0] is not None:
            return found
        pairs = zip(keys, found, strict=True)
        missing = [key for key, value in pairs if value is None and not key.startswith(LOCAL)]
        fetched = dict(zip(missing, self._redis.get_many(missing), strict=True))
        self._count("redis", list(fetched.values()))
        self._remember({key: value for key, value in fetched.items() if value is not None})
        return [fetched.get(key) if value is None else value for key, value in zip(keys, found, strict=True)]

    def put_many(self, entries: Mapping[str, bytes]) -> None:
        """Store the entries in memory and, unless their keys are LOCAL, in Redis.

        The boards of a LOCAL answer are written to Redis when that answer has been sent. Any other answer is
        written at once, because another worker may wait for it.
        """
        if not entries:
            return
        with span("cache store"):
            self._remember(entries)
            if self._redis is None:
                return
            shared = {key: value for key, value in entries.items() if not key.startswith(LOCAL)}
            write = partial(self._redis.put_many, shared)
            if shared and len(shared) < len(entries) and has_request_context() and "streams" not in g:
                after_this_request(partial(_when_sent, write))
            elif shared:
                write()

    @contextmanager
    def lock(self, key: str, seconds: float) -> Iterator[None]:
        """Prevent other workers from computing `key` at the same time, if Redis is configured."""
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


def _when_sent(write: Callable[[], None], response: Response) -> Response:
    """Call `write` when the response has been sent."""
    response.call_on_close(write)
    return response
