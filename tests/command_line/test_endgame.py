"""`kibitz endgame` and `kibitz bench endgame`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from benchmarks.measurements.endgame import spread
from lab.endgame import METHODS

if TYPE_CHECKING:
    from tests.command_line.conftest import Run

CGP = "15/15/15/15/15/15/15/5CAT7/15/15/15/15/15/15/15 S/Q 10/20 0"


def test_tiles_in_the_bag_are_refused(run: Run) -> None:
    done = run("endgame", CGP, "--lexicon", "scowl80")
    assert done.exit_code == 2
    assert "an endgame begins when it is empty" in done.output


def test_the_bench_counts_what_is_proven(run: Run) -> None:
    done = run("bench", "endgame", "--lexicon", "scowl80", "--games", "2", "--nodes", "300", "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["endgames"] + report["games_without"] == 2
    for result in report["results"]:
        assert result["lower"] <= result["value"] <= result["upper"]
        assert (result["certainty"] == "exact") == (result["lower"] == result["upper"])
        assert result["nodes"] <= 300
    again = json.loads(run("endgame", report["results"][0]["cgp"], "--nodes", "300", "--json").stdout)
    assert again["best"] == report["results"][0]["best"]
    shown = run("endgame", report["results"][0]["cgp"], "--nodes", "300", "--max-ms", "60000")
    assert shown.exit_code == 0
    assert report["results"][0]["line"][0]["move"] in shown.stdout


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.long
def test_the_bench_compares_a_method_with_the_proof(run: Run, method: str) -> None:
    limits = ("--lexicon", "scowl80", "--games", "1", "--nodes", "30", "--seconds", "1")
    done = run("bench", "endgame", *limits, "--method", method, "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    results, everything = report["results"], report["by_tiles"]["all"]
    assert (
        everything["endgames"]
        == len(results)
        == sum(count["endgames"] for tiles, count in report["by_tiles"].items() if tiles != "all")
    )
    assert everything["contradictions"] == 0
    assert everything["settled"] == sum(one["settled"] for one in results)


def test_the_figures_are_those_of_the_values() -> None:
    assert spread([4, 1, 2, 3]) == {"median": 2.5, "p90": 3, "most": 4}
    assert spread([]) == {}
