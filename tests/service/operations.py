"""Every operation of the OpenAPI document with its examples, and every field that a request can have."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    Path = tuple[str | int, ...]

WAYS = ("cgp", "rows", "tiles", "gcg")
"""Fields of which a request has one."""


@dataclass(frozen=True)
class Operation:
    """An operation: its method and address, and the examples of its parameters and of its bodies."""

    method: str
    path: str
    parameters: dict[str, Any]
    in_path: tuple[str, ...]
    queries: dict[str, Any]
    bodies: tuple[dict[str, Any], ...]
    fields: tuple[Path, ...]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def call(self, client: FlaskClient, body: Any = None, **parameters: Any) -> TestResponse:
        """Send the request; `parameters` are those of the path and the query, by default their examples."""
        given = self.parameters | parameters
        places = {name: quote(str(given.pop(name)), safe="", errors="replace") for name in self.in_path}
        address = self.path.format(**places)
        if body is None and self.method == "POST":
            body = self.bodies[0]
        data = None if body is None else json.dumps(body)
        kind = None if body is None else "application/json"
        return client.open(address, method=self.method, query_string=given, data=data, content_type=kind)

    def body_with(self, field: Path, value: Any) -> Any:
        """Return an example in which one field, however deep, has another value."""
        body = deepcopy(next((body for body in self.bodies if field[0] in body), self.bodies[0]))
        if field[0] in WAYS:
            for way in WAYS:
                body.pop(way, None)
        if "max_ms" in {path[0] for path in self.fields}:
            body["max_ms"] = 50  # whatever else is asked for
        place: Any = body
        for step, following in zip(field, [*field[1:], None], strict=True):
            if following is None:
                place[step] = value
                break
            wanted: Any = [{}] if following == 0 else {}
            there = place[step] if isinstance(step, int) else place.get(step)
            if not isinstance(there, type(wanted)) or not there:
                place[step] = there = wanted
            place = there
        return body


def operations(document: dict[str, Any]) -> list[Operation]:
    """Read the operations of a document."""
    return [
        _operation(document, method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def _operation(document: dict[str, Any], method: str, path: str, operation: dict[str, Any]) -> Operation:
    parameters = operation.get("parameters", [])
    examples = {item["name"]: item.get("example", item["schema"].get("example")) for item in parameters}
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return Operation(
        method.upper(),
        path,
        {name: example for name, example in examples.items() if example is not None},
        tuple(item["name"] for item in parameters if item["in"] == "path"),
        {item["name"]: item["schema"] for item in parameters if item["in"] == "query"},
        tuple(item["value"] for item in content.get("examples", {}).values()),
        tuple(field for field in _fields(document, content.get("schema", {})) if isinstance(field[0], str)),
    )


def _fields(document: dict[str, Any], schema: dict[str, Any], path: Path = ()) -> Iterator[Path]:
    """List the paths of the fields of a schema; 0 is any item of a list."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if path:
        yield path
    for name, inner in schema.get("properties", {}).items():
        yield from _fields(document, inner, (*path, name))
    if "items" in schema:
        yield from _fields(document, schema["items"], (*path, 0))
    for choice in schema.get("anyOf", ()):
        yield from (field for field in _fields(document, choice, path) if field != path)
