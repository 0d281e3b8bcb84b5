"""/batch: many requests in one body, answered in their order.

An item with the field `gcg` but without `turn` is a request of /games/annotate, any other item one of
/analyze. `items.py` says what an answer to an item is.

The items of a body are counted before the first is copied, so that a body with too many takes no memory.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import orjson

from engine import Text
from service.items import Item, max_item_bytes
from service.json_parser import malformed
from service.operations.positions import analyze, annotate_game
from service.problem_objects import ErrorItem
from service.problems import Problem
from service.schemas.batch import BatchGameSchema, BatchPositionSchema
from service.view_rules import JSON

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from service.operations import Call
    from service.settings import Settings

SEARCHES: Final = frozenset({"simulate", "endgame", "preendgame", "phase"})
"""The fields of an item that request a search."""

TURNS: Final = 25
"""Turns of a usual game; each is explained."""

SHORT_ITEM: Final = 4_096
"""Characters of the slice in which an item is parsed first; most items are shorter."""

MAX_TOKEN: Final = 16
"""More characters than any JSON literal or escape has."""

_ANALYZE: Final = replace(analyze, schema=BatchPositionSchema())
_ANNOTATE: Final = replace(annotate_game, schema=BatchGameSchema())
_DECODER: Final = json.JSONDecoder()
_WHITESPACE: Final = re.compile(r"[ \t\n\r]*")


class Batch:
    """The items of a body, stored as places in it."""

    def __init__(self, body: bytes, media_type: str, settings: Settings) -> None:
        """Take a body of NDJSON, or one JSON array.

        Raises a Problem: 400 `malformed_json`, 422 `wrong_type` if it is no array, 422 `too_many_items`, 413
        `item_too_large` for an item of an array.
        """
        self.media_type = media_type
        self._max_bytes = max_item_bytes(settings)
        self._limit = settings.batch_lines
        self._body = body
        self._text = ""
        self._places: list[tuple[int, int, int]] = []  # number from 1, start, end
        if media_type == JSON:
            self._text, self._body = _decoded(body), b""
            self._places = list(self._array())
        else:
            self._places = list(self._lines())

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        """Yield every item with its number."""
        for number, start, end in self._places:
            yield number, self._text[start:end].encode() if self._text else self._body[start:end]

    def text(self) -> str:
        """Return the body as a text that JSON can hold; `encode` with "surrogateescape" reverses it."""
        return self._text or self._body.decode("utf-8", "surrogateescape")

    def is_long_work(self, most: int) -> bool:
        """Return whether any item requests a search, or all together more than `most` explanations.

        A game counts as TURNS of them.
        """
        explained = 0
        for _, item in self:
            document = _parsed(item) if len(item) <= self._max_bytes else {}
            if not SEARCHES.isdisjoint(document):
                return True
            if document.get("explain"):
                explained += TURNS if _is_game(document) else 1
        return explained > most

    def _lines(self) -> Iterator[tuple[int, int, int]]:
        """Yield number, start and end of each line that is not empty."""
        body = self._body
        self._check_number(body.count(b"\n") + (not body.endswith(b"\n")))
        start, number = 0, 0
        while start < len(body):
            end = body.find(b"\n", start)
            end = len(body) if end < 0 else end
            number += 1
            if body[start:end].strip():
                yield number, start, end
            start = end + 1

    def _array(self) -> Iterator[tuple[int, int, int]]:
        """Yield number, start and end of each item of the array."""
        text = self._text
        at = _after_whitespace(text, 0)
        if text[at : at + 1] != "[":
            self._value_end(at, 1)  # raises if the body is not JSON
            raise Problem.invalid([ErrorItem("", "wrong_type", Text("the body must be a list"))])
        at = _after_whitespace(text, at + 1)
        number = 0
        closed = text[at : at + 1] == "]"
        while not closed:
            number += 1
            self._check_number(number)
            end = self._value_end(at, number)
            yield number, at, end
            at = _after_whitespace(text, end)
            closed = text[at : at + 1] == "]"
            if not closed:
                if text[at : at + 1] != ",":
                    raise _malformed(Text("expected , or ] at character {at}", at=at))
                at = _after_whitespace(text, at + 1)
        if _after_whitespace(text, at + 1) != len(text):
            raise _malformed(Text("extra data at character {at}", at=at + 1))

    def _value_end(self, start: int, number: int) -> int:
        """Return where the JSON value that begins at `start` ends.

        The value is parsed in a slice, because parsed it takes up to thirty times the memory of its text.
        """
        for length in (SHORT_ITEM, self._max_bytes):
            piece = self._text[start : start + length]
            is_rest = start + length >= len(self._text)
            try:
                _, end = _DECODER.raw_decode(piece)
            except RecursionError:
                raise Problem(
                    400, "too_deep", Text("item {number} is nested too deep", number=number)
                ) from None
            except ValueError as error:
                if is_rest or not _may_be_cut(error, len(piece)):
                    raise malformed(error, number) from None
            else:
                if is_rest or end < len(piece):  # otherwise a number may continue after the slice
                    return start + end
        detail = Text("item {item} is longer than {limit} bytes", item=number, limit=self._max_bytes)
        raise Problem(413, "item_too_large", detail)

    def _check_number(self, number: int) -> None:
        if number > self._limit:
            detail = Text("a batch has at most {limit} items", limit=self._limit)
            raise Problem.invalid([ErrorItem("", "too_many_items", detail)])


def answer_items(items: Iterable[tuple[int, bytes]], call: Call) -> Iterator[bytes]:
    """Yield the answer to each item; needs an application context."""
    for number, text in items:
        item = Item(number, call.lang)
        yield item.answer(partial(_answer, item, text, call))


def frame(answers: Iterable[bytes], media_type: str) -> Iterator[bytes]:
    """Yield the chunks of the response: lines of NDJSON, or one JSON array."""
    if media_type != JSON:
        for answer in answers:
            yield answer + b"\n"
        return
    before = b"["
    for answer in answers:
        yield before + answer
        before = b","
    yield b"]" if before == b"," else b"[]"


def _answer(item: Item, text: bytes, call: Call) -> bytes:
    """Return the answer of the operation that an item requests."""
    document = item.read(text)
    asked = _ANNOTATE if _is_game(document) else _ANALYZE
    return asked.answer(document, len(text), call)


def _is_game(document: dict[str, Any]) -> bool:
    """Return whether an item is a game to annotate, not a position to analyze."""
    return "gcg" in document and "turn" not in document


def _parsed(item: bytes) -> dict[str, Any]:
    """Return the fields of an item, none if it is not a JSON object."""
    try:
        document: Any = orjson.loads(item)
    except orjson.JSONDecodeError:
        return {}
    return document if isinstance(document, dict) else {}


def _decoded(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise malformed(error) from None


def _may_be_cut(error: ValueError, length: int) -> bool:
    """Return whether parsing a slice of this length may have failed because the value continues after it."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated string") or error.pos > length - MAX_TOKEN


def _after_whitespace(text: str, at: int) -> int:
    found = _WHITESPACE.match(text, at)
    return at if found is None else found.end()


def _malformed(fault: Text) -> Problem:
    return Problem(400, "malformed_json", Text("the body is not JSON: {fault}", fault=fault), params={})
