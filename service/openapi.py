"""The OpenAPI document, by flask-smorest."""

from __future__ import annotations

import json
from copy import deepcopy
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import flask_smorest  # type: ignore[import-untyped]

from service.schemas.answer_fields import AnyOf, Params
from service.schemas.fields import StringOr

if TYPE_CHECKING:
    from flask import Flask

API_VERSION = "1.0.0"
"""The version of the contract: its first number is the one of the paths' prefix."""

DESCRIPTION = """\
Every legal move of a crossword-game position, best first.

Answers are the same bytes for the same request and versions; times are in the `Server-Timing` header.
Errors are problems (RFC 9457) with a stable `code` and, in `errors`, a JSON pointer for each fault. `params`
holds the values that a message names, so that a program can say it in another language.
Long work becomes a job: an answer 202 with its `Location` instead of the result. A search does if its
`max_ms` is above the server's limit, a batch if it is long or holds searches, an annotation if its turns are
simulated at length; and all of them if the request says `Prefer: respond-async`. Every request has a job of
its own, unless it repeats an `Idempotency-Key`. What is cached, and a search of at most a second, is answered
at once, whatever the request prefers. The result of a cancelled job is what it had found by then. A search
stops when its client disconnects: keep the connection open, in both directions, until the answer is there.

Requests a minute are limited, more generously with a key; `RateLimit` headers say what is left, and 429 and
503 come with `Retry-After`.
"""


_UNUSED: Final = ("Error", "PaginationMetadata")
"""Schemas that flask-smorest adds for errors and pages of its own."""

_TEXT: Final = {"type": "string"}
_IF_NONE_MATCH: Final = {
    "name": "If-None-Match",
    "in": "header",
    "description": "ETag of an answer that the client has: 304 if it has not changed",
    "schema": _TEXT,
}
_PREFER: Final = {
    "name": "Prefer",
    "in": "header",
    "description": "respond-async: answer with a job unless the result is there at once",
    "schema": _TEXT,
}
_IDEMPOTENCY_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "1 to 255 characters that name this request: sent again, it gets the same job",
    "schema": _TEXT,
}
_HEADERS: Final = {"304": (_IF_NONE_MATCH,), "202": (_PREFER, _IDEMPOTENCY_KEY)}
"""The headers that an operation takes, by the answer that they may lead to."""

_TOO_LONG: Final = {
    "description": "the address is longer than 8,190 bytes; the server answers before the service",
    "content": {"text/html": {"schema": _TEXT}},
}
_LIST: Final = {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "number"}]}}
_PARAMS: Final = {
    "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}, _LIST]}
}


def make_api(app: Flask) -> flask_smorest.Api:
    """Attach an Api to `app`; `document` returns its OpenAPI document."""
    app.config.update(
        API_TITLE="kibitz",
        API_VERSION=API_VERSION,
        OPENAPI_VERSION="3.1.0",
    )
    info = {"description": DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}}
    api = flask_smorest.Api(app, spec_kwargs={"info": info, "servers": [{"url": "/v1"}, {"url": "/"}]})
    api.DEFAULT_ERROR_RESPONSE_NAME = None
    api.ma_plugin.converter.add_attribute_function(_union)
    api.ma_plugin.converter.add_attribute_function(_params)
    return api


def document(api: flask_smorest.Api) -> dict[str, Any]:
    """Return the OpenAPI document of the service."""
    spec: dict[str, Any] = deepcopy(api.spec.to_dict())
    for name in _UNUSED:
        del spec["components"]["schemas"][name]
    for schema in spec["components"]["schemas"].values():
        for field in schema["properties"].values():
            _describe_default(field, field)
    for path in spec["paths"].values():
        shared = path.pop("parameters", [])
        for operation in path.values():
            headers = [_HEADERS[status] for status in _HEADERS if status in operation["responses"]]
            own = operation.get("parameters", [])
            if any(parameter["in"] == "query" for parameter in own):
                operation["responses"].setdefault("414", _TOO_LONG)
            if "requestBody" in operation:
                for parameter in own:
                    _describe_default(parameter["schema"], parameter)
            operation["parameters"] = [*shared, *own, *chain.from_iterable(headers)]
    # A key is needed only where the operator requires one, hence the empty alternative.
    spec["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    spec["security"] = [{}, {"key": []}]
    return spec


def _describe_default(schema: dict[str, Any], described: dict[str, Any]) -> None:
    """Move the default of a field of a request into the description of it.

    openapi-typescript takes a field with a default for one that every body has, and openapi-python-client
    sends the default.
    """
    if "default" in schema:
        shown = json.dumps(schema.pop("default"))
        described["description"] = f"{described['description']}; default: {shown}"


def _union(self: Any, field: Any, **_: Any) -> dict[str, Any]:
    """Describe a field that takes one of several types."""
    if isinstance(field, StringOr):
        choices = [field.text, field.other]
    elif isinstance(field, AnyOf):
        choices = list(field.choices)
    else:
        return {}
    found = [self.field2property(choice) for choice in choices]
    return {"anyOf": [*found, {"type": "null"}] if field.allow_none else found}


def _params(self: Any, field: Any, **_: Any) -> dict[str, Any]:
    """Describe the values of messages."""
    return _PARAMS if isinstance(field, Params) else {}
