"""A client of Redis for what the service can do without: short time-outs, and a circuit breaker.

Imported only if Redis is configured, because redis-py takes 6 MB.
"""

from __future__ import annotations

from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import LockError
from redis.retry import Retry

from service.logs import get_logger

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.metrics import Metrics
    from service.settings import Settings

RETRY_SECONDS: Final = 1.0
"""How long Redis is not called after a failure."""

SLOW: Final = 4
"""A call slower than SLOW time-outs counts as failed: redis-py's time-out applies to each single read."""

Result = TypeVar("Result")

log = get_logger("kibitz.redis")


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


class RedisClient:
    """Call Redis. A server that fails, hangs or returns garbage costs time, nothing else."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._timeout = timeout = settings.redis_timeout_ms / 1000
        self.redis = Redis.from_url(
            settings.redis_url,
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            retry=Retry(NoBackoff(), 0),
        )
        self._metrics = metrics
        self._breaker = Breaker()

    def call(self, operation: Callable[[], Result], waits: float = 0.0) -> Result | None:
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
            log.warning("redis_unavailable", error=reason[:200])
