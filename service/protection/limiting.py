"""How often a client may ask: flask-limiter, over all workers of a machine or all machines of a Redis.

The rule is the library's "sliding-window-counter". Its counters lie in Redis if the settings name one;
without one, or while it does not answer, in the table that the workers of this machine share. The library's
own stand-in for Redis would be a memory for each worker, so a client would have its allowance once for each,
and Redis would be asked again only after up to half a minute; here a breaker like that of the cache decides.
"""

from __future__ import annotations

import time
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from flask import g
from flask_limiter import ApplicationLimit, Limiter, RateLimitExceeded
from limits.storage import RedisStorage, SlidingWindowCounterSupport, Storage

from service.cache.breaker import Breaker
from service.guards import drain
from service.observability.structured import get_logger
from service.problems import Problem, problem_of_http_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask, Response
    from flask_limiter import RequestLimit

    from service.observability.counts import Counts
    from service.protection.gate import Gate
    from service.protection.rates import RateTable
    from service.settings import Settings

MINUTE: Final = 60
PREFIX: Final = "kibitz-rate"

Found = TypeVar("Found")

log = get_logger("kibitz.rates")


class RateStorage(Storage, SlidingWindowCounterSupport):
    """Keep the counters in Redis, if there is one; while it does not answer, in the machine's own table."""

    STORAGE_SCHEME = ["kibitz"]  # noqa: RUF012 - as declared by limits
    base_exceptions = ()  # whatever Redis raises is dealt with here

    def __init__(self, uri: str, *, table: RateTable, redis_url: str | None, timeout: float) -> None:
        super().__init__(uri)
        self._table = table
        self._patience = 4 * timeout  # as in the cache: the time-out is for each read of the socket
        self.breaker = Breaker()
        self._redis = None if redis_url is None else _redis_storage(redis_url, timeout)

    def _ask(self, redis: Callable[[RedisStorage], Found], table: Callable[[], Found]) -> Found:
        if self._redis is None or not self.breaker.allows():
            return table()
        started = time.monotonic()
        try:
            found = redis(self._redis)
        except Exception as error:  # whatever a broken server provokes, the request must not fail by it
            self._failed(f"{type(error).__name__}: {error}"[:200])
            return table()
        if time.monotonic() - started > self._patience:
            self._failed("an answer came, but far too late")
        else:
            self.breaker.succeeded()
        return found

    def _failed(self, why: str) -> None:
        if self.breaker.failed():
            log.warning("rates_unavailable", error=why)

    def acquire_sliding_window_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count `amount` requests if they stay within `limit`; tell whether they do."""
        return self._ask(
            lambda redis: redis.acquire_sliding_window_entry(key, limit, expiry, amount),
            lambda: self._table.take(key, limit, expiry, amount),
        )

    def get_sliding_window(self, key: str, expiry: int) -> tuple[int, float, int, float]:
        """Return count and seconds to live of the window before and of this one, which lives for two."""

        def own() -> tuple[int, float, int, float]:
            previous, current, left = self._table.windows(key, expiry)
            return previous, left if previous else 0.0, current, left + expiry

        return self._ask(lambda redis: redis.get_sliding_window(key, expiry), own)

    def clear_sliding_window(self, key: str, expiry: int) -> None:
        """Forget what a client has asked."""
        self._ask(
            lambda redis: redis.clear_sliding_window(key, expiry),
            lambda: self._table.forget(key, expiry),
        )

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count requests whatever the limit; return those of the window."""
        return self._ask(
            lambda redis: redis.incr(key, expiry, amount), lambda: self._table.add(key, expiry, amount)
        )

    def get(self, key: str) -> int:
        """Return the requests of the window of a minute."""
        return self._ask(lambda redis: redis.get(key), lambda: self._table.windows(key, MINUTE).current)

    def get_expiry(self, key: str) -> float:
        """Return the time (of time.time) at which the window of a minute ends."""
        return self._ask(
            lambda redis: redis.get_expiry(key),
            lambda: time.time() + self._table.windows(key, MINUTE).left,
        )

    def check(self) -> bool:
        """Return True: where there is no Redis, there is the table."""
        return True

    def reset(self) -> int | None:
        """Forget everybody."""
        self._table.forget_all()
        return self._ask(lambda redis: redis.reset(), lambda: None)

    def clear(self, key: str) -> None:
        """Forget the window of a client."""
        self._ask(lambda redis: redis.clear(key), lambda: self._table.forget(key, MINUTE))


def _redis_storage(url: str, timeout: float) -> RedisStorage:
    from redis.backoff import NoBackoff  # only here: Redis's client is large
    from redis.retry import Retry

    options: dict[str, Any] = {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": Retry(NoBackoff(), 0),
    }
    return RedisStorage(url, None, PREFIX, **options)


class Allowance(NamedTuple):
    """Tell what a client has left: requests, seconds until one more is allowed, and until the window ends."""

    limit: int
    remaining: int
    wait: float
    left: float


def allowance(storage: SlidingWindowCounterSupport, key: str, limit: int) -> Allowance:
    """Work out what is left of `limit` requests a minute under the rule of the library."""
    previous, previous_left, current, current_left = storage.get_sliding_window(key, MINUTE)
    remaining = max(0, limit - floor(previous * previous_left / MINUTE + current))
    left = current_left % MINUTE or float(MINUTE)
    if remaining:
        wait = 0.0
    elif current < limit:  # what counts of the window before must shrink
        wait = previous_left - (limit - current) * MINUTE / previous
    else:
        wait = left
    return Allowance(limit, remaining, wait, left)


def limit_rates(app: Flask, settings: Settings, gate: Gate, counts: Counts, table: RateTable) -> None:
    """Refuse requests beyond the allowance of their key or network (429), and tell all what is left of it.

    To be called before any other check is registered; paths that are open to all are not counted.
    """
    kinds = ((settings.strangers_per_minute, False), (settings.key_per_minute, True))
    options: dict[str, Any] = {
        "table": table,
        "redis_url": settings.redis_url,
        "timeout": settings.redis_timeout_ms / 1000,
    }
    limiter = Limiter(
        lambda: gate.caller().name,
        application_limits=[
            ApplicationLimit(
                f"{limit}/minute",
                scope="key" if keyed else "address",
                exempt_when=lambda keyed=keyed: gate.caller().keyed != keyed,  # type: ignore[misc]
            )
            for limit, keyed in kinds
            if limit
        ],
        strategy="sliding-window-counter",
        storage_uri="kibitz://",
        storage_options=options,
        request_identifier=lambda: "kibitz",  # all routes are one, those that do not exist too
        headers_enabled=False,  # ours are those of the standard to be
    )
    # Who is refused for a wrong key has not asked anything yet.
    limiter.request_filter(lambda: gate.is_open() or gate.caller().refusal is not None)
    limiter.init_app(app)

    def state(asked: RequestLimit) -> Allowance:
        return allowance(limiter.storage, asked.key, asked.limit.amount)  # type: ignore[arg-type]

    @app.errorhandler(RateLimitExceeded)
    def refuse(_: RateLimitExceeded) -> Response:
        drain()
        counts.refused.add("rate")
        asked = limiter.current_limit
        left = g.allowance = state(asked) if asked else Allowance(0, 0, MINUTE, MINUTE)
        return problem_of_http_error(
            Problem(
                429,
                "rate_limited",
                f"more than {left.limit} requests a minute",
                headers={"Retry-After": str(max(1, ceil(left.wait)))},
            )
        )

    @app.after_request
    def tell(response: Response) -> Response:
        if (asked := limiter.current_limit) is not None:
            left = g.allowance if "allowance" in g else state(asked)
            response.headers["RateLimit-Policy"] = f'"minute";q={left.limit};w={MINUTE}'
            response.headers["RateLimit"] = f'"minute";r={left.remaining};t={ceil(left.left)}'
        return response
