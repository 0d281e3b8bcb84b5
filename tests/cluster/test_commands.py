"""`--cluster` from the command line: the answers are those of one machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from kibitz.cli import kibitz

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from tests.cluster.conftest import Site


def run(site: Site, *arguments: str) -> Result:
    done = CliRunner().invoke(kibitz, arguments, env={"KIBITZ_DATA": str(site.data)})
    assert done.exit_code == 0, done.output
    return done


def test_a_match_is_reported_as_on_one_machine(site: Site) -> None:
    match = ("match", "heuri2", "greedy", "--lexicon", "few8", "--games", "40", "--json")
    here = json.loads(run(site, *match, "--threads", "2").stdout)
    there = json.loads(run(site, *match, "--cluster", site.address).stdout)
    assert there.pop("cluster") == site.address
    assert here.pop("threads") == 2
    for report in (here, there):
        assert report.pop("games_per_second") > 0
    assert here == there


def test_a_ladder_is_the_same_file(site: Site, tmp_path: Path) -> None:
    ladder = ("experiment", "ladder", "--lexicon", "few8", "--games", "8", "--match", "greedy", "level2")
    run(site, *ladder, "--output", str(tmp_path / "here"), "--threads", "1")
    run(site, *ladder, "--output", str(tmp_path / "there"), "--cluster", site.address)
    for name in ("ladder-few8.json", "ladder-few8.md", "ladder-few8-greedy-level2-8-1.state"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


@pytest.mark.slow
def test_a_local_cluster_is_started_and_ended(site: Site, tmp_path: Path) -> None:
    train = ("train", "winpct", "--lexicon", "few8", "--player", "greedy", "--games", "400", "--output")
    run(site, *train, str(tmp_path / "here"), "--threads", "1")
    run(site, *train, str(tmp_path / "there"), "--cluster", "local:2")
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


@pytest.mark.slow
def test_the_benchmark_compares_times_and_results(site: Site) -> None:
    bench = ("bench", "cluster", "--lexicon", "few8", "--players", "greedy", "heuri2", "--games", "100")
    report = json.loads(run(site, *bench, "--workers", "1,2", "--json").stdout)
    assert report["same_results"]
    assert [row["workers"] for row in report["runs"]] == [0, 1, 2]
    assert len({row["sha256"] for row in report["runs"]}) == 1
    assert all(row["workers_seconds"] >= row["busiest_seconds"] > 0 for row in report["runs"])
