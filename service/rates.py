"""Rate limits by the library `limits`; a minute begins with the first request of a caller."""

from __future__ import annotations

import time
from math import ceil
from typing import TYPE_CHECKING, Final

from flask import g
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from engine import Text
from service.problems import Problem

if TYPE_CHECKING:
    from limits import WindowStats

    from service.keys import Caller
    from service.metrics import Metrics
    from service.redis_client import RedisClient
    from service.settings import Settings

WRONG_KEYS_PER_MINUTE: Final = 30
"""Requests with an unknown key that one network may send a minute, if the service has keys."""

_NAMESPACE: Final = "kibitz-rate"


class RateLimits:
    """Count the requests of each caller, in Redis if configured, so that all servers share the counts.

    While Redis does not answer, each process counts alone.
    """

    def __init__(self, settings: Settings, redis: RedisClient | None, metrics: Metrics) -> None:
        anonymous = settings.anonymous_per_minute
        amounts = {
            "key": settings.key_per_minute,
            "address": anonymous,
            "wrong-key": min(WRONG_KEYS_PER_MINUTE, anonymous or WRONG_KEYS_PER_MINUTE),
        }
        self._limits = {
            kind: RateLimitItemPerMinute(amount, namespace=_NAMESPACE)
            for kind, amount in amounts.items()
            if amount
        }
        self._metrics = metrics
        self._redis = redis
        self._alone = FixedWindowRateLimiter(MemoryStorage())
        self._shared = self._alone if redis is None else _shared(settings, redis)

    def check(self, sender: Caller) -> None:
        """Count the current request; raise a Problem (429) if it exceeds the limit of its sender."""
        kind = "key" if sender.keyed else "wrong-key" if sender.fault else "address"
        limit = self._limits.get(kind)
        if limit is None:
            return

        def count(limiter: FixedWindowRateLimiter) -> tuple[bool, WindowStats]:
            allowed = limiter.hit(limit, kind, sender.name)
            return allowed, limiter.get_window_stats(limit, kind, sender.name)

        counted = None if self._redis is None else self._redis.call(lambda: count(self._shared))
        allowed, window = counted or count(self._alone)
        seconds = max(1, ceil(window.reset_time - time.time()))
        g.rate_headers = (
            ("RateLimit-Policy", f'"minute";q={limit.amount};w=60'),
            ("RateLimit", f'"minute";r={window.remaining};t={seconds}'),
        )
        if not allowed:
            self._metrics.refused.labels("rate").inc()
            detail = Text("more than {limit} requests a minute", limit=limit.amount, retry_after=seconds)
            raise Problem(429, "rate_limited", detail, headers={"Retry-After": str(seconds)})


def _shared(settings: Settings, redis: RedisClient) -> FixedWindowRateLimiter:
    from limits.storage import RedisStorage  # only where there is Redis: its client takes 6 MB

    pool = redis.redis.connection_pool
    return FixedWindowRateLimiter(RedisStorage(settings.redis_url, connection_pool=pool))
