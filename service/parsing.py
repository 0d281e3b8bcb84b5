"""Reading the arguments of a request, strictly: one way in for JSON bodies and for query strings."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import marshmallow as ma
import orjson
from webargs.flaskparser import FlaskParser

from service.current import current_config, current_request
from service.problems import ErrorItem, Problem
from service.schemas.fields import Flag, Whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Request

_INSIDE = (dict, list)
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")


class StrictParser(FlaskParser):
    """Parse what no other parser refuses: see the error codes of `read_json` and `_read_query`."""

    def read(self, schema: ma.Schema, location: str) -> Any:
        """Return what the current request says at "json" or "query", loaded by `schema`.

        Raises a Problem with a pointer for each fault.
        """
        asked = current_request()
        return load((self.load_json if location == "json" else self.load_querystring)(asked, schema), schema)

    def load_json(self, req: Request, schema: ma.Schema) -> Any:
        """Return the body as `read_object` reads it."""
        return read_object(read_body(req))

    def load_querystring(self, req: Request, schema: ma.Schema) -> Any:
        """Return the query with the types that the same fields have in JSON."""
        return dict(_read_query(req, schema))


def load(data: dict[str, Any], schema: ma.Schema) -> Any:
    """Return `data` loaded by `schema`; raises a Problem (422) with a pointer for each fault."""
    try:
        return schema.load(data)
    except ma.ValidationError as error:
        raise Problem.invalid(pointed(error.messages)) from None


def read_object(body: bytes) -> dict[str, Any]:
    """Return a body as Python values; 400 as `read_json` raises it, 422 if it is no object."""
    document = read_json(body, current_config()["SETTINGS"].max_depth)
    if not isinstance(document, dict):
        raise Problem.invalid([ErrorItem("", "wrong_type", "the body must be a JSON object")])
    return document


def read_body(req: Request) -> bytes:
    """Return the body, the same however often it is asked for; 400 `body_incomplete` if it breaks off."""
    try:
        return req.get_data()
    except OSError:  # the client has gone, or has been silent for too long
        raise Problem(400, "body_incomplete", "the body ended before its Content-Length") from None


def read_json(body: bytes, deepest: int) -> Any:
    """Parse `body`; 400 `malformed_json`, `too_deep` (more than `deepest` levels) or `duplicate_key`.

    orjson refuses what the standard library lets pass: NaN, lone surrogates, bytes that are no UTF-8.
    """
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        # orjson itself gives up beyond 1,024 levels.
        if re.search("depth|recursion", str(error), re.IGNORECASE):
            raise _too_deep(deepest) from None
        raise Problem(400, "malformed_json", f"the body is not JSON: {error}"[:300]) from None
    if not _is_plain(body, document):
        if _depth(document) > deepest:
            raise _too_deep(deepest)
        _refuse_duplicates(body)
    return document


def _too_deep(deepest: int) -> Problem:
    return Problem(400, "too_deep", f"the body is nested deeper than {deepest} levels")


def _depth(document: Any) -> int:
    """Return the number of levels of lists and objects, without recursion."""
    level, depth = [document], 0
    while True:
        inside = [value for value in level if isinstance(value, _INSIDE)]
        if not inside:
            return depth
        depth += 1
        level = [item for value in inside for item in (value.values() if isinstance(value, dict) else value)]


def _is_plain(body: bytes, document: Any) -> bool:
    """Tell whether a body is an object of one level, as nearly all are, in which no key stands twice."""
    if not isinstance(document, dict) or b"\\" in body:
        return False
    # Every quote is known: two of each key, two of each text. A second key has more.
    quotes = 2 * len(document)
    for value in document.values():
        if isinstance(value, str):
            quotes += 2
        elif isinstance(value, _INSIDE):
            return False
    return body.count(b'"') == quotes


def _refuse_duplicates(body: bytes) -> None:
    def check(pairs: list[tuple[str, Any]]) -> None:
        keys = [key for key, _ in pairs]
        if len(set(keys)) != len(keys):
            times = Counter(keys)
            twice = next(key for key in keys if times[key] > 1)
            raise Problem(400, "duplicate_key", f"the key {twice[:40]!r} stands twice in one object")

    # Numbers are not wanted here, and long ones would cost or raise.
    json.loads(body, object_pairs_hook=check, parse_int=lambda _: 0, parse_float=lambda _: 0.0)


def _read_query(req: Request, schema: ma.Schema) -> Iterator[tuple[str, Any]]:
    for name, values in req.args.lists():
        field = schema.load_fields.get(name)
        if isinstance(field, ma.fields.List):
            yield name, [_typed(value, field.inner) for value in values]
        elif len(values) > 1:
            raise Problem(400, "duplicate_key", f"the parameter {name[:40]!r} stands twice in the query")
        else:
            yield name, _typed(values[0], field)


def _typed(text: str, field: ma.fields.Field[Any] | None) -> Any:
    """Convert a canonical integer or boolean where the schema wants one; leave the rest to the schema."""
    if isinstance(field, Whole) and _INTEGER.fullmatch(text):
        return int(text)
    if isinstance(field, Flag) and text in ("true", "false"):
        return text == "true"
    return text


def pointed(messages: Any, pointer: str = "") -> Iterator[ErrorItem]:
    """Flatten the nested messages of marshmallow into items with JSON pointers.

    A message of ours is "code: detail"; a message of marshmallow itself gets the code `invalid_value`.
    """
    if isinstance(messages, dict):
        for key, inner in messages.items():
            # "_schema" is marshmallow's name for the object itself.
            step = "" if key == ma.exceptions.SCHEMA else "/" + str(key).replace("~", "~0").replace("/", "~1")
            yield from pointed(inner, pointer + step)
    elif isinstance(messages, list):
        for inner in messages:
            yield from pointed(inner, pointer)
    else:
        code, colon, detail = str(messages).partition(": ")
        if colon and re.fullmatch(r"[a-z_]+", code):
            yield ErrorItem(pointer, code, detail)
        else:
            yield ErrorItem(pointer, "invalid_value", str(messages))
