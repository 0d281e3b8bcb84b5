"""For every request: an id, a log line, metrics, and security headers in the answer."""

from __future__ import annotations

import re
from secrets import token_hex
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from flask import g, request

from service.logs import get_logger
from service.metrics import NO_ROUTE

if TYPE_CHECKING:
    from flask import Flask, Response

    from service.metrics import Metrics
    from service.settings import Settings

REQUEST_ID_HEADER: Final = "X-Request-ID"

_PLAIN: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")

# Probes request these every few seconds; their lines would hide the others.
_QUIET: Final = frozenset({"/livez", "/readyz", "/metrics"})

log = get_logger("kibitz.request")


def request_id() -> str:
    """Return the id of the current request: its X-Request-ID if that is well-formed, else a new one."""
    if "request_id" not in g:
        given = request.headers.get(REQUEST_ID_HEADER, "")
        g.request_id = given if _PLAIN.fullmatch(given) else token_hex(16)
    found: str = g.request_id
    return found


def add_log_fields(**values: object) -> None:
    """Add fields to the log line of the current request."""
    g.log_fields = g.get("log_fields", {}) | values


def observe_requests(app: Flask, settings: Settings, metrics: Metrics) -> None:
    """Log and count every request of `app`, return its id, and add the security headers.

    Call it before any other function registers a `before_request`, so that refused requests count too.
    """
    security = _security_headers(settings)

    @app.before_request
    def start() -> None:
        g.started = perf_counter()
        request_id()  # before the first log line of the request
        metrics.in_flight.inc()
        g.counted = True

    @app.after_request
    def finish(response: Response) -> Response:
        seconds = perf_counter() - g.get("started", perf_counter())
        route = NO_ROUTE if request.url_rule is None else request.url_rule.rule
        metrics.requests.labels(route, response.status_code).inc()
        search = "yes" if g.get("is_search", False) else "no"
        metrics.request_seconds.labels(route, search).observe(seconds)
        for name, value in security:
            response.headers.setdefault(name, value)
        response.headers[REQUEST_ID_HEADER] = request_id()
        fields: dict[str, Any] = {
            "method": request.method,
            "path": request.path,
            "status": response.status_code,
            "bytes": response.content_length,
            "ms": round(seconds * 1000, 3),
            **g.get("log_fields", {}),
        }
        quiet = request.path in _QUIET and response.status_code < 400
        (log.debug if quiet else log.info)("request", **fields)
        return response

    @app.teardown_request
    def end(_: BaseException | None) -> None:
        if g.pop("counted", False):
            metrics.in_flight.dec()


def _security_headers(settings: Settings) -> list[tuple[str, str]]:
    """Return the headers that every answer gets unless its view sets them."""
    return [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Resource-Policy", "cross-origin" if "*" in settings.cors_origins else "same-origin"),
        # Answers are data: a browser that shows one needs to load nothing.
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]
