"""The work of jobs: from a JSON input to the bytes of the result.

`run_job` is what every back end calls. If the deadline of its work passes, the result is the one until then.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine import Deadline, Text
from service.analyst import traced_answer
from service.annotation import annotation_document, annotation_lines, read_record
from service.batch import Batch, Operations, answer_items, frame
from service.documents import search_state
from service.jobs import ANALYZE, ANNOTATE, BATCH, CANCELLED, DONE, FAILED
from service.languages import accepted_language
from service.problems import Problem, problem_of
from service.schemas.pointers import pointing
from service.schemas.reading import read_request
from service.state import state
from service.traces import span
from service.view_rules import NDJSON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from flask import Flask

    from engine import AnalysisRequest, Lexicon, SearchProgress
    from service.jobs import NewJob

STATE_SECONDS: Final = 0.25
"""How often the state of a search is reported."""


@dataclass(eq=False, slots=True)
class Work:
    """A running job: the number of steps `done`, and what a search has found `so_far`, as JSON values."""

    deadline: Deadline = field(default_factory=Deadline)
    done: int = 0
    so_far: dict[str, Any] | None = None
    cancelled: bool = False

    def cancel(self) -> None:
        """Stop the work; its result is the one until then."""
        self.cancelled = True
        self.deadline.cut()


class Ended(NamedTuple):
    """The end of a job: done, failed or cancelled, its result, and why it failed."""

    state: str
    body: bytes | None
    problem: dict[str, Any] | None


def run_job(app: Flask, job_id: str, new: NewJob, work: Work) -> Ended:
    """Run a job and return how it ended; raises nothing."""
    body, problem = None, None
    try:
        with app.app_context(), span(f"job {new.kind}", new.trace, job=job_id):
            body = _TASKS[new.kind](new.task, new.media_type, work)
            _check_size(len(body))
    except Exception as error:
        body, problem = None, problem_of(error).body()
    if work.cancelled:
        return Ended(CANCELLED, body, None)
    return Ended(FAILED if problem else DONE, body, problem)


def request_task(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the input of a job for a loaded request of /analyze or /games/annotate.

    It has the default lexicon, because that of the process that runs the job may be another.
    """
    record = data.get("gcg")
    if isinstance(record, bytes):
        data = {**data, "gcg": {"base64": b64encode(record).decode()}}
    return {"data": dict(data), "default": state().settings.lexicon}


def batch_task(batch: Batch) -> dict[str, Any]:
    """Return the input of a job for a batch."""
    return {"body": batch.text(), "default": state().settings.lexicon, "lang": accepted_language()}


def _analyze(task: dict[str, Any], media_type: str, work: Work) -> bytes:
    wanted, lexicon = read_request(task["data"], task["default"])
    reported_at = 0.0

    def progress(found: SearchProgress) -> None:
        nonlocal reported_at
        if monotonic() - reported_at > STATE_SECONDS:
            work.so_far = search_state(found, wanted.position)
            reported_at = monotonic()

    with pointing(task["data"]):
        return traced_answer(wanted, lexicon, state().cache, deadline=work.deadline, progress=progress).body


def _annotate(task: dict[str, Any], media_type: str, work: Work) -> bytes:
    data = task["data"]
    if isinstance(data["gcg"], dict):
        data = {**data, "gcg": b64decode(data["gcg"]["base64"])}
    wanted = read_record(data, task["default"])

    def progress(done: int) -> None:
        work.done = done

    if media_type == NDJSON:
        return _joined(annotation_lines(wanted, work.deadline), progress)
    return annotation_document(wanted, media_type, work.deadline, progress)


def _batch(task: dict[str, Any], media_type: str, work: Work) -> bytes:
    service = state()
    batch = Batch(task["body"].encode("utf-8", "surrogateescape"), media_type, service.settings)

    def analyze(wanted: AnalysisRequest, lexicon: Lexicon) -> bytes:
        own = Deadline()  # the time limit of one item does not affect the next
        with work.deadline.stopping(own.cut):
            if work.deadline.passed:
                own.cut()
            return traced_answer(wanted, lexicon, service.cache, deadline=own).body

    def progress(chunks: int) -> None:
        work.done = min(chunks, len(batch))  # the last chunk may be a bracket

    operations = Operations(analyze, task["default"], task["lang"], work.deadline)
    answers = _until(work.deadline, answer_items(batch, operations))
    return _joined(frame(answers, media_type), progress)


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
