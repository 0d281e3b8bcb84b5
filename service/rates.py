"""Rate limits by flask-limiter: requests a minute of each key or network."""

from __future__ import annotations

import time
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from flask import request
from flask_limiter import ApplicationLimit, Limiter, RateLimitExceeded

from engine import Text
from service.keys import caller, is_public
from service.metrics import NO_ROUTE
from service.problems import Problem, problem_response
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask, Response
    from flask_limiter import RequestLimit

    from service.settings import Settings

WRONG_KEYS_PER_MINUTE: Final = 30
"""Requests with an unknown key that one network may send a minute, if the service has keys."""


def limit_rates(app: Flask, settings: Settings) -> None:
    """Answer 429 to requests over the limit of their key or network; put the limits into every answer.

    With Redis all workers share the counters. While Redis does not answer, each worker counts alone.
    """
    limiter = Limiter(
        lambda: caller().name,
        application_limits=_limits(settings),
        strategy="fixed-window",  # a minute begins with the first request of a caller
        # flask-limiter has another scheme for Redis at a unix socket.
        storage_uri=settings.redis_url.replace("unix://", "redis+unix://") or "memory://",
        storage_options=_redis_options(settings) if settings.redis_url else {},
        in_memory_fallback_enabled=bool(settings.redis_url),
        # When Redis fails, one request switches to memory; without this, the others would get a 500.
        swallow_errors=True,
        key_prefix="kibitz-rate",
        request_identifier=lambda: request.endpoint or NO_ROUTE,  # unknown paths count too
        headers_enabled=False,  # its headers include Retry-After on successful answers
    )
    limiter.request_filter(is_public)
    limiter.init_app(app)

    @app.errorhandler(RateLimitExceeded)
    def refuse(_: RateLimitExceeded) -> Response:
        state().metrics.refused.labels("rate").inc()
        current = limiter.current_limit
        limit = current.limit.amount if current else 0
        window = _window(current) if current else None
        seconds = window[1] if window else 60
        return problem_response(
            Problem(
                429,
                "rate_limited",
                Text("more than {limit} requests a minute", limit=limit, retry_after=seconds),
                headers={"Retry-After": str(seconds)},
            )
        )

    @app.after_request
    def add_headers(response: Response) -> Response:
        current = limiter.current_limit
        if current is not None and (window := _window(current)) is not None:
            left, seconds = window
            response.headers["RateLimit-Policy"] = f'"minute";q={current.limit.amount};w=60'
            response.headers["RateLimit"] = f'"minute";r={left};t={seconds}'
        return response


def _limits(settings: Settings) -> list[str | Callable[[], str] | ApplicationLimit]:
    """Return the limits, one for each kind of caller."""
    limits: list[str | Callable[[], str] | ApplicationLimit] = []
    if settings.anonymous_per_minute:
        limits.append(_limit(settings.anonymous_per_minute, "address", lambda: caller().keyed))
    if settings.api_keys is not None:
        limits.append(_limit(WRONG_KEYS_PER_MINUTE, "wrong-key", lambda: caller().fault is None))
        if settings.key_per_minute:
            limits.append(_limit(settings.key_per_minute, "key", lambda: not caller().keyed))
    return limits


def _limit(amount: int, scope: str, exempt: Any) -> ApplicationLimit:
    return ApplicationLimit(f"{amount}/minute", scope=scope, exempt_when=exempt)


def _redis_options(settings: Settings) -> dict[str, Any]:
    from redis.backoff import NoBackoff  # only where there is Redis: its client takes 6 MB
    from redis.retry import Retry

    timeout = settings.redis_timeout_ms / 1000
    return {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": Retry(NoBackoff(), 0),
    }


def _window(current: RequestLimit) -> tuple[int, int] | None:
    """Return the requests left and the seconds until the next minute, None if Redis has just failed."""
    try:
        reset_at, left = current.window
        return max(0, left), max(1, ceil(reset_at - time.time()))
    except Exception:  # a broken server causes errors of many types
        return None
