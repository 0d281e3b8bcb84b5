"""The OpenAPI document, by flask-smorest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import flask_smorest  # type: ignore[import-untyped]

from service.schemas.fields import Either

if TYPE_CHECKING:
    from flask import Flask

API_VERSION = "1.0.0"
"""The version of the contract: its first number is the one of the paths' prefix."""

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
    api.ma_plugin.converter.add_attribute_function(_either)
    return api


def document(api: flask_smorest.Api) -> dict[str, Any]:
    """Return the OpenAPI document of the service."""
    spec: dict[str, Any] = api.spec.to_dict()
    # A key is needed only where the operator requires one, hence the empty alternative.
    spec["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    spec["security"] = [{}, {"key": []}]
    return spec


def _either(self: Any, field: Any, **_: Any) -> dict[str, Any]:
    """Describe a field that takes one of two types."""
    if not isinstance(field, Either):
        return {}
    return {"anyOf": [self.field2property(field.text), self.field2property(field.other)]}
