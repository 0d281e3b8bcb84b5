"""What every request passes before its view, and every answer after it."""

from __future__ import annotations

import re
from secrets import token_hex
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from flask import g, request

from service.compression import Compressor
from service.keys import caller, check_key
from service.logs import RequestLog, get_logger
from service.metrics import NO_ROUTE
from service.request_checks import check_head, discard_refused
from service.view_rules import rules_of

if TYPE_CHECKING:
    from flask import Flask, Response

    from service.settings import Settings
    from service.state import State

REQUEST_ID_HEADER: Final = "X-Request-ID"

SECURITY_HEADERS: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Frame-Options", "DENY"),
)
"""The headers of every answer."""

NOTHING_LOADED: Final = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of data: a browser that shows it needs to load nothing."""

_PLAIN: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")

# Probes request these every few seconds; their lines would hide the others.
_QUIET: Final = frozenset({"/livez", "/readyz", "/metrics"})


def check_and_log_requests(app: Flask, service: State) -> None:
    """Check every request of `app` before its view is called; complete, count and log every answer."""
    settings, metrics = service.settings, service.metrics
    unless_set = _default_headers(settings)
    compressor = Compressor(app)
    log = get_logger("kibitz.request").bind()

    @app.before_request
    def check() -> None:
        given = request.headers.get(REQUEST_ID_HEADER, "")
        g.log = RequestLog(given if _PLAIN.fullmatch(given) else token_hex(16))
        metrics.in_flight.inc()
        g.counted = True
        rules = rules_of(app, request)
        if not rules.is_public and request.method != "OPTIONS":  # a browser's preflight cannot have a key
            sender = caller()
            service.rates.check(sender)
            check_key(sender, rules)
        if request.routing_exception is None:  # else Flask raises it as 404 or 405
            check_head(request, rules, settings)

    @app.after_request
    def complete(response: Response) -> Response:
        response = compressor.compress(discard_refused(response, settings.max_batch_bytes))
        headers = response.headers
        headers.extend(SECURITY_HEADERS)
        headers.extend(g.get("rate_headers", ()))
        for name, value in unless_set:
            headers.setdefault(name, value)
        headers[REQUEST_ID_HEADER] = g.log.id
        _count_and_log(response, g.log)
        return response

    def _count_and_log(response: Response, noted: RequestLog) -> None:
        seconds = perf_counter() - noted.started
        route = NO_ROUTE if request.url_rule is None else request.url_rule.rule
        status = response.status_code
        metrics.requests.labels(route, status).inc()
        metrics.request_seconds.labels(route, "yes" if noted.is_search else "no").observe(seconds)
        fields: dict[str, Any] = {
            "method": request.method,
            "path": request.path,
            "status": status,
            "bytes": response.content_length,
            "ms": round(seconds * 1000, 3),
            **noted.fields,
        }
        quiet = request.path in _QUIET and status < 400
        (log.debug if quiet else log.info)("request", **fields)

    @app.teardown_request
    def end(_: BaseException | None) -> None:
        if g.pop("counted", False):
            metrics.in_flight.dec()


def _default_headers(settings: Settings) -> tuple[tuple[str, str], ...]:
    """Return the headers of the answers whose views do not set them."""
    return (
        ("Cross-Origin-Resource-Policy", "cross-origin" if "*" in settings.cors_origins else "same-origin"),
        ("Content-Security-Policy", NOTHING_LOADED),
    )
