"""A client of the tests that holds every answer against the schema that documents it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import marshmallow as ma
from flask.testing import FlaskClient
from marshmallow.class_registry import get_class
from werkzeug.exceptions import HTTPException

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse


class DocumentedClient(FlaskClient):
    """Fail for an answer in JSON that is not documented, or has a field more or less than its schema."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        response = super().open(*args, **kwargs)
        if (response.mimetype or "").endswith("json") and not response.headers.get("Content-Encoding"):
            check_documented(self.application, response)
        return response


def check_documented(app: Flask, response: TestResponse) -> None:
    """Assert that an answer in JSON is one of those that the document has for its operation."""
    operation = _operation(app, response)
    if operation is None or response.status_code == 500:
        return
    answers = operation["responses"]
    assert str(response.status_code) in answers, (response.request.path, response.status_code, response.text)
    content = answers[str(response.status_code)]["content"]
    assert response.mimetype in content, (response.request.path, response.mimetype)
    reference = content[response.mimetype]["schema"].get("$ref")
    if reference is not None:
        schema: Any = get_class(reference.rpartition("/")[2] + "Schema")
        check_fields(response.json, schema())


def check_fields(value: Any, schema: ma.Schema) -> None:
    """Assert that a value loads by a schema, its fields in the order of the schema, and so all inside it."""
    schema.load(value)
    _check_order(value, schema)


def _check_order(value: Any, schema: ma.Schema) -> None:
    assert list(value) == list(schema.fields), type(schema).__name__
    for name, field in schema.fields.items():
        many = isinstance(field, ma.fields.List)
        inner = field.inner if isinstance(field, ma.fields.List) else field
        if isinstance(inner, ma.fields.Nested) and value[name] is not None:
            for item in value[name] if many else [value[name]]:
                if item is not None:
                    _check_order(item, inner.schema)


def _operation(app: Flask, response: TestResponse) -> dict[str, Any] | None:
    """Return the operation of the document that an answer belongs to; None for one that is not in it."""
    path = response.request.path.removeprefix("/v1")
    try:
        rule, _ = app.url_map.bind("localhost").match(path, response.request.method, return_rule=True)
    except HTTPException:
        return None
    if "openapi_paths" not in app.extensions:
        app.extensions["openapi_paths"] = app.extensions["openapi"]["paths"]
    methods = app.extensions["openapi_paths"].get(rule.rule.replace("<string:", "<").translate(_BRACES), {})
    found: dict[str, Any] | None = methods.get(response.request.method.lower())
    return found


_BRACES = str.maketrans("<>", "{}")
