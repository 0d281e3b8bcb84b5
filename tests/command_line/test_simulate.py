"""`kibitz analyze --simulate` and `kibitz bench simulation`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from service.resources.examples import CGP

if TYPE_CHECKING:
    from pathlib import Path

    from tests.command_line.conftest import Run


# The board that the documentation follows; its best play is clearly the best.
CLEAR = "15/15/15/15/15/4E10/1H2POZ8/1ANGINAS7/1r2N10/1O2A10/1S2O10/1E2I10/1T13/1H13/15 CEEIMUY/ 88/131 0"


def test_a_simulation_is_shown_beside_the_moves(run: Run) -> None:
    asked = ("analyze", "--cgp", CGP, "--top", "3", "--simulate", "quackle", "--candidates", "3")
    done = run(*asked, "--iterations", "60")
    assert done.exit_code == 0, done.output
    assert "simulation: 60 of 60 iterations, complete, seed 1" in done.stdout
    assert done.stdout.count("±") >= 3
    body = json.loads(run(*asked, "--iterations", "60", "--threads", "2", "--json").stdout)
    assert [move["sim"]["iterations"] for move in body["moves"]] == [20, 20, 20]


def test_moves_that_were_dropped_are_marked_without_a_terminal(run: Run) -> None:
    asked = ("analyze", CLEAR, "--simulate", "monte_carlo", "--top", "4")
    moves = json.loads(run(*asked, "--json").stdout)["moves"]
    dropped = [move["rank"] for move in moves if move.get("sim") and move["sim"]["pruned"]]
    marked = re.findall(r"^ *x (\d+) ", run(*asked).stdout, re.MULTILINE)
    assert dropped
    assert [int(rank) for rank in marked] == dropped


def test_heuri_values_the_leaves_of_its_simulations_unless_another_is_named(run: Run) -> None:
    asked = ("analyze", CGP, "--simulate", "heuri_samp", "--candidates", "2", "--iterations", "20", "--json")
    assert json.loads(run(*asked).stdout)["evaluator"] == "heuri6"
    for name in ("static", "heuri4,pass=literal"):
        assert json.loads(run(*asked, "--evaluator", name).stdout)["evaluator"] == name


def test_an_impossible_plan_is_refused_in_a_line(run: Run) -> None:
    done = run("analyze", "--cgp", CGP, "--simulate", "heuri_sim", "--plies", "3")
    assert done.exit_code == 2
    assert "2 plies" in done.stderr


def test_rates_of_every_horizon(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "positions.tsv"
    file.write_text(f"cgp\tmove_number\tgame\n{CGP}\t9\t0\n")
    asked = ("bench", "simulation", "--lexicon", "scowl80", "--positions", str(file), "--repeat", "1")
    done = run(*asked, "--iterations", "60", "--candidates", "3", "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert list(report["plies"]) == ["0", "1", "2"]
    assert all(row["iterations"] == 60 for row in report["plies"].values())


def test_threads_are_measured_against_processes(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "positions.tsv"
    file.write_text(f"cgp\tmove_number\tgame\n{CGP}\t9\t0\n")
    asked = ("bench", "simulation", "--lexicon", "scowl80", "--positions", str(file), "--repeat", "2")
    done = run(*asked, "--iterations", "60", "--candidates", "3", "--scaling", "2", "--json")
    assert done.exit_code == 0, done.output
    row = json.loads(done.stdout)["threads"]["2"]
    assert row["pairs"] == 2
    low, high = row["ratio_quartiles"]
    assert 0 < low <= row["ratio"] <= high
