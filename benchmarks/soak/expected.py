"""The right answers: those of a server alone without a cache, of each release that may answer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import orjson

from benchmarks.compare.sides import COMMAND_LINE, LEXICON_ID
from benchmarks.load.servers import Cores, ServerError, serving
from benchmarks.soak.client import AS_JOB, Client
from benchmarks.soak.questions import ANNOTATE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from benchmarks.compare.sides import Side
    from benchmarks.soak.questions import Question, Questions

JOB_SECONDS: Final = 120.0
_CUT: Final = b'"deterministic":false'


class Expected:
    """Judge answers by the releases that may answer now, which an upgrade changes."""

    def __init__(self, answers: dict[str, dict[Question, bytes]], releases: Iterable[str]) -> None:
        """Take the answers of each release, and the releases that may answer at first."""
        self._answers = answers
        self.releases = frozenset(releases)

    def is_right(self, question: Question, body: bytes, since: frozenset[str]) -> bool:
        """Return whether a body is the answer of a release that may answer now, or might at first.

        An answer that says that a time limit cut its search may differ.
        """
        answers = [self._answers[name][question] for name in since | self.releases]
        return body in answers or any(_CUT in one for one in (body, *answers))


def answers_of(side: Side, questions: Questions, progress: Callable[[float], None]) -> dict[Question, bytes]:
    """Return the answers of one release, run alone and without a cache; raises ServerError."""
    settings = {
        "KIBITZ_DATA": str(side.data),
        "KIBITZ_LEXICON": LEXICON_ID,
        "KIBITZ_CACHE_BYTES": "0",
        "KIBITZ_RATE_PER_MINUTE": "0",
    }
    asked = [question for several in questions.values() for question in several]
    found = {}
    with (
        serving(
            (side.python, *COMMAND_LINE, "serve"), Cores(frozenset(), frozenset()), settings, side.folder
        ) as server,
        Client("127.0.0.1", server.port, JOB_SECONDS) as client,
    ):
        for number, question in enumerate(asked, 1):
            answer = _result if question.endpoint == ANNOTATE else _answer
            found[question] = answer(client, question)
            progress(number / len(asked))
    return found


def _answer(client: Client, question: Question) -> bytes:
    answer = client.ask(question.path, question.body)
    if answer.status != 200:
        raise ServerError(f"{question.endpoint} of a server alone: {answer.status} {answer.body[:500]!r}")
    return answer.body


def _result(client: Client, question: Question) -> bytes:
    """Return the result of a job."""
    answer = client.ask(question.path, question.body, AS_JOB)
    until = time.monotonic() + JOB_SECONDS
    while answer.status in (200, 202) and time.monotonic() < until:
        job = orjson.loads(answer.body)
        if job["state"] == "done":
            return client.ask(f"/jobs/{job['id']}/result").body
        time.sleep(0.05)
        answer = client.ask(f"/jobs/{job['id']}")
    raise ServerError(f"{question.endpoint} of a server alone: {answer.status} {answer.body[:500]!r}")
