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

The same request to the same version always gets the same bytes; times are in the `Server-Timing` header.

Errors are problems (RFC 9457) with a stable `code` and, in `errors`, a JSON pointer for each fault. `params`
has the values in a message, so that a program can show it in another language.

Long work becomes a job: the answer is 202 with the `Location` of the job. A search becomes a job if its
`max_ms` is above the limit of the server, a batch if it is long or has searches, an annotation if it
simulates many turns, and each of them if the request has the header `Prefer: respond-async`. A cached answer,
and a search of at most a second, is returned at once in any case. Each request gets its own job, unless it
repeats an `Idempotency-Key`. The result of a cancelled job is the result until then. A search stops when the
client disconnects or closes its sending half of the connection.

The number of requests a minute is limited; the limit is higher with a key. `RateLimit` headers give the
requests left, and answers 429 and 503 have `Retry-After`.
"""


_UNUSED: Final = ("Error", "PaginationMetadata")
"""Schemas that flask-smorest adds for its own errors and pages."""

_TEXT: Final = {"type": "string"}
_IF_NONE_MATCH: Final = {
    "name": "If-None-Match",
    "in": "header",
    "description": "ETag of an earlier answer; 304 if the answer has not changed",
    "schema": _TEXT,
}
_PREFER: Final = {
    "name": "Prefer",
    "in": "header",
    "description": "respond-async: answer with a job",
    "schema": _TEXT,
}
_IDEMPOTENCY_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "1 to 255 characters; a request with the same key gets the same job",
    "schema": _TEXT,
}
_ACCEPT_LANGUAGE = {
    "name": "Accept-Language",
    "in": "header",
    "description": "language of sentences and errors, if the request has no `lang`",
    "schema": _TEXT,
}
_HEADERS: Final = {"304": (_IF_NONE_MATCH,), "202": (_PREFER, _IDEMPOTENCY_KEY)}
"""The headers of an operation, by the status that they may cause."""

_TOO_LONG: Final = {
    "description": "the address is longer than 8,190 bytes",
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
            if "Content-Language" in operation["responses"].get("200", {}).get("headers", {}):
                headers.append((_ACCEPT_LANGUAGE,))
            own = operation.get("parameters", [])
            if any(parameter["in"] == "query" for parameter in own):
                operation["responses"].setdefault("414", _TOO_LONG)
            if "requestBody" in operation:
                for parameter in own:
                    _describe_default(parameter["schema"], parameter)
            operation["parameters"] = [*shared, *own, *chain.from_iterable(headers)]
    # A key is needed only if the operator requires one, hence the empty alternative.
    spec["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    spec["security"] = [{}, {"key": []}]
    return spec


def _describe_default(schema: dict[str, Any], described: dict[str, Any]) -> None:
    """Move the default of a field of a request into its description.

    openapi-typescript treats a field with a default as required, and openapi-python-client sends the default.
    """
    if "default" in schema:
        shown = json.dumps(schema.pop("default"))
        described["description"] = f"{described['description']}; default: {shown}"


def _union(self: Any, field: Any, **_: Any) -> dict[str, Any]:
    """Return the schema of a field that takes one of several types."""
    if isinstance(field, StringOr):
        choices = [field.text, field.other]
    elif isinstance(field, AnyOf):
        choices = list(field.choices)
    else:
        return {}
    found = [self.field2property(choice) for choice in choices]
    return {"anyOf": [*found, {"type": "null"}] if field.allow_none else found}


def _params(self: Any, field: Any, **_: Any) -> dict[str, Any]:
    """Return the schema of the values of messages."""
    return _PARAMS if isinstance(field, Params) else {}
