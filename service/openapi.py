"""flask-smorest, bent to this service: problems for errors, our parser, examples, OpenAPI 3.1."""

from __future__ import annotations

import http
from copy import deepcopy
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import flask_smorest  # type: ignore[import-untyped]
from flask_smorest.utils import prepare_response  # type: ignore[import-untyped]

from service.parsing import StrictParser
from service.problems import MEDIA_TYPE, problem_of_http_error
from service.schemas.answers import ProblemShape
from service.schemas.fields import Either
from service.schemas.position import WAYS

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask, Response
    from marshmallow import Schema
    from werkzeug.exceptions import HTTPException

DESCRIPTION = """\
Every legal move of a crossword-game position, best first.

Answers are the same bytes for the same request and versions; times stand in the `Server-Timing` header.
Errors are problems (RFC 9457) with a stable `code` and, in `errors`, a JSON pointer for each fault.
Long work becomes a job: an answer 202 with its `Location` instead of the result. A search does if its
`max_ms` is above the server's limit, a batch if it is long or holds searches, an annotation if its turns are
simulated at length; and all of them if the request says `Prefer: respond-async`. Whoever sends the same
request again gets the same job. What is known already, and what takes no longer than a second, is answered at
once whatever the request prefers. A search that nobody waits for any more is cut short: keep the connection
open, in both directions, until the answer is there.

Requests a minute are limited, more generously with a key; `RateLimit` headers tell what is left, and 429 and
503 come with `Retry-After`.
"""


# What a schema checks as a whole, marshmallow cannot tell: the fields of which exactly one group is needed.
_WAYS = tuple((name, "turn") if name == "gcg" else (name,) for name in WAYS)
_ONE_WAY = {
    "AnalyzeBody": _WAYS,
    "HintBody": _WAYS,
    "PlayBody": tuple((given, *way) for given in ("move", "level") for way in _WAYS),
    "PictureBody": _WAYS,
    "JudgeBody": (("words",), *(("play", *way) for way in _WAYS)),
}

Function = TypeVar("Function", bound="Callable[..., Any]")


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """A group of operations whose arguments are read by StrictParser; flask-smorest's decorators, typed."""

    ARGUMENTS_PARSER = StrictParser()

    if TYPE_CHECKING:  # what flask-smorest defines without types
        # ruff: noqa: D102

        def route(self, rule: str, **options: Any) -> Callable[[Function], Function]: ...

        def doc(self, **options: Any) -> Callable[[Function], Function]: ...

    # Every view makes its own response. So of these three flask-smorest does the documenting alone: its
    # wrappers, five functions deep, would take longer than the reading itself.

    def arguments(
        self, schema: Schema, *, location: str = "json", **options: Any
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Give a view what the request says at `location`, read by `schema`, and document it."""
        document = self.body(schema, location=location, **options)
        read = self.ARGUMENTS_PARSER.read

        def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(view)
            def reading(*args: Any, **named: Any) -> Any:
                return view(*args, read(schema, location), **named)

            return _documented(reading, document(view))

        return decorate

    def body(
        self, schema: Schema, *, location: str = "json", **options: Any
    ) -> Callable[[Function], Function]:
        """Document what a view reads by itself."""
        document = super().arguments(schema, location=location, **options)
        return lambda view: _documented(view, document(view))

    def response(
        self, status_code: int, schema: type[Schema] | dict[str, str], **options: Any
    ) -> Callable[[Function], Function]:
        """Document the usual answer of a view."""
        document = super().response(status_code, schema, **options)
        return lambda view: _documented(view, document(view))

    def alt_response(self, status_code: int, **options: Any) -> Callable[[Function], Function]:
        """Document another answer of a view."""
        document = super().alt_response(status_code, **options)
        return lambda view: _documented(view, document(view))

    def problems(self, *statuses: int) -> Callable[[Function], Function]:
        """Document the errors of an operation."""

        def decorate(view: Function) -> Function:
            # flask-smorest's `alt_response` would wrap the view once per status, only to document it.
            documented: dict[str, Any] = deepcopy(getattr(view, "_apidoc", {}))
            responses = documented.setdefault("response", {}).setdefault("responses", {})
            responses.update({status: [http.HTTPStatus(status).name] for status in statuses})
            view._apidoc = documented  # type: ignore[attr-defined]
            return view

        return decorate


def _documented(view: Function, like: Any) -> Function:
    """Return a view with the documentation of another."""
    view._apidoc = like._apidoc  # type: ignore[attr-defined]
    return view


class Api(flask_smorest.Api):  # type: ignore[misc]
    """Document errors as what they are, and leave the answering of them to `service.problems`."""

    ERROR_SCHEMA = ProblemShape

    def handle_http_exception(self, error: HTTPException) -> Response:
        """Answer with a problem."""
        return problem_of_http_error(error)

    def _register_responses(self) -> None:
        for status in http.HTTPStatus:
            response: dict[str, Any] = {"description": status.phrase}
            if status >= 400:
                response["schema"] = ProblemShape
            prepare_response(response, self.spec, MEDIA_TYPE)
            self.spec.components.response(status.name, response, lazy=True)
        response = {"description": "any other error", "schema": ProblemShape}
        prepare_response(response, self.spec, MEDIA_TYPE)
        self.spec.components.response(self.DEFAULT_ERROR_RESPONSE_NAME, response, lazy=True)


def make_api(app: Flask, version: str) -> Api:
    """Attach an Api to `app`; its document is served by `resources.docs`."""
    app.config.update(API_TITLE="kibitz", API_VERSION=version, OPENAPI_VERSION="3.1.0")
    api = Api(
        app,
        spec_kwargs={"info": {"description": DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}}},
    )
    api.ma_plugin.converter.add_attribute_function(_either)
    return api


def document(api: Api) -> dict[str, Any]:
    """Return the OpenAPI document of the service."""
    spec: dict[str, Any] = api.spec.to_dict()
    # A key is never needed but where the operator says so, hence the empty way first.
    spec["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    spec["security"] = [{}, {"key": []}]
    for operations in spec["paths"].values():  # a path's parameters are told with each operation
        shared = operations.pop("parameters", [])
        for operation in operations.values() if shared else ():
            operation["parameters"] = [*shared, *operation.get("parameters", [])]
    for name, ways in _ONE_WAY.items():
        body = spec["components"]["schemas"].get(name)
        if body is not None:
            body["oneOf"] = [{"required": list(way)} for way in ways]
    return spec


def _either(self: Any, field: Any, **_: Any) -> dict[str, Any]:
    """Describe a field that takes one of two types."""
    if not isinstance(field, Either):
        return {}
    return {"anyOf": [self.field2property(field.text), self.field2property(field.other)]}
