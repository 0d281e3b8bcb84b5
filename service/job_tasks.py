"""The work of jobs: from a JSON input to the bytes of the result.

`run_job` is what every back end calls. If the deadline of its work passes, the result is the one until then.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from contextlib import nullcontext
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine import DEFAULT_LANGUAGE, Deadline, Text
from service.analyst import cache_key, traced_answer
from service.annotation import annotation_document, annotation_lines, read_record
from service.batch import Batch, answer_items, frame
from service.documents import dump_analysis, search_state
from service.jobs import ANALYZE, ANNOTATE, BATCH, CANCELLED, DONE, FAILED
from service.languages import accepted_language
from service.operations import Call
from service.operations.positions import analyze
from service.problems import Problem, problem_of
from service.state import state
from service.traces import span
from service.view_rules import NDJSON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from flask import Flask

    from engine import Analysis, AnalysisRequest, Answer, Lexicon, SearchProgress
    from service.jobs import NewJob

STATE_SECONDS: Final = 0.25
"""How often the state of a search is reported."""


@dataclass(eq=False, slots=True)
class Work:
    """A running job: the number of steps `done` of `total`, and what a search has found `so_far`, as JSON
    values. `report` is called when they change.
    """

    deadline: Deadline = field(default_factory=Deadline)
    done: int = 0
    total: int | None = None
    so_far: dict[str, Any] | None = None
    cancelled: bool = False
    report: Callable[[], None] = lambda: None

    def cancel(self) -> None:
        """Stop the work; its result is the one until then."""
        self.cancelled = True
        self.deadline.cut()

    def call(self, lang: str, default: str) -> Call:
        """Return the call of an operation that does the work; `Call` explains the arguments."""
        return Call(self._analyze, lambda: nullcontext(self.deadline), lang, default, self.step)

    def step(self, done: int, total: int | None = None) -> None:
        """Note the number of steps done, and that of all steps if it is known."""
        self.done, self.total = done, total
        self.report()

    def _analyze(
        self,
        request: AnalysisRequest,
        lexicon: Lexicon,
        encode: Callable[[Analysis], bytes] = dump_analysis,
        kind: str = "",
    ) -> Answer:
        reported_at = 0.0

        def progress(found: SearchProgress) -> None:
            nonlocal reported_at
            if monotonic() - reported_at > STATE_SECONDS:
                self.so_far = search_state(found, request.position)
                reported_at = monotonic()
                self.report()

        return traced_answer(
            request,
            lexicon,
            state().cache,
            encode,
            cache_key(request, lexicon) + kind,
            self.deadline,
            None if kind else progress,  # the progress of a hint would show moves
        )


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
    return analyze(task["data"], work.call(DEFAULT_LANGUAGE, task["default"]))


def _annotate(task: dict[str, Any], media_type: str, work: Work) -> bytes:
    data = task["data"]
    if isinstance(data["gcg"], dict):
        data = {**data, "gcg": b64decode(data["gcg"]["base64"])}
    wanted = read_record(data, task["default"])
    if media_type == NDJSON:
        return _joined(annotation_lines(wanted, work.deadline), work.step)
    return annotation_document(wanted, media_type, work.deadline, work.step)


def _batch(task: dict[str, Any], media_type: str, work: Work) -> bytes:
    service = state()
    batch = Batch(task["body"].encode("utf-8", "surrogateescape"), media_type, service.settings)

    def analyze_item(request: AnalysisRequest, lexicon: Lexicon, *encoding: Any) -> Answer:
        own = Work()  # the time limit of one item does not affect the next
        with work.deadline.stopping(own.deadline.cut):
            if work.deadline.passed:
                own.deadline.cut()
            return own.call(task["lang"], task["default"]).analyze(request, lexicon, *encoding)

    def progress(chunks: int) -> None:
        work.step(min(chunks, len(batch)))  # the last chunk may be a bracket

    call = Call(analyze_item, lambda: nullcontext(work.deadline), task["lang"], task["default"])
    answers = _until(work.deadline, answer_items(batch, call))
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
