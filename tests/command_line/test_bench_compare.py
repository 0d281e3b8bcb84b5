"""`kibitz bench compare`, `seed-racks`, and the tasks and vector paths of `bench movegen`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from engine import Catalogue, simd_paths, tile_set
from kibitz.cli import kibitz

if TYPE_CHECKING:
    from tests.command_line.conftest import Run

ROOT = Path(__file__).parents[2]
WORDS = ("AA", "AB", "ABA", "ABBA", "BA", "BAA", "BAABAA", "CAB", "CABBAGE", "GAB", "SCAB", "TAB", "STAB")
EMPTY = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15"
ABBA = "15/15/15/15/15/15/15/6ABBA5/15/15/15/15/15/15/15"
POSITIONS = [(EMPTY, "ABBACGE", 1, 0), (ABBA, "CA?GESS", 2, 0), (EMPTY, "STAB", 1, 1), (ABBA, "ZVV", 2, 1)]


@pytest.fixture
def small(tmp_path: Path) -> tuple[str, ...]:
    """The options for a lexicon of a few words, and some positions on it."""
    words = tmp_path / "words.txt"
    words.write_text("\n".join(WORDS))
    Catalogue(tmp_path / "data").build_from(words, tile_set("english"), lexicon_id="small")
    games = tmp_path / "games.tsv"
    lines = [f"{board} {rack}/ 0/0 0\t{move}\t{game}" for board, rack, move, game in POSITIONS]
    games.write_text("\n".join(["cgp\tmove_number\tgame", *lines]) + "\n")
    return ("--lexicon", "small", "--positions", str(games))


def call(tmp_path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(
        kibitz, ["bench", *arguments], env={"KIBITZ_DATA": str(tmp_path / "data"), "COLUMNS": "120"}
    )


@pytest.mark.parametrize("task", ["all", "best_leaves"])
@pytest.mark.long
def test_a_build_compared_with_itself_finds_the_same(
    tmp_path: Path, small: tuple[str, ...], task: str
) -> None:
    sides = (str(ROOT), str(ROOT))
    done = call(tmp_path, "compare", *sides, *small, "--task", task, "--repeat", "2", "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["same_plays"]
    assert report["positions"] == len(POSITIONS)
    first, second = report["sides"]
    assert first["plays"] == second["plays"] == (3 if task == "best_leaves" else first["plays"])
    assert first["plays"] > 2
    assert report["ratio"] == pytest.approx(second["mean_us"] / first["mean_us"], rel=0.05)
    low, high = report["ratio_interval"]
    assert low <= report["ratio"] <= high
    assert [row["positions"] for row in report["per_move"]] == [2, 2]
    assert [(row["blanks"], row["positions"]) for row in report["by_blanks"]] == [(0, 3), (1, 1)]


@pytest.mark.long
def test_compare_prints_a_table(tmp_path: Path, small: tuple[str, ...]) -> None:
    done = call(tmp_path, "compare", str(ROOT), str(ROOT), *small, "--games", "1", "--repeat", "1")
    assert done.exit_code == 0, done.output
    assert "2 positions, task all, 1 passes" in done.output
    assert "DIFFER" not in done.output


def test_compare_refuses_what_it_cannot_run(tmp_path: Path, small: tuple[str, ...]) -> None:
    unbuilt = tmp_path / "unbuilt"
    unbuilt.mkdir()
    done = call(tmp_path, "compare", str(ROOT), str(unbuilt), *small)
    assert done.exit_code == 2
    assert "holds no built kernels" in done.stderr
    done = call(tmp_path, "compare", "HEAD", "no-such-commit", *small)
    assert done.exit_code == 2
    assert "Building" not in done.stderr, "both are looked for before one is built"
    assert "neither a folder nor a commit" in done.stderr


def test_tasks_and_vector_paths_stand_side_by_side(tmp_path: Path, small: tuple[str, ...]) -> None:
    paths = list(simd_paths())
    options = ("--task", "all,leaves,best,best_leaves", "--simd", ",".join(paths), "--repeat", "1", "--json")
    done = call(tmp_path, "movegen", *small, *options)
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    suffixes = ("", ":leaves", ":best", ":best_leaves")
    labels = [f"internal_words/{path}{suffix}" for path in paths for suffix in suffixes]
    assert list(report["generators"]) == labels
    assert len(report["ratios"]) == len(labels) - 1
    for label, figures in report["generators"].items():
        every = report["generators"][labels[0]]
        assert figures["plays"] == (0.75 if ":best" in label else every["plays"])
        assert [row["blanks"] for row in figures["by_blanks"]] == [0, 1]
        assert figures["flatness"] == 1.0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--task", "worst"), "best_leaves"),
        (("--simd", "mmx"), "plain"),
        (("--task", "best", "--generators", "reference"), "cannot look for the best"),
    ],
)
def test_bench_names_what_it_does_not_know(
    tmp_path: Path, small: tuple[str, ...], options: tuple[str, str], said: str
) -> None:
    done = call(tmp_path, "movegen", *small, *options)
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.long
def test_the_racks_of_the_seeds_stand_beside_the_published_times(run: Run) -> None:
    done = run("bench", "seed-racks", "--lexicon", "scowl80", "--repeat", "1", "--json")
    assert done.exit_code == 0, done.output
    racks = json.loads(done.stdout)["racks"]
    assert [(row["board"], row["rack"]) for row in racks[:2]] == [
        ("8F ANEROID", "AENRS??"),
        ("8F ANEROID", "AEINRS?"),
    ]
    assert [row["heuri_ms"] for row in racks] == [45.7, 10.9, 2.1, 15.9, 3.4, 0.5]
    assert all(row["us"]["internal_words"] > 0 and row["plays"] > 100 for row in racks)
    assert racks[0]["plays"] > racks[1]["plays"] > racks[2]["plays"]
    table = run("bench", "seed-racks", "--lexicon", "scowl80", "--repeat", "1")
    assert "Quackle" in table.stdout
