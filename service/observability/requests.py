"""One id, one log line and one count per request."""

from __future__ import annotations

import os
import re
import time
from random import Random
from typing import TYPE_CHECKING, Any, Final

from flask.globals import app_ctx, request_ctx

from service.observability.counts import NO_ROUTE
from service.observability.structured import REQUEST_ID, get_logger

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

    from flask import Flask, Response

    from service.observability.counts import Counts

REQUEST_ID_HEADER = "X-Request-ID"
STARTED: Final = "kibitz.started"
"""Where the environment of a request has its start, in seconds of time.perf_counter."""

_REQUEST_ID_VARIABLE = "HTTP_X_REQUEST_ID"
_ACCEPTABLE = re.compile(r"[A-Za-z0-9._:-]{1,64}")

# Asked every few seconds by machines: they would drown the rest of the log.
_QUIET = frozenset({"/livez", "/readyz", "/metrics"})

log = get_logger("kibitz.request")

# For ids, which need not be secret: asking the system for each would let another thread in between. Every
# process of a fork begins anew, or all would count out the same ids.
_numbers = Random()  # noqa: S311
os.register_at_fork(after_in_child=_numbers.seed)


def request_id() -> str:
    """Return the id of the current request: the caller's `X-Request-ID` if it is plain, else a new one."""
    return id_in(request_ctx.request.environ)


def id_in(environ: WSGIEnvironment) -> str:
    """Return the id of the request with this environment, as `request_id` does."""
    known: str | None = environ.get(REQUEST_ID)
    if known is None:
        given = environ.get(_REQUEST_ID_VARIABLE, "")
        known = given if _ACCEPTABLE.fullmatch(given) else f"{_numbers.getrandbits(128):032x}"
        environ[REQUEST_ID] = known
    return known


def observe_requests(app: Flask, counts: Counts) -> None:
    """Log a line for every request of `app` when it is answered, and count it.

    Every line that is logged on the way carries the id (see `structured`); `service.entrance` echoes it.
    """

    logger = log.bind()  # once: each call of the unbound one would put its processors together anew

    @app.after_request
    def finish(response: Response) -> Response:
        asked, kept = request_ctx.request, app_ctx.g
        environ, path, status = asked.environ, asked.path, response.status_code
        seconds = time.perf_counter() - environ[STARTED] if STARTED in environ else 0.0
        route = NO_ROUTE if asked.url_rule is None else asked.url_rule.rule
        counts.requests.add(route, str(status))
        counts.seconds.observe(route, seconds=seconds)
        fields: dict[str, Any] = {
            "method": asked.method,
            "path": path,
            "status": status,
            "bytes": response.content_length,
            "ms": round(seconds * 1000, 3),
        }
        if "log_key" in kept:
            fields["key"] = kept.log_key
        fields |= kept.get("log_fields", {})
        write = logger.debug if path in _QUIET and status < 400 else logger.info
        write("request", **fields, request_id=id_in(environ))
        return response
