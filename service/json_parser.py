"""Strict reading of requests: webargs' FlaskParser with its documented methods overridden."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NoReturn

import marshmallow as ma
from flask import g
from webargs.flaskparser import FlaskParser

from engine import Text
from service.languages import prefer_language
from service.problem_objects import MAX_ERRORS, ErrorItem
from service.problems import Problem
from service.schemas.error_message import MAX_SHOWN, ErrorMessage
from service.schemas.fields import Boolean, Integer, json_type
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Request

_BRACKETS: Final = re.compile(rb'"(?:[^"\\]|\\.)*"?|[][{}]', re.DOTALL)
_INTEGER: Final = re.compile(r"-?(0|[1-9][0-9]{0,17})")

_BOOLEANS: Final = {"true": True, "false": False, "1": True, "0": False}


class StrictParser(FlaskParser):
    """Read JSON and queries strictly: no duplicate or unknown names, no NaN, no deep nesting."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": None}  # noqa: RUF012

    def load_json(self, req: Request, schema: ma.Schema) -> Any:
        """Return the body as Python values.

        Raises a Problem: 400 as `read_json` does, 422 if it is no object or the query is not empty.
        """
        check_no_query(req)
        document = read_json(read_body(req), state().settings.max_depth)
        if not isinstance(document, dict):
            raise Problem.invalid(
                [
                    ErrorItem(
                        "",
                        "wrong_type",
                        Text("the body must be a JSON object"),
                        {"expected": "object", "given": json_type(document)},
                    )
                ]
            )
        prefer_language(document)
        return document

    def load_querystring(self, req: Request, schema: ma.Schema) -> Any:
        """Return the query, with the types that its fields have in JSON; no name may be repeated."""
        return dict(_read_query(req, schema))

    def handle_error(self, error: ma.ValidationError, req: Request, schema: ma.Schema, **_: Any) -> NoReturn:
        """Raise a Problem (422) with a pointer for each fault."""
        raise invalid_request(error.messages_dict.get("json") or error.messages_dict.get("query"))


def load(data: Any, schema: ma.Schema) -> Any:
    """Return `data` loaded by `schema`; raises a Problem (422) with a pointer for each fault."""
    try:
        return schema.load(data)
    except ma.ValidationError as error:
        raise invalid_request(error.messages) from None


def check_no_query(req: Request) -> None:
    """Raise a Problem (422) if a request with a JSON body has a query: its fields belong in the body."""
    if req.args:
        detail = Text("a request with a JSON body takes no query: send the field in the body")
        names = [name[:MAX_SHOWN] for name in req.args]
        raise Problem.invalid(
            [ErrorItem(f"/{name}", "unknown_field", detail, {"name": name}) for name in names]
        )


def read_body(req: Request) -> bytes:
    """Return the body; raises a Problem (400 `body_incomplete`) if it is cut off."""
    try:
        body = req.get_data(cache=False)
    except OSError:  # the client has disconnected or stalled
        raise Problem(400, "body_incomplete", Text("the body ended before its Content-Length")) from None
    g.body_read = True
    return body


def read_json(body: bytes, max_depth: int) -> Any:
    """Return the value of a JSON text.

    Raises a Problem (400): `malformed_json`, `duplicate_key`, or `too_deep` beyond `max_depth` levels of
    objects and arrays.
    """
    try:
        text = body.decode("utf-8")
        document = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
        if "\\u" in text:
            json.dumps(document, ensure_ascii=False).encode("utf-8")  # raises for lone surrogates
    except RecursionError:
        raise _too_deep(max_depth) from None
    except ValueError as error:
        if _nesting(body) > max_depth:  # Python versions differ in the depth at which they give up
            raise _too_deep(max_depth) from None
        raise malformed(error) from None
    if text.count("[") + text.count("{") > max_depth and _depth(document) > max_depth:
        raise _too_deep(max_depth)
    return document


def invalid_request(messages: Any) -> Problem:
    """Return the Problem (422) for marshmallow's nested messages, with a JSON pointer for each of them."""
    found = list(_pointed(messages))
    items = [_item(pointer, message) for pointer, message in found[:MAX_ERRORS]]
    return Problem.invalid(items, count=len(found))


def _pointed(messages: Any, pointer: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(messages, dict):
        for key, inner in messages.items():
            # "_schema" stands for the object itself.
            step = "" if key == ma.exceptions.SCHEMA else "/" + str(key).replace("~", "~0").replace("/", "~1")
            yield from _pointed(inner, pointer + step)
    elif isinstance(messages, list):
        for inner in messages:
            yield from _pointed(inner, pointer)
    else:
        yield pointer, messages


def _item(pointer: str, message: str) -> ErrorItem:
    if isinstance(message, ErrorMessage):
        return ErrorItem(pointer, message.code, message.detail, message.params)
    return ErrorItem(pointer, "invalid_value", message)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _duplicate_key(pairs)
    return found


def _duplicate_key(pairs: list[tuple[str, Any]]) -> Problem:
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            break
        seen.add(name)
    shown = name[:MAX_SHOWN]
    detail = Text("the key {key} appears twice in one object", key=repr(shown))
    return Problem(400, "duplicate_key", detail, params={"key": shown})


def malformed(error: ValueError, item: int = 0) -> Problem:
    """Return the Problem (400) for an error of Python's JSON reader; `item` is that of a batch, from 1."""
    params: dict[str, int] = {}
    if isinstance(error, json.JSONDecodeError):
        params = {"line": error.lineno, "column": error.colno}
        reason = error.msg.removesuffix(" at")  # some of Python's messages end so
        reason = f"{reason[:1].lower()}{reason[1:]}"
        detail = Text("{reason} at line {line}, column {column}", reason=reason, **params)
    elif isinstance(error, UnicodeDecodeError):
        params = {"byte": error.start + 1}
        detail = Text("byte {byte} is not UTF-8", byte=error.start + 1)
    elif isinstance(error, UnicodeEncodeError):
        detail = Text("an escape \\u stands for half of a character")
    else:
        detail = Text("a number has too many digits")
    if item:
        detail = Text("item {number}: {fault}", number=item, fault=detail)
    return Problem(400, "malformed_json", Text("the body is not JSON: {fault}", fault=detail), params=params)


def _refuse_constant(name: str) -> NoReturn:
    raise Problem(
        400,
        "malformed_json",
        Text("the body is not JSON: {fault}", fault=Text("{name} is not a JSON value", name=name)),
        params={},
    )


def _nesting(body: bytes) -> int:
    """Return how deep the brackets outside strings are nested; the text may be invalid JSON."""
    level = deepest = 0
    for token in _BRACKETS.finditer(body):
        bracket = token.group()
        if bracket in b"[{":
            level += 1
            deepest = max(deepest, level)
        elif bracket in b"]}":
            level -= 1
    return deepest


def _too_deep(max_depth: int) -> Problem:
    detail = Text("the body is nested deeper than {limit} levels", limit=max_depth)
    return Problem(400, "too_deep", detail)


def _depth(document: Any) -> int:
    """Return how deep lists and objects are nested, without recursion."""
    level, depth = [document], 0
    while inside := [value for value in level if isinstance(value, dict | list)]:
        depth += 1
        level = [item for value in inside for item in (value.values() if isinstance(value, dict) else value)]
    return depth


def _read_query(req: Request, schema: ma.Schema) -> Iterator[tuple[str, Any]]:
    for name, values in req.args.lists():
        declared = schema.load_fields.get(name)
        if isinstance(declared, ma.fields.List):
            yield name, [_typed(value, declared.inner) for value in values]
        elif len(values) > 1:
            shown = name[:MAX_SHOWN]
            detail = Text("the parameter {key} appears twice in the query", key=repr(shown))
            raise Problem(400, "duplicate_key", detail, params={"key": shown})
        else:
            yield name, _typed(values[0], declared)


def _typed(text: str, declared: ma.fields.Field[Any] | None) -> Any:
    """Return an integer or boolean if the schema requires one and the text is one, otherwise the text."""
    if isinstance(declared, Integer) and _INTEGER.fullmatch(text):
        return int(text)
    if isinstance(declared, Boolean) and text in _BOOLEANS:
        return _BOOLEANS[text]
    return text
