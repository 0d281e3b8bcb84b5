"""The soak: its arithmetic, a short run of the command, and, slow, a run of ten minutes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.soak.expected import Expected
from benchmarks.soak.faults import FAULTS
from benchmarks.soak.memory import growth
from benchmarks.soak.objectives import (
    P99_SECONDS,
    SHARE,
    Window,
    endpoint_rows,
    job_figures,
    percentile,
    verdicts,
    wrong_answers,
)
from benchmarks.soak.plan import QUICK_PLAN, Plan, possible_faults, schedule
from benchmarks.soak.questions import ANALYZE, ANNOTATE, HINT, HINT_SEARCH, SEARCH, Question
from benchmarks.soak.report import markdown
from benchmarks.soak.unit import Unit
from benchmarks.soak.users import AcceptedJob, Outcome
from tests.service.serving import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
QUESTION = Question(ANNOTATE, "/games/annotate", b"{}")


def outcomes(endpoint: str, count: int, seconds: float = 0.01, error: str = "") -> list[Outcome]:
    return [Outcome(endpoint, float(number), number + seconds, error) for number in range(count)]


def job(state: str, right: bool | None, ended: float | None = 9.0) -> AcceptedJob:
    return AcceptedJob("1", QUESTION, frozenset(), 1.0, ended, state, right)


def test_the_percentile_is_a_value_that_so_many_do_not_exceed() -> None:
    values = [float(number) for number in range(1, 201)]
    assert percentile(values, 0.99) == 198.0
    assert percentile(values[:1], 0.99) == 1.0
    assert percentile([], 0.99) is None


@pytest.mark.parametrize(
    ("sent", "ended", "counts"),
    [(1.0, 9.9, True), (1.0, 10.1, False), (15.0, 16.0, False), (9.0, 21.0, False), (20.0, 20.1, True)],
)
def test_a_request_that_was_open_during_a_fault_does_not_count(
    sent: float, ended: float, counts: bool
) -> None:
    assert Window(10.0, 20.0).touches(Outcome(ANALYZE, sent, ended)) is not counts


def test_requests_are_counted_by_endpoint_within_faults_and_outside() -> None:
    asked = [*outcomes(ANALYZE, 10), Outcome(ANALYZE, 3.5, 3.6, "503 busy"), *outcomes(HINT, 4, error="0 x")]
    analyze, hint, everything = endpoint_rows(asked, [Window(3.2, 3.9)])
    assert (analyze["endpoint"], analyze["requests"]) == (ANALYZE, 11)
    assert analyze["outside"] == {"requests": 10, "share_right": 1.0, "p99_ms": 10.0, "errors": {}}
    assert analyze["within"] == {
        "requests": 1,
        "share_right": 0.0,
        "p99_ms": 100.0,
        "errors": {"503 busy": 1},
    }
    assert hint["outside"]["share_right"] == 0.0
    assert hint["within"]["share_right"] is None
    assert everything["outside"]["share_right"] == 10 / 14


def test_an_answer_with_other_bytes_is_wrong_at_any_time() -> None:
    asked = [*outcomes(ANALYZE, 3), *outcomes(HINT, 2, error="503 busy"), *outcomes(HINT, 1, error="200 {")]
    assert wrong_answers(asked) == 1


def test_a_job_counts_only_with_the_right_result() -> None:
    jobs = [job("done", True), job("done", False), job("failed", None), job("queued", None, None)]
    figures = job_figures(jobs, [1, 2, 5, 1])
    assert (figures["accepted"], figures["finished"], figures["right"]) == (4, 2, 1)
    assert (figures["run_twice"], figures["slowest_seconds"]) == (2, 8.0)


def judged(asked: list[Outcome], jobs: list[AcceptedJob], **more: Any) -> dict[str, bool | None]:
    memory = {"seconds": 3000.0, "growth_percent": 0.5}
    report = {
        "endpoints": endpoint_rows(asked, []),
        "jobs": job_figures(jobs, [1] * len(jobs)),
        "wrong_answers": wrong_answers(asked),
        "faults": [{"recovered_seconds": 1.0}],
        "memory": {"host 1": memory},
        **more,
    }
    return {one["what"]: one["held"] for one in verdicts(report)}


def test_every_objective_is_judged() -> None:
    asked = [*outcomes(ANALYZE, 999), *outcomes(SEARCH, 10, 14.0), Outcome(ANALYZE, 1.0, 1.1, "503 busy")]
    good = judged(asked, [job("done", True)])
    assert set(good.values()) == {True}
    assert judged([*asked, *outcomes(HINT, 1, error="503 busy")], [])[
        "right answers outside of faults, %"
    ] is (False)
    assert judged([*asked, *outcomes(HINT, 1, 0.11)], [])["p99 of POST /hints, ms"] is False
    assert judged(asked, [job("failed", None)])["accepted jobs without the right result"] is False
    assert judged(asked, [], faults=[{"recovered_seconds": None}])["faults without recovery"] is False
    grown = judged(asked, [], memory={"host 1": {"seconds": 3000.0, "growth_percent": 1.0}})
    assert grown["growth of memory, host 1, %"] is False
    short = judged(asked, [], memory={"host 1": {"seconds": 500.0, "growth_percent": 9.0}})
    assert short["growth of memory, host 1, %"] is None


def test_the_objectives_are_those_of_the_documentation() -> None:
    text = " ".join((ROOT / "docs" / "operations.md").read_text().split())
    assert f"{100 * SHARE:g} % of the requests" in text
    bounds = dict(re.findall(r"\(`search=\"(yes|no)\"`\) \| 99 % within ([0-9.]+) s", text))
    for endpoint, bound in P99_SECONDS.items():
        assert bound == float(bounds["yes" if endpoint in (SEARCH, HINT_SEARCH) else "no"])


def test_growth_is_by_slope_without_faults_and_short_jobs() -> None:
    samples = [(float(second), 200_000_000 + 1000 * second) for second in range(0, 1000, 10)]
    noisy = [(moment, size * (2 if number % 5 == 0 else 1)) for number, (moment, size) in enumerate(samples)]
    found = growth(noisy, 100.0, [])
    assert found["samples"] == 90
    assert found["growth_percent"] == pytest.approx(0.44, abs=0.02)
    broken = [(moment, 1 if 500 <= moment < 600 else size) for moment, size in samples]
    assert growth(broken, 100.0, [Window(500.0, 600.0)])["growth_percent"] == pytest.approx(0.44, abs=0.01)
    assert growth(samples[:1], 0.0, [])["growth_percent"] is None


def test_what_renews_memory_comes_first_and_the_others_are_repeated() -> None:
    hour = schedule(Plan(3600.0), FAULTS)
    begins = [begin for begin, _ in hour]
    assert begins == sorted(begins)
    assert begins[-1] < 3600 - 60
    renewing = [fault.renews_memory for _, fault in hour]
    first = renewing.count(True)
    assert renewing == [True] * first + [False] * (len(hour) - first)
    assert all(begin < 600 for begin in begins[:first])
    others = [fault.name for _, fault in hour[first:]]
    assert others == 3 * others[: len(others) // 3]
    assert len(schedule(Plan(600.0), FAULTS)) == len(FAULTS)


def test_what_cannot_be_injected_is_left_out_with_a_reason() -> None:
    faults, left_out = possible_faults(QUICK_PLAN, None, "there is no git")
    assert left_out["rolling upgrade"] == "there is no git"
    assert not {fault.name for fault in faults} & left_out.keys()
    assert {fault.name for fault in FAULTS} <= {fault.name for fault in faults} | left_out.keys()


def test_during_an_upgrade_the_answers_of_both_releases_are_right() -> None:
    expected = Expected({"old": {QUESTION: b"1"}, "new": {QUESTION: b"2"}}, ["old"])
    before = expected.releases
    assert expected.is_right(QUESTION, b"1", before)
    assert not expected.is_right(QUESTION, b"2", before)
    expected.releases = frozenset({"new"})
    assert expected.is_right(QUESTION, b"1", before), "it was sent before the upgrade"
    assert not expected.is_right(QUESTION, b"1", expected.releases)


def test_an_answer_whose_search_was_cut_may_differ() -> None:
    expected = Expected({"new": {QUESTION: b'{"move":"8H CAB","deterministic":true}'}}, ["new"])
    assert expected.is_right(QUESTION, b'{"move":"8H BAC","deterministic":false}', expected.releases)
    assert not expected.is_right(QUESTION, b'{"move":"8H BAC","deterministic":true}', expected.releases)


@pytest.fixture
def unit(tmp_path: Path) -> Iterator[Unit]:
    """A process with a child, watched as the soak does."""
    made = Unit("sleep", ["sh", "-c", "sleep 60 & wait"], tmp_path, dict(os.environ), tmp_path / "log")
    made.start()
    ending = threading.Event()

    def watch() -> None:
        while not ending.wait(0.05):
            made.watch()

    thread = threading.Thread(target=watch)
    thread.start()
    yield made
    ending.set()
    thread.join()
    made.kill()


def test_a_process_that_died_starts_again_without_its_children(unit: Unit) -> None:
    wait_until(lambda: len(unit.session()) == 2)
    first, child = unit.session()
    unit.crash()
    assert unit.restarts == 1
    assert unit.pid != first
    wait_until(lambda: not Path(f"/proc/{child}/cwd").exists())
    unit.stop()
    assert unit.session() == []


def soak(folder: Path, *options: str, **settings: str) -> dict[str, Any]:
    """Run the command and return its report; skips the test where the machine lacks something."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("KIBITZ_")}
    command = [sys.executable, "-m", "benchmarks.soak", "--output", str(folder), *options]
    done = subprocess.run(
        command, cwd=ROOT, env=inherited | settings, capture_output=True, text=True, check=False
    )
    if done.returncode == 3:
        pytest.skip(done.stderr.strip())
    assert done.returncode in (0, 1), done.stdout + done.stderr
    report: dict[str, Any] = json.loads((folder / "soak.json").read_text())
    assert (folder / "soak.md").read_text() == markdown(report)
    return report


def check(report: dict[str, Any]) -> None:
    """Check everything but times: nothing is lost, nothing is wrong."""
    everything = report["endpoints"][-1]
    assert everything["endpoint"] == "all"
    assert everything["outside"]["share_right"] >= SHARE, everything
    assert report["wrong_answers"] == 0
    assert report["jobs"]["right"] == report["jobs"]["accepted"] > 0
    assert all(fault["recovered_seconds"] is not None for fault in report["faults"]), report["faults"]


def mounts_and_hosts() -> set[str]:
    """Return what is mounted for a soak on this machine, and the network namespaces of its hosts."""
    mounts = Path("/proc/mounts").read_text().splitlines()
    hosts = Path("/run/netns").glob("kbz*-host*")
    return {line for line in mounts if "kibitz-soak-" in line} | {path.name for path in hosts}


def test_the_command_runs_and_leaves_nothing_behind(data: Path, tmp_path: Path) -> None:
    before = mounts_and_hosts()  # a soak that was killed has left its own
    report = soak(tmp_path, "--quick", "--lexicon", "small", KIBITZ_DATA=str(data))
    check(report)
    assert {fault["name"] for fault in report["faults"]} | report["left_out"].keys() >= {
        fault.name for fault in FAULTS
    }
    assert not mounts_and_hosts() - before


@pytest.mark.slow
def test_ten_minutes_of_faults_lose_nothing(tmp_path: Path) -> None:
    check(soak(tmp_path, "--minutes", "10"))
