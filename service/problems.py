"""Errors as `application/problem+json` (RFC 9457), with texts in the language of the answer.

A problem has the members `type` (always "about:blank"), `title`, `status`, `code` (stable, for programs),
`params` (the values in `detail`), `detail` (for people), `errors` (each with `pointer`, `code`, `params` and
`detail`; empty if no part of the request is wrong) and `request_id`.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import orjson
from flask import Response
from werkzeug.exceptions import HTTPException

from engine import (
    DEFAULT_LANGUAGE,
    AmbiguousMove,
    DamagedTable,
    EngineError,
    IllegalMove,
    InvalidInput,
    MissingTable,
    NotFound,
    TableNotReady,
    Text,
    params_of,
)
from service.languages import answer_language, with_language_headers
from service.logs import get_logger, request_id
from service.problem_objects import MAX_ERRORS, ErrorItem, ProblemObject

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from flask import Flask

MEDIA_TYPE: Final = "application/problem+json"

# The codes of errors that Flask or Werkzeug raise.
_CODES: Final = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_large",
    415: "unsupported_media_type",
    422: "invalid_request",
    429: "rate_limited",
    500: "internal_error",
}

log = get_logger("kibitz.problem")


class Problem(HTTPException):
    """Answer the request with an error that lists at most MAX_ERRORS of its `errors`.

    `params` are by default the values in `detail`, if it is a Text.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        errors: Iterable[ErrorItem] = (),
        *,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = status
        self.problem_code = code
        self.detail = detail
        self.params = dict(params_of(detail) if params is None else params)
        self.errors = tuple(errors)[:MAX_ERRORS]
        self.headers = dict(headers or {})

    @classmethod
    def invalid(cls, errors: Sequence[ErrorItem], *, count: int | None = None) -> Problem:
        """Return a 422 with these errors, the first of `count`.

        A single error gives the problem its code, params and detail.
        """
        number = len(errors) if count is None else count
        if number == 1:
            only = errors[0]
            return cls(422, only.code, only.detail, errors, params=only.params)
        detail = Text("the request has {count} faults", count=number)
        return cls(422, "invalid_request", detail, errors)

    def body(self, request_id: str | None = None, language: str = DEFAULT_LANGUAGE) -> dict[str, Any]:
        """Return the members of the problem, with its texts in a language."""
        members = ProblemObject(self.code or 500, self.problem_code, self.detail, self.errors, self.params)
        return members.body(request_id, language)


def problem_response(problem: Problem) -> Response:
    """Return the response of a problem, in the language of the answer."""
    body = orjson.dumps(problem.body(request_id(), answer_language()))
    response = Response(body, problem.code, mimetype=MEDIA_TYPE)
    response.headers.update(problem.headers)
    response.headers["Cache-Control"] = "no-store"
    return with_language_headers(response)


def problem_of(error: Exception, **log_fields: object) -> Problem:
    """Return the Problem for any exception; an unexpected one is logged with `log_fields` and gives a 500."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, DamagedTable):
        log.error("table_damaged", detail=str(error))  # the message has paths, which clients must not see
        detail = Text("the table of the lexicon is damaged; the log says how to repair it")
        return Problem(503, error.code, detail, headers={"Retry-After": "60"})
    if isinstance(error, TableNotReady):
        return Problem(503, error.code, error.message, params=_params(error), headers={"Retry-After": "5"})
    if isinstance(error, InvalidInput | IllegalMove | AmbiguousMove):
        return Problem(422, error.code, error.message, params=_params(error))
    if isinstance(error, NotFound | MissingTable):
        return Problem(404, error.code, error.message, params=_params(error))
    log.error("unexpected", exc_info=error, **log_fields)
    detail = Text("internal error; see the server's log for this request_id")
    return Problem(500, "internal_error", detail)


def handle_problems(app: Flask) -> None:
    """Answer every exception of `app` with a problem."""
    app.register_error_handler(Problem, problem_response)
    app.register_error_handler(HTTPException, problem_of_http_error)
    app.register_error_handler(Exception, lambda error: problem_response(problem_of(error)))


def problem_of_http_error(error: HTTPException) -> Response:
    """Return the response to an error of Flask or Werkzeug with its headers, such as `Allow`."""
    status = error.code or 500
    code = _CODES.get(status, HTTPStatus(status).name.lower())
    headers = {
        name: value
        for name, value in error.get_headers()
        if name.lower() not in ("content-type", "content-length")
    }
    return problem_response(Problem(status, code, error.description or "", headers=headers))


def _params(error: EngineError) -> Mapping[str, Any]:
    return error.faults[0].params if len(error.faults) == 1 else {"count": len(error.faults)}
