"""Doing the work of a job: from its input to the bytes of its result, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from engine import EngineError
from service.jobs.batch_lines import JSON, NDJSON, answer_items, framed, read_items
from service.jobs.interface import ANALYZE, ANNOTATE
from service.jobs.operations import analysis, annotation
from service.observability.structured import get_logger
from service.problems import Problem, problem_bytes, problem_of_engine_error
from service.schemas.annotate import dump_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flask import Flask

    from service.analyst import Analyst

log = get_logger("kibitz.job")


def do_work(app: Flask, kind: str, media_type: str, body: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the pieces of a result, each with the number of steps done by then.

    Raises Problem or the engine's errors for what cannot be done; see `problem_of`.
    """
    analyst: Analyst = app.config["ANALYST"]
    if kind == ANALYZE:
        with app.app_context():
            yield analysis(analyst, orjson.loads(body), service.settings.lexicon), 1
    elif kind == ANNOTATE:
        notes = annotation(analyst, orjson.loads(body), service.settings.lexicon).notes
        for done, line in enumerate(dump_notes(notes), 1):
            yield line, done
    else:
        head, _, lines = body.partition(b"\n")
        items = read_items(lines)
        default = orjson.loads(head)["lexicon"]
        answers = answer_items(app, items, service.settings.batch_threads, default)
        for done, piece in enumerate(framed(answers, media_type), 1):
            yield piece, min(done, len(items))


def batch_input(lexicon: str, items: Iterable[tuple[int, bytes]]) -> bytes:
    """Return a batch as `do_work` reads it: a line that names the lexicon of the items that name none, which
    is that of the service that took it in, then the items, each on the line of its number."""
    lines = [orjson.dumps({"lexicon": lexicon})]
    for number, item in items:
        lines += [b""] * (number - len(lines))
        lines.append(item)
    return b"\n".join(lines)


def media_type_of(kind: str) -> str:
    """Return the media type of a result, but for that of a batch, which is the one of its input."""
    return JSON if kind == ANALYZE else NDJSON


def problem_of(error: Exception) -> dict[str, Any]:
    """Return the problem that an exception of the work amounts to; what no request can cause is logged."""
    try:
        problem = problem_of_engine_error(error) if isinstance(error, EngineError) else error
    except EngineError as fault:
        problem = fault
    if not isinstance(problem, Problem):
        log.error("unexpected", exc_info=problem)
        problem = Problem(500, "internal_error", "an unexpected error; the log has it")
    body: dict[str, Any] = orjson.loads(
        problem_bytes(problem.code or 500, problem.problem_code, problem.description or "", problem.errors)
    )
    return body
