"""The pool without Redis, with stand-ins for its processes: what it keeps, starts and throws away."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from service.jobs import local
from service.jobs.interface import NewJob
from service.jobs.local import LocalJobs
from service.jobs.problems import problem_from
from service.pipes import WorkerDiedError
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from service.settings import Settings


class StandIn:
    """Answers half of a result at once, and the rest when it is told to."""

    refusals = 0
    go_on = Event()

    def __init__(self, *_: Any) -> None:
        if StandIn.refusals:
            StandIn.refusals -= 1
            raise OSError("no more processes")
        self.killed = Event()

    def ask(self, _: Mapping[str, Any], __: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
        yield {"done": 1}, b"half"
        while not StandIn.go_on.wait(0.01):
            if self.killed.is_set():
                raise WorkerDiedError
        yield {"done": 2}, b" and half"

    def kill(self) -> None:
        self.killed.set()

    close = kill


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "PipeWorker", StandIn)
    StandIn.refusals = 0
    StandIn.go_on.clear()


def job(name: str) -> NewJob:
    return NewJob(name, "batch", b"input", "application/x-ndjson", 2)


def wait_for(jobs: LocalJobs, name: str, state: str, done: int) -> None:
    def is_there() -> bool:
        found = jobs.look(name)
        return found is not None and (found.state, found.done) == (state, done)

    wait_until(is_there, 5)


def files(jobs: LocalJobs) -> list[str]:
    assert jobs._folder is not None
    return sorted(path.name for path in jobs._folder.iterdir())


def test_of_a_cancelled_job_nothing_stays(settings: Settings) -> None:
    jobs = LocalJobs(settings)
    for _ in range(3):  # wanted, and again not
        jobs.submit(job("a"), "ann")
        wait_for(jobs, "a", "running", 1)
        assert jobs.let_go("a", "ann")[1]
        wait_until(lambda: files(jobs) == [], 5)
    StandIn.go_on.set()
    jobs.submit(job("a"), "ann")
    wait_for(jobs, "a", "done", 2)
    assert files(jobs) == ["4.out"]
    assert b"".join(jobs.result("a") or ()) == b"half and half"


def test_idle_threads_are_not_counted_on_twice(settings: Settings) -> None:
    """One thread waits for work: two jobs at the same moment need another one."""
    jobs = LocalJobs(replace(settings, job_workers=2))
    StandIn.go_on.set()
    jobs.submit(job("a"), "ann")
    wait_for(jobs, "a", "done", 2)
    wait_until(lambda: jobs._idle == 1, 5)
    StandIn.go_on.clear()
    with jobs._changed:  # so that nobody wakes up between them
        jobs.submit(job("b"), "ann")
        jobs.submit(job("c"), "ann")
    wait_for(jobs, "b", "running", 1)
    wait_for(jobs, "c", "running", 1)
    StandIn.go_on.set()


def test_a_process_that_cannot_be_started_is_tried_again(settings: Settings) -> None:
    jobs = LocalJobs(settings)
    StandIn.refusals = 2
    StandIn.go_on.set()
    jobs.submit(job("a"), "ann")
    wait_for(jobs, "a", "done", 2)
    StandIn.refusals = 9
    jobs = LocalJobs(settings)
    jobs.submit(job("b"), "ann")
    wait_for(jobs, "b", "failed", 0)
    failed = jobs.look("b")
    assert failed is not None
    problem = problem_from(failed.problem)
    assert (problem.code, problem.problem_code) == (503, "job_given_up")
    assert problem.extra_headers["Retry-After"]
    StandIn.refusals = 0
    jobs.submit(job("c"), "ann")
    wait_for(jobs, "c", "done", 2)


def test_what_has_ended_is_remembered_up_to_a_number(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "MOST_ENDED", 3)
    jobs = LocalJobs(settings)
    for number in range(6):
        jobs.submit(job(str(number)), "ann")
        wait_for(jobs, str(number), "running", 1)
        jobs.let_go(str(number), "ann")
    assert [number for number in range(6) if jobs.look(str(number))] == [3, 4, 5]
    assert jobs.figures()["cancelled"] == 6
