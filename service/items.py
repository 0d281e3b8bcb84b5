"""Items: requests of which several come in one stream, each a JSON object with an `id`.

The answer to an item is `{"id", "line", "status", "answer"}` with the answer of the operation, or with
`problem` in place of `answer`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from engine import LANGUAGES, Text
from service.json_parser import read_json
from service.operations.operation import check_size
from service.problem_objects import ErrorItem
from service.problems import Problem, problem_of
from service.schemas.batch import MAX_ID, MAX_ID_LENGTH
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.settings import Settings


def max_item_bytes(settings: Settings) -> int:
    """Return the most bytes of an item, whichever operation it asks for."""
    return max(settings.max_gcg_bytes, settings.max_body_bytes)


class Item:
    """An item and its answer; a fault of the item is its answer, and raises nothing."""

    def __init__(self, line: int, lang: str) -> None:
        """Take the number of its line, and the language of its texts unless it names one."""
        self.id: str | int | None = None
        self.line = line
        self._lang = lang

    def read(self, text: bytes) -> dict[str, Any]:
        """Return the members of the item without its id; raises a Problem (400, 413 or 422)."""
        settings = state().settings
        check_size(len(text), max_item_bytes(settings))
        document = read_json(text, settings.max_depth)
        if not isinstance(document, dict):
            raise Problem.invalid([ErrorItem("", "wrong_type", Text("a line must be a JSON object"))])
        if document.get("lang") in LANGUAGES:
            self._lang = document["lang"]
        self.id = _take_id(document)
        return document

    def answer(self, make: Callable[[], bytes]) -> bytes:
        """Return the answer that `make` encodes, or the problem that it raises."""
        try:
            return self.line_with(status=200, answer=orjson.Fragment(make()))
        except Exception as error:
            problem = problem_of(error, line=self.line)
            return self.line_with(status=problem.code, problem=problem.body(language=self._lang))

    def line_with(self, **members: Any) -> bytes:
        """Return a line about the item."""
        return orjson.dumps({"id": self.id, "line": self.line, **members})


def _take_id(document: dict[str, Any]) -> str | int | None:
    """Remove the id from an item and return it."""
    given = document.pop("id", None)
    if isinstance(given, str):
        valid = len(given) <= MAX_ID_LENGTH
    else:
        valid = given is None or (type(given) is int and abs(given) <= MAX_ID)
    if not valid:
        detail = Text(
            "must be a string of at most {limit} characters, an integer or null", limit=MAX_ID_LENGTH
        )
        raise Problem.invalid([ErrorItem("/id", "invalid_value", detail)])
    identity: str | int | None = given
    return identity
