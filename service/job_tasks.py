"""The work of jobs: from a JSON input to the bytes of the result.

Every task needs an application context. If its deadline passes, it returns the result until then.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from engine import Deadline, Text, search_state
from service.analyst import traced_answer
from service.annotation import annotation_document, annotation_lines, read_record
from service.batch import Batch, Operations, answer_items, frame
from service.jobs import ANALYZE, ANNOTATE, BATCH
from service.languages import accepted_language
from service.problems import Problem
from service.request_checks import NDJSON
from service.schemas.pointers import pointing
from service.schemas.reading import read_request
from service.state import state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from engine import AnalysisRequest, Lexicon, SearchProgress

STATE_SECONDS: Final = 0.25
"""How often the state of a search is reported."""


@dataclass(frozen=True, slots=True)
class Report:
    """Hold what a task calls while it runs: `steps` with the steps done, `state` with that of a search."""

    steps: Callable[[int], None]
    state: Callable[[dict[str, Any]], None]


def request_task(data: Mapping[str, Any], lexicon: Lexicon) -> dict[str, Any]:
    """Return the input of a job for a loaded request of /analyze or /games/annotate.

    `lexicon` is stored as the default: that of the process that runs the job may be another.
    """
    record = data.get("gcg")
    if isinstance(record, bytes):
        data = {**data, "gcg": {"base64": b64encode(record).decode()}}
    return {"data": dict(data), "default": lexicon.id}


def batch_task(batch: Batch) -> dict[str, Any]:
    """Return the input of a job for a batch."""
    return {"body": batch.text(), "default": state().settings.lexicon, "lang": accepted_language()}


def run_task(kind: str, task: dict[str, Any], media_type: str, deadline: Deadline, report: Report) -> bytes:
    """Return the result of a task, which reports its progress.

    Raises a Problem (422 `result_too_large` for a result of more than `job_bytes`) or an error of the engine.
    """
    result = _TASKS[kind](task, media_type, deadline, report)
    _check_size(len(result))
    return result


def _analyze(task: dict[str, Any], media_type: str, deadline: Deadline, report: Report) -> bytes:
    wanted, lexicon = read_request(task["data"], task["default"])
    reported_at = 0.0

    def progress(found: SearchProgress) -> None:
        nonlocal reported_at
        if monotonic() - reported_at > STATE_SECONDS:
            report.state(asdict(search_state(found, wanted.position)))
            reported_at = monotonic()

    with pointing(task["data"]):
        return traced_answer(wanted, lexicon, state().cache, deadline=deadline, progress=progress).body


def _annotate(task: dict[str, Any], media_type: str, deadline: Deadline, report: Report) -> bytes:
    data = task["data"]
    if isinstance(data["gcg"], dict):
        data = {**data, "gcg": b64decode(data["gcg"]["base64"])}
    wanted = read_record(data, task["default"])
    if media_type == NDJSON:
        return _joined(annotation_lines(wanted, deadline), report.steps)
    return annotation_document(wanted, media_type, deadline, report.steps)


def _batch(task: dict[str, Any], media_type: str, deadline: Deadline, report: Report) -> bytes:
    service = state()
    batch = Batch(task["body"].encode("utf-8", "surrogateescape"), media_type, service.settings)

    def analyze(wanted: AnalysisRequest, lexicon: Lexicon) -> bytes:
        own = Deadline()  # the time limit of one item does not affect the next
        with deadline.stopping(own.cut):
            if deadline.passed:
                own.cut()
            return traced_answer(wanted, lexicon, service.cache, deadline=own).body

    def note(chunks: int) -> None:
        report.steps(min(chunks, len(batch)))  # the last chunk may be a bracket

    answers = _until(
        deadline, answer_items(batch, Operations(analyze, task["default"], task["lang"], deadline))
    )
    return _joined(frame(answers, media_type), note)


_TASKS: Final = {ANALYZE: _analyze, ANNOTATE: _annotate, BATCH: _batch}


def _until(deadline: Deadline, answers: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the answers until the deadline passes."""
    for found in answers:
        if deadline.passed:
            return
        yield found


def _check_size(size: int) -> None:
    limit = state().settings.job_bytes
    if size > limit:
        detail = Text("the result is larger than {limit} bytes; split the request", limit=limit)
        raise Problem(422, "result_too_large", detail)


def _joined(chunks: Iterator[bytes], progress: Callable[[int], None]) -> bytes:
    """Join the chunks; raises a Problem (422 `result_too_large`) for more than `job_bytes`."""
    found: list[bytes] = []
    size = 0
    for chunk in chunks:
        size += len(chunk)
        _check_size(size)
        found.append(chunk)
        progress(len(found))
    return b"".join(found)
