"""The four kinds of users: people who analyze, tournament software, mobile apps, and scorers of archives.

Each user is a thread that asks its questions in turn, with a pause after each answer.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Final

import orjson

from benchmarks.soak.client import AS_JOB, Client
from benchmarks.soak.questions import ANALYZE, ANNOTATE, HINT, HINT_SEARCH, JOB, JUDGE, RESULT, SEARCH

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from benchmarks.soak.client import Answer
    from benchmarks.soak.expected import Expected
    from benchmarks.soak.questions import Question, Questions

PAUSES: Final = (
    *((ANALYZE, 0.1), (ANALYZE, 0.1), (JUDGE, 0.1), (HINT, 0.1), (HINT, 0.1)),
    *((SEARCH, 3.0), (HINT_SEARCH, 3.0)),
)
"""What each user of requests asks, and the seconds of its pause."""
SUBMIT_SECONDS: Final = 5.0
"""How often the user of jobs submits one."""
POLL_SECONDS: Final = 1.0
LAST_SECONDS: Final = 180.0
"""How long accepted jobs have to end after the run: it may take 150 until one starts again."""
_OPEN: Final = ("queued", "running")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold what a user got for a request; `error` says what was wrong with the answer, if anything."""

    endpoint: str
    sent: float
    ended: float
    error: str = ""


@dataclass(slots=True)
class AcceptedJob:
    """Hold a job that was accepted; `state` is the last one seen, `right` whether its result is."""

    id: str
    question: Question
    since: frozenset[str]
    accepted: float
    ended: float | None = None
    state: str = "queued"
    right: bool | None = None


@dataclass
class Users:
    """Run the users until the block ends; `outcomes` and `jobs` grow meanwhile."""

    address: str
    questions: Questions
    expected: Expected
    outcomes: list[Outcome] = field(default_factory=list)
    jobs: list[AcceptedJob] = field(default_factory=list)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def __enter__(self) -> Self:
        for number, (endpoint, pause) in enumerate(PAUSES):
            self._start(partial(self._ask, endpoint, pause, number))
        self._start(self._score_archive)
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _start(self, work: Callable[[], None]) -> None:
        self._threads.append(threading.Thread(target=work, daemon=True))
        self._threads[-1].start()

    def _ask(self, endpoint: str, pause: float, number: int) -> None:
        """Ask the questions of an endpoint in turn; several users of one begin at different questions."""
        asked = self.questions[endpoint]
        with Client(self.address) as client:
            for turn in count(number * len(asked) // len(PAUSES)):
                question = asked[turn % len(asked)]
                since = self.expected.releases
                answer = client.ask(question.path, question.body)
                right = answer.status == 200 and self.expected.is_right(question, answer.body, since)
                self._note(endpoint, answer, right)
                if self._stopping.wait(pause):
                    return

    def _score_archive(self) -> None:
        """Submit games as jobs, follow them, and fetch their results; at the end wait for the open ones."""
        asked = self.questions[ANNOTATE]
        submitted, due = 0, time.monotonic()
        waiting: list[AcceptedJob] = []
        with Client(self.address) as client:
            while not self._stopping.wait(POLL_SECONDS):
                if time.monotonic() >= due:
                    due = max(due + SUBMIT_SECONDS, time.monotonic())
                    waiting += self._submit(client, asked[submitted % len(asked)])
                    submitted += 1
                waiting = [job for job in waiting if not self._follow(client, job)]
            until = time.monotonic() + LAST_SECONDS
            while waiting and time.monotonic() < until:
                time.sleep(POLL_SECONDS)
                waiting = [job for job in waiting if not self._follow(client, job)]

    def _submit(self, client: Client, question: Question) -> list[AcceptedJob]:
        """Submit a job; without Redis the service may answer at once, although a job was preferred."""
        since = self.expected.releases
        answer = client.ask(question.path, question.body, AS_JOB)
        answered = answer.status == 200 and self.expected.is_right(question, answer.body, since)
        self._note(ANNOTATE, answer, answered or answer.status == 202)
        if answer.status != 202:
            return []
        self.jobs.append(AcceptedJob(orjson.loads(answer.body)["id"], question, since, answer.ended))
        return self.jobs[-1:]

    def _follow(self, client: Client, job: AcceptedJob) -> bool:
        """Look at a job, and fetch its result when it is done; return whether there is no more to see."""
        if job.state in _OPEN:
            answer = client.ask(f"/jobs/{job.id}")
            self._note(JOB, answer, answer.status == 200)
            if answer.status != 200:
                return False
            job.state = orjson.loads(answer.body)["state"]
        if job.state == "done":
            answer = client.ask(f"/jobs/{job.id}/result")
            right = answer.status == 200 and self.expected.is_right(job.question, answer.body, job.since)
            self._note(RESULT, answer, right)
            if answer.status != 200:
                return False
            job.right = right
        if job.state not in _OPEN:
            job.ended = time.monotonic()
        return job.state not in _OPEN

    def _note(self, endpoint: str, answer: Answer, right: bool) -> None:
        error = ""
        if not right:
            error = f"{answer.status} {answer.body[:200].decode(errors='replace')}"
        self.outcomes.append(Outcome(endpoint, answer.sent, answer.ended, error))
