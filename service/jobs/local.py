"""Jobs without Redis: a bounded pool of worker processes; inputs and results in files that go with this one.

The processes are started when there is work, and end when there has been none for a while: a small board has
no memory to spare. A job is cancelled by killing the process that does it.
"""

from __future__ import annotations

import time
import weakref
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any, Final

from service.jobs.interface import (
    CANCELLED,
    DONE,
    FAILED,
    MOST_ATTEMPTS,
    QUEUED,
    RUNNING,
    STATES,
    JobState,
    JobsUnavailableError,
    QueueFullError,
    TooManyJobsError,
)
from service.jobs.problems import given_up
from service.observability.structured import get_logger
from service.pipes import PipeWorker, WorkerDiedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.jobs.interface import NewJob
    from service.settings import Settings

MODULE: Final = "service.jobs.local_worker"
IDLE_SECONDS: Final = 30.0
"""How long a worker process without work is kept."""

MOST_ENDED: Final = 10_000
"""How many jobs that have ended are remembered, whatever their results weigh."""

_INPUT, _RESULT = ".in", ".out"
_READ_BYTES: Final = 1 << 16

log = get_logger("kibitz.job")


@dataclass
class _Record:
    """One job: how it stands, who wants it, who does it, and where its result lies."""

    job: NewJob
    state: JobState
    number: int
    holders: set[str] = field(default_factory=set)
    worker: PipeWorker | None = None
    size: int = 0


class LocalJobs:
    """Do jobs in processes of this one; its records are known to this process alone."""

    def __init__(self, settings: Settings) -> None:
        """Take the settings; nothing is started before the first job."""
        self._settings = settings
        self._changed = Condition()
        self._records: OrderedDict[str, _Record] = OrderedDict()  # the oldest end first
        self._waiting: list[_Record] = []
        self._threads = 0
        self._idle = 0
        self._ended = dict.fromkeys((DONE, FAILED, CANCELLED), 0)
        self._folder: Path | None = None
        self._count = 0

    def submit(self, job: NewJob, holder: str) -> JobState:
        """Take a job in, or find the same one again."""
        with self._changed:
            self._forget()
            record = self._records.get(job.id)
            if record is None or record.state.state in (FAILED, CANCELLED):
                self._check_room(holder)
                record = self._begin(job)
            if record.state.is_open:
                record.holders.add(holder)
            return record.state

    def look(self, job_id: str) -> JobState | None:
        """Return how a job stands."""
        with self._changed:
            self._forget()
            record = self._records.get(job_id)
            return None if record is None else record.state

    def let_go(self, job_id: str, holder: str) -> tuple[JobState | None, bool]:
        """Give up a reference; with the last one the process that does the job is killed."""
        with self._changed:
            record = self._records.get(job_id)
            if record is None:
                return None, False
            held = holder in record.holders
            record.holders.discard(holder)
            if held and not record.holders and record.state.is_open:
                self._end(record, CANCELLED)
                if record in self._waiting:
                    self._waiting.remove(record)
                if record.worker is not None:
                    record.worker.kill()
            return record.state, held

    def result(self, job_id: str) -> Iterator[bytes] | None:
        """Return the result of a job that is done."""
        with self._changed:
            record = self._records.get(job_id)
            if record is None or record.state.state != DONE:
                return None
            file = self._path(record.number, _RESULT).open("rb")  # once open, it may be forgotten

        def pieces() -> Iterator[bytes]:
            with file:
                while piece := file.read(_READ_BYTES):
                    yield piece

        return pieces()

    def figures(self) -> dict[str, int]:
        """Return the number of jobs by state."""
        with self._changed:
            states = [record.state.state for record in self._records.values()]
            return {state: self._ended.get(state, states.count(state)) for state in STATES}

    def _check_room(self, holder: str) -> None:
        """Raise TooManyJobsError or QueueFullError if no further job is taken."""
        is_open = [record for record in self._records.values() if record.state.is_open]
        held = sum(holder in record.holders for record in is_open)
        if held >= self._settings.jobs_each > 0:
            raise TooManyJobsError
        if len(is_open) >= self._settings.jobs_queued:
            raise QueueFullError

    def _begin(self, job: NewJob) -> _Record:
        self._records.pop(job.id, None)
        self._count += 1
        try:
            self._path(self._count, _INPUT).write_bytes(job.body)
        except OSError as error:
            raise JobsUnavailableError(f"there is no room for the job: {error.strerror}") from None
        state = JobState(job.id, job.kind, job.media_type, QUEUED, 0, job.total, time.time())
        record = self._records[job.id] = _Record(replace(job, body=b""), state, self._count)
        self._waiting.append(record)
        if len(self._waiting) > self._idle and self._threads < self._settings.job_workers:
            self._threads += 1
            Thread(target=self._serve, name="kibitz-jobs", daemon=True).start()
        self._changed.notify()
        return record

    def _end(self, record: _Record, state: str, problem: dict[str, Any] | None = None) -> None:
        record.state = replace(record.state, state=state, finished_at=time.time(), problem=problem)
        record.holders.clear()
        self._ended[state] += 1
        self._path(record.number, _INPUT).unlink(missing_ok=True)
        if state != DONE:
            self._path(record.number, _RESULT).unlink(missing_ok=True)
        self._records.move_to_end(record.job.id)
        self._forget()

    def _forget(self) -> None:
        """Forget what ended too long ago, and the oldest beyond the bytes and jobs kept, not the last."""
        ended = [record for record in self._records.values() if not record.state.is_open]
        size = sum(record.size for record in ended)
        oldest = time.time() - self._settings.job_seconds
        for place, record in enumerate(ended, 1):
            few = size <= self._settings.job_bytes and len(ended) - place < MOST_ENDED
            if (few or place == len(ended)) and (record.state.finished_at or 0.0) > oldest:
                continue
            size -= record.size
            del self._records[record.job.id]
            self._path(record.number, _RESULT).unlink(missing_ok=True)

    def _path(self, number: int, suffix: str) -> Path:
        """Return where the input (_INPUT) or the result (_RESULT) of a job lies; the folder is made first."""
        if self._folder is None:
            self._folder = Path(mkdtemp(prefix="kibitz-jobs-"))
            weakref.finalize(self, rmtree, self._folder, ignore_errors=True)
        return self._folder / f"{number}{suffix}"

    def _serve(self) -> None:
        """Do one job after another, until there has been none for a while."""
        worker: PipeWorker | None = None
        while (record := self._next()) is not None:
            for attempt in range(1, MOST_ATTEMPTS + 1):
                try:
                    worker = worker or PipeWorker(MODULE, self._settings)
                    self._do(record, worker)
                    break
                except (WorkerDiedError, OSError) as error:  # killed, or no room for it or its result
                    if worker is not None:
                        worker.close()
                        worker = None
                    if not self._failed(record, attempt, error):
                        break
        if worker is not None:
            worker.close()

    def _next(self) -> _Record | None:
        with self._changed:
            self._idle += 1
            found = self._changed.wait_for(lambda: self._waiting, IDLE_SECONDS)
            self._idle -= 1
            if not found:
                self._threads -= 1
                return None
            record = self._waiting.pop(0)
            record.state = replace(record.state, state=RUNNING, started_at=time.time())
            return record

    def _do(self, record: _Record, worker: PipeWorker) -> None:
        """Have a worker do a job; raises WorkerDiedError."""
        job = record.job
        with self._changed:
            if not record.state.is_open:
                return
            record.worker = worker
            record.state = replace(record.state, done=0)
            path = self._path(record.number, _RESULT)
            body = self._path(record.number, _INPUT).read_bytes()
        question = {"kind": job.kind, "media_type": job.media_type}
        problem: dict[str, Any] | None = None
        size = 0
        try:
            with path.open("wb") as file:
                for head, piece in worker.ask(question, body):
                    problem = head.get("problem", problem)
                    size += file.write(piece)
                    self._note(record, head.get("done", 0))
        finally:
            with self._changed:
                record.worker = None
                if not record.state.is_open:  # cancelled, perhaps just before the file was made
                    path.unlink(missing_ok=True)
        with self._changed:
            if record.state.is_open:  # else it was cancelled at the very last moment
                record.size = size if problem is None else 0
                self._end(record, DONE if problem is None else FAILED, problem)

    def _note(self, record: _Record, done: int) -> None:
        with self._changed:
            if record.state.is_open:
                record.state = replace(record.state, done=max(done, record.state.done))

    def _failed(self, record: _Record, attempt: int, error: Exception) -> bool:
        """Tell whether to try again."""
        with self._changed:
            if not record.state.is_open:
                return False
            log.warning("worker_died", job=record.job.id, attempt=attempt, detail=repr(error))
            if attempt == MOST_ATTEMPTS:
                self._end(record, FAILED, given_up())
            return record.state.is_open
