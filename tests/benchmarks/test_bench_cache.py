"""`kibitz bench cache`: three ways give the same bytes, and ratios of their times."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from benchmarks.load.servers import Cores, has_redis, redis_running
from benchmarks.measurements.cache import TASKS, WAYS, Case, summary
from engine import AnalysisRequest, parse_cgp
from kibitz.cli import kibitz

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EMPTY = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15"
CAB = "15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15"


@pytest.fixture
def data(made_up_data: Path) -> Path:
    """The data folder with the lexicon "made-up"."""
    return made_up_data


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    if not has_redis():
        pytest.skip("needs redis-server; `make test` installs it")
    with redis_running(Cores(frozenset(), frozenset())) as url:
        yield url


def run(data: Path, folder: Path, *options: str, racks: tuple[str, str] = ("ADEFGH?/", "BEE/")) -> Result:
    games = folder / "games.tsv"
    lines = [f"{board} {rack} 0/0 0\t1\t0" for board, rack in zip((EMPTY, CAB), racks, strict=True)]
    games.write_text("\n".join(["cgp\tmove_number\tgame", *lines]) + "\n")
    arguments = [
        "bench",
        "cache",
        "--lexicon",
        "made-up",
        "--positions",
        str(games),
        "--repeat",
        "1",
        *options,
    ]
    return CliRunner().invoke(kibitz, arguments, env={"KIBITZ_DATA": str(data)})


def test_all_ways_are_measured_and_leave_redis_in_use(data: Path, tmp_path: Path, redis_url: str) -> None:
    done = run(data, tmp_path, "--redis", redis_url, "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert list(report["rows"]) == ["auto", "greedy", "heuri6", "simulation"], "no position is an endgame"
    for name, tasks in report["rows"].items():
        assert tasks.pop("positions") == 2
        assert tuple(tasks) == (TASKS if name != "simulation" else (TASKS[0], TASKS[2]))
        for measured in tasks.values():
            assert tuple(measured) == WAYS
            assert measured["cold"]["ratio_to_cold"] == 1
            assert all(ways["median_us"] > 0 for ways in measured.values())


@pytest.mark.parametrize("url", ["localhost:6379", "redis://:secret@x:port"])
def test_an_invalid_address_is_one_line_of_error(data: Path, tmp_path: Path, url: str) -> None:
    done = run(data, tmp_path, "--redis", url)
    assert done.exit_code == 2
    assert "the address of the Redis must" in done.output
    assert "secret" not in done.output


def test_without_redis_this_process_is_measured(data: Path, tmp_path: Path) -> None:
    done = run(data, tmp_path, "--evaluators", "greedy", "--searches", "0")
    assert done.exit_code == 0, done.output
    assert "greedy, same request" in done.stdout
    assert "--redis" in done.stdout
    assert "simulation" not in done.stdout


@pytest.mark.long
def test_without_a_file_it_plays_games_of_its_own(data: Path) -> None:
    arguments = [
        "bench",
        "cache",
        "--games",
        "1",
        "--evaluators",
        "greedy",
        "--searches",
        "1",
        "--repeat",
        "1",
    ]
    environment = {"KIBITZ_DATA": str(data), "KIBITZ_LEXICON": "made-up", "KIBITZ_REDIS_URL": ""}
    done = CliRunner().invoke(kibitz, [*arguments, "--json"], env=environment)
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["rows"]
    assert list(rows) == ["greedy", "simulation", "endgame"]
    assert rows["endgame"]["positions"] == 1


def test_a_redis_that_is_not_there_is_named_without_its_password(data: Path, tmp_path: Path) -> None:
    done = run(data, tmp_path, "--redis", "redis://:secret@127.0.0.1:1/0")
    assert done.exit_code == 2
    assert "no Redis answers at 127.0.0.1:1/0" in done.output
    assert "secret" not in done.output


def test_ratios_are_medians_over_the_positions() -> None:
    request = AnalysisRequest(parse_cgp(f"{EMPTY} A/ 0/0 0"))
    cases = [Case(request, before=request) for _ in range(3)]
    for case, cold, local in zip(cases, (1000, 2000, 4000), (500, 2000, 1000), strict=True):
        for task in TASKS:
            for passing in (3, 1, 2):
                case.note(task, "cold", cold * passing)
                case.note(task, "local", local * passing)
    measured = summary(cases, ("cold", "local"))["other_rack"]
    assert measured["cold"]["median_us"] == 2, "of the best passes"
    assert measured["local"] == {"median_us": 1, "p95_us": pytest.approx(1), "ratio_to_cold": 0.5}
