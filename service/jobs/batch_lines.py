"""The lines of a batch: each a request of its own, each answered by one line, in their order.

A line with the field `gcg` and no `turn` is a request of /games/annotate, any other one of /analyze; `id` may
stand beside and is echoed. An answer is `{"id", "line", "status", "answer"}`, where `answer` holds the very
bytes that the operation answers (of an annotation the list of its lines), or `problem` in its place.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

import marshmallow as ma
import orjson

from engine import EngineError
from service.jobs.operations import analysis, annotation
from service.observability.structured import get_logger
from service.parsing import pointed, read_json
from service.problems import ErrorItem, Problem, problem_bytes, problem_of_engine_error
from service.schemas.analyze import AnalyzeBody
from service.schemas.annotate import AnnotateBody, dump_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flask import Flask

    from service.analyst import Analyst

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
LONGEST_ITEM_ID: Final = 100
GREATEST_ITEM_ID: Final = 2**53 - 1  # every number up to it is the same in every JSON reader
AHEAD: Final = 4  # items under way for each thread, so that none waits for the order

_ANALYZE, _ANNOTATE = AnalyzeBody(), AnnotateBody()

log = get_logger("kibitz.batch")


def read_items(body: bytes) -> list[tuple[int, bytes]]:
    """Return the lines of NDJSON that are not empty, each with its number from 1."""
    lines = enumerate(body.split(b"\n"), 1)
    return [(number, stripped) for number, line in lines if (stripped := line.strip())]


def answer_items(
    app: Flask, items: Iterable[tuple[int, bytes]], threads: int, default: str
) -> Iterator[bytes]:
    """Yield the answer to each item, in their order; nothing that an item says raises.

    `default`: the lexicon of an item that names none.
    """
    if threads == 1:
        for number, item in items:
            yield answer_item(app, number, item, default)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Any] = deque()
        try:
            for number, item in items:
                waiting.append(pool.submit(answer_item, app, number, item, default))
                if len(waiting) > AHEAD * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:  # whoever wanted the answers may have gone
            for future in waiting:
                future.cancel()


def framed(answers: Iterable[bytes], media_type: str) -> Iterator[bytes]:
    """Yield the pieces of an answer: lines of NDJSON, or one JSON array."""
    if media_type != JSON:
        for answer in answers:
            yield answer + b"\n"
        return
    before = b"["
    for answer in answers:
        yield before + answer
        before = b","
    yield b"]" if before == b"," else b"[]"


def answer_item(app: Flask, number: int, item: bytes, default: str) -> bytes:
    """Return the answer to one item."""
    known: dict[str, Any] = {"id": None}
    status, name = 200, b"answer"
    try:
        value = _answer(app, item, known, default)
    except Exception as error:
        problem = _problem(error, number)
        status, name = problem.code or 500, b"problem"
        value = problem_bytes(status, problem.problem_code, problem.description or "", problem.errors)
    head = orjson.dumps({"id": known["id"], "line": number, "status": status})
    return head[:-1] + b',"' + name + b'":' + value + b"}"


def _answer(app: Flask, item: bytes, known: dict[str, Any], default: str) -> bytes:
    """Return the answer of the operation that an item asks for; its id is put into `known`."""
    analyst: Analyst = app.config["ANALYST"]
    settings = service.settings
    _check_length(item, max(settings.max_gcg_bytes, settings.max_body_bytes))
    document = read_json(item, settings.max_depth)
    if not isinstance(document, dict):
        raise Problem.invalid([ErrorItem("", "wrong_type", "a line must be a JSON object")])
    known["id"] = _item_id(document)
    is_game = "gcg" in document and "turn" not in document
    _check_length(item, settings.max_gcg_bytes if is_game else settings.max_body_bytes)
    with app.app_context():
        try:
            data = (_ANNOTATE if is_game else _ANALYZE).load(document)
        except ma.ValidationError as error:
            raise Problem.invalid(pointed(error.messages)) from None
        if not is_game:
            return analysis(analyst, data, default)
        notes = annotation(analyst, data, default).notes
        return b"[" + b",".join([line.rstrip() for line in dump_notes(notes)]) + b"]"


def _check_length(item: bytes, longest: int) -> None:
    if len(item) > longest:
        raise Problem(413, "body_too_large", f"the line is longer than {longest} bytes")


def _problem(error: Exception, number: int) -> Problem:
    try:
        if isinstance(error, EngineError):
            error = problem_of_engine_error(error)
    except EngineError as fault:
        error = fault
    if isinstance(error, Problem):
        return error
    log.error("unexpected", line=number, exc_info=error)
    return Problem(500, "internal_error", "an unexpected error; the log has it")


def _item_id(document: dict[str, Any]) -> str | int | None:
    """Take the id out of an item and return it."""
    given = document.pop("id", None)
    short = isinstance(given, str) and len(given) <= LONGEST_ITEM_ID
    whole = isinstance(given, int) and not isinstance(given, bool) and abs(given) <= GREATEST_ITEM_ID
    if given is None or short or whole:
        found: str | int | None = given
        return found
    raise Problem.invalid(
        [
            ErrorItem(
                "/id",
                "invalid_value",
                f"must be a string of at most {LONGEST_ITEM_ID} characters, an integer or null",
            )
        ]
    )
