"""Errors as `application/problem+json` (RFC 9457), whatever went wrong and wherever.

A problem has the members `type` ("about:blank": the status says it all), `title`, `status`, `code` (stable,
for programs), `detail` (for people), `errors` (each `pointer`, `code`, `detail`; empty if there is nothing
to point at) and `request_id`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

import orjson
from flask import Response, has_request_context
from werkzeug.exceptions import HTTPException

from engine import DamagedTable, EngineError, InvalidInput, MissingTable, NotFound, TableNotReady
from service.observability.requests import request_id
from service.observability.structured import get_logger

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flask import Flask

MEDIA_TYPE = "application/problem+json"

# The stable code of an error that Flask or Werkzeug raises by itself.
STATUS_CODES = {
    400: "bad_request",
    401: "unauthorized",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    410: "gone",
    411: "length_required",
    413: "body_too_large",
    414: "uri_too_long",
    415: "unsupported_media_type",
    422: "invalid_request",
    429: "rate_limited",
    431: "headers_too_large",
    500: "internal_error",
    503: "unavailable",
}

MOST_ERRORS = 50

log = get_logger("kibitz.problem")


@dataclass(frozen=True, slots=True)
class ErrorItem:
    """Name one fault of a request: where (JSON pointer into the body, or `/name` of a parameter) and what."""

    pointer: str
    code: str
    detail: str


class Problem(HTTPException):
    """Answer the request with an error; `errors` beyond the first fifty are dropped."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        errors: Iterable[ErrorItem] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = status
        self.problem_code = code
        self.errors = tuple(errors)[:MOST_ERRORS]
        self.extra_headers = dict(headers or {})

    @classmethod
    def invalid(cls, errors: Iterable[ErrorItem]) -> Problem:
        """Make a 422 out of its errors; one error gives the problem its code and its detail."""
        items = tuple(errors)
        if len(items) == 1:
            return cls(422, items[0].code, items[0].detail, items)
        return cls(422, "invalid_request", f"the request has {len(items)} faults", items)


def problem_bytes(
    status: int, code: str, detail: str, errors: Iterable[ErrorItem] = (), request_id: str | None = None
) -> bytes:
    """Encode a problem as JSON; text that is no Unicode is escaped."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": _clean(detail),
        "errors": [{name: _clean(value) for name, value in asdict(item).items()} for item in errors],
        "request_id": request_id,
    }
    return orjson.dumps(body)


def handle_problems(app: Flask) -> None:
    """Register the handlers that turn every exception of `app` into a problem."""
    app.register_error_handler(HTTPException, problem_of_http_error)
    app.register_error_handler(EngineError, _of_engine_error)
    app.register_error_handler(Exception, _of_surprise)


def problem_of_http_error(error: HTTPException) -> Response:
    """Turn an error of Flask, or a Problem, into its response; headers such as `Allow` are kept."""
    status = error.code or 500
    code = getattr(error, "problem_code", None) or STATUS_CODES.get(status, HTTPStatus(status).name.lower())
    errors: tuple[ErrorItem, ...] = getattr(error, "errors", ())
    body = problem_bytes(status, code, error.description or "", errors, request_id())
    response = Response(body, status, mimetype=MEDIA_TYPE)
    for name, value in error.get_headers():
        if name.lower() not in ("content-type", "content-length"):
            response.headers[name] = value
    response.headers.update(getattr(error, "extra_headers", {}))
    response.headers["Cache-Control"] = "no-store"
    return response


def problem_of_engine_error(error: EngineError) -> Problem:
    """Return the Problem for an error that no schema placed in the request, without pointers.

    Raises the error again if it is a fault of ours.
    """
    if isinstance(error, DamagedTable):
        log.error(
            "table_damaged", request_id=request_id() if has_request_context() else None, detail=str(error)
        )  # it names paths of this machine
        detail = "the table of the lexicon is damaged; the log says how to repair it"
        return Problem(503, error.code, detail, headers={"Retry-After": "60"})
    if isinstance(error, TableNotReady):
        return Problem(503, error.code, str(error), headers={"Retry-After": "5"})
    if isinstance(error, InvalidInput):
        return Problem(422, error.code, str(error))
    if isinstance(error, NotFound | MissingTable):
        return Problem(404, error.code, str(error))
    raise error


def _of_engine_error(error: EngineError) -> Response:
    try:
        return problem_of_http_error(problem_of_engine_error(error))
    except EngineError:
        return _of_surprise(error)


def _of_surprise(error: Exception) -> Response:
    log.error("unexpected", request_id=request_id(), exc_info=error)
    return problem_of_http_error(
        Problem(500, "internal_error", "an unexpected error; the log has it under this request_id")
    )


def _clean(text: str) -> str:
    """Replace lone surrogates by escapes, so that the text can be encoded."""
    return text.encode("utf-8", "backslashreplace").decode()
