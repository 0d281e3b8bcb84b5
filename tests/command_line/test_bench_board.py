"""`kibitz bench board`, and its figures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from benchmarks.commands.board import WAYS, summary
from engine import Catalogue, tile_set
from kibitz.cli import kibitz

if TYPE_CHECKING:
    from pathlib import Path

EMPTY = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15"
STAB = "15/15/15/15/15/15/15/6STAB5/15/15/15/15/15/15/15"


def run(tmp_path: Path, positions: list[tuple[str, str]], *options: str) -> Result:
    words = tmp_path / "words.txt"
    words.write_text("AA\nAB\nABBA\nCAB\nSTAB\n")
    Catalogue(tmp_path / "data").build_from(words, tile_set("english"), lexicon_id="small")
    lines = [f"{board} {rack}/ 0/0 0\t1\t0" for board, rack in positions]
    games = tmp_path / "games.tsv"
    games.write_text("\n".join(["cgp\tmove_number\tgame", *lines]) + "\n")
    arguments = ["bench", "board", "--lexicon", "small", "--positions", str(games), *options]
    return CliRunner().invoke(kibitz, arguments, env={"KIBITZ_DATA": str(tmp_path / "data")})


def test_the_report_counts_the_positions_that_have_a_play(tmp_path: Path) -> None:
    done = run(tmp_path, [(EMPTY, "ABBA"), (STAB, "CA"), (STAB, "ZV")], "--repeat", "2", "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["positions"], report["passes"]) == (2, 2)
    assert all(report[way]["median_us"] > 0 for way in WAYS)


def test_the_table_names_every_way(tmp_path: Path) -> None:
    done = run(tmp_path, [(STAB, "CA")])
    assert done.exit_code == 0, done.output
    assert all(way.replace("_", " ") in done.stdout for way in WAYS)


def test_positions_without_a_play_are_refused(tmp_path: Path) -> None:
    done = run(tmp_path, [(STAB, "ZV")])
    assert done.exit_code == 2
    assert "no position has a play" in done.output


def test_the_figures_are_those_of_the_positions() -> None:
    figures = summary(
        {"load": [10_000, 30_000, 20_000], "update": [5_000, 6_000, 8_000], "copy_and_update": [1, 1, 1]}
    )
    assert figures["load"] == {"median_us": 20, "mean_us": 20, "p95_us": 20}
    assert figures["update"]["median_us"] == 6
    assert figures["update_to_load"] == pytest.approx(0.4)
