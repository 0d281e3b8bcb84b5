"""The cache in Redis: values sealed by HMAC. Imported only if Redis is configured."""

from __future__ import annotations

import hmac
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from redis.exceptions import LockError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from service.redis_client import RedisClient
    from service.settings import Settings

PREFIX: Final = "kibitz:"
LOCK_PREFIX: Final = "kibitz-lock:"
FORMAT: Final = b"kbz2"
"""The first bytes of a value in Redis; changed when the layout of values changes."""

_DIGEST: Final = "sha256"
_HEADER: Final = len(FORMAT) + 32


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


class RedisCache:
    """Sealed values in Redis."""

    def __init__(self, settings: Settings, client: RedisClient) -> None:
        self._client = client
        self._redis = client.redis
        self._seconds = settings.cache_seconds
        self._secret = settings.cache_key.encode()

    def get_many(self, keys: Sequence[str]) -> list[bytes | None]:
        """Return the value of each key by one MGET, None where there is none."""
        values = self._client.call(lambda: self._redis.mget([PREFIX + key for key in keys]))
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

        self._client.call(store)

    @contextmanager
    def lock(self, key: str, seconds: float) -> Iterator[None]:
        """Hold the lock of `key`; without it, continue after `seconds`."""
        lock = self._redis.lock(LOCK_PREFIX + key, timeout=seconds, blocking_timeout=seconds)
        acquired = self._client.call(lock.acquire, seconds)
        try:
            yield
        finally:
            if acquired:
                with suppress(LockError):  # it has expired, and another process may hold it
                    self._client.call(lock.release)
