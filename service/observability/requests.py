"""One id and one log line per request."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING
from uuid import uuid4

from flask import g, request

from service.observability.structured import get_logger

if TYPE_CHECKING:
    from flask import Flask, Response

REQUEST_ID_HEADER = "X-Request-ID"
_ACCEPTABLE = re.compile(r"[A-Za-z0-9._:-]{1,64}")

# Asked every few seconds by machines: they would drown the rest of the log.
_QUIET = frozenset({"/livez", "/readyz"})

log = get_logger("kibitz.request")


def request_id() -> str:
    """Return the id of the current request: the caller's `X-Request-ID` if it is plain, else a new one."""
    if "request_id" not in g:
        given = request.headers.get(REQUEST_ID_HEADER, "")
        g.request_id = given if _ACCEPTABLE.fullmatch(given) else uuid4().hex
    known: str = g.request_id
    return known


def observe_requests(app: Flask) -> None:
    """Give every request of `app` an id, echo it in the answer, and log a line when it is answered."""

    @app.before_request
    def begin() -> None:
        g.started = time.perf_counter()

    @app.after_request
    def finish(response: Response) -> Response:
        response.headers[REQUEST_ID_HEADER] = request_id()
        seconds = time.perf_counter() - g.started if "started" in g else 0.0
        write = log.debug if request.path in _QUIET and response.status_code < 400 else log.info
        write(
            "request",
            request_id=request_id(),
            method=request.method,
            path=request.path,
            status=response.status_code,
            bytes=response.content_length,
            ms=round(seconds * 1000, 3),
            **g.get("log_fields", {}),
        )
        return response
