"""`kibitz experiment`: counts agree with the definitions; a stopped experiment continues."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from click.testing import CliRunner, Result

import lab.experiments.agreement as agreement
import lab.experiments.literal_threshold as literal_threshold
from engine import NO_LOW_LEVEL, Catalogue, InvalidInput, Lexicon, tile_set
from kibitz.cli import kibitz
from lab.experiments.agreement import made_up_words, run_agreement
from lab.experiments.intervals import interval_counts
from lab.experiments.journal import Journal
from lab.experiments.movegen import run_movegen
from lab.experiments.threshold import THRESHOLDS, run_threshold, threshold_entries
from lab.generators import FAST_GENERATORS
from lab.selfplay.greedy_games import greedy_game

if TYPE_CHECKING:
    from pathlib import Path

    from engine import Plays, Position


class StoppedError(Exception):
    """Somebody pressed Ctrl-C."""


def stop_after(games: int) -> Any:
    def progress(done: int, _: int) -> None:
        if done == games:
            raise StoppedError

    return progress


def counts_alone(report: dict[str, Any]) -> Any:
    """Return a report without its times."""
    rows = report["per_move"]
    return [
        {label: {**measured, "us": 0} for label, measured in row["generators"].items()}
        | {"move": row["move"]}
        for row in rows
    ]


def test_a_stopped_experiment_continues(made_up: Lexicon, tmp_path: Path) -> None:
    names = ("internal_words", "anagram")
    with pytest.raises(StoppedError):
        run_movegen(made_up, names, 3, 5, tmp_path / "a", stop_after(2))
    journal = tmp_path / "a" / "movegen.games.jsonl"
    content = journal.read_bytes()
    assert len(content.splitlines()) == 3
    journal.write_bytes(
        content + b'{"game":2,"bla'
    )  # and the machine was switched off in the middle of a line
    resumed = run_movegen(made_up, names, 3, 5, tmp_path / "a")
    assert journal.read_bytes().startswith(content)
    uninterrupted = run_movegen(made_up, names, 3, 5, tmp_path / "b")
    assert counts_alone(resumed) == counts_alone(uninterrupted)
    with pytest.raises(InvalidInput, match="other settings"):
        run_movegen(made_up, names, 3, 6, tmp_path / "a")


def test_the_report_has_the_counts_of_the_generators(made_up: Lexicon, tmp_path: Path) -> None:
    report = run_movegen(made_up, ("internal_words", "gordon"), 2, 5, tmp_path)
    turns = [turn for number in range(2) for turn in greedy_game(made_up, 5, number)]
    assert report["positions"] == len(turns)
    first = report["per_move"][0]
    assert first["positions"] == 2
    rows = list(csv.DictReader((tmp_path / "movegen.csv").read_text().splitlines()))
    assert len(rows) == len(report["per_move"]) == max(turn.number for turn in turns)
    assert rows[0]["gordon_candidates"] == ""
    assert float(rows[0]["internal_words_plays"]) == first["generators"]["gordon"]["plays"]
    assert json.loads((tmp_path / "movegen.json").read_bytes()) == report
    assert len(report["seed_racks"]) == 6


def naive_intervals(position: Position) -> Counter[int]:
    """Count intervals literally as [Sanchez2025] defines them."""
    side = position.board.side
    grid = np.array(list(position.board.squares)).reshape(side, side) != 0
    padded = np.pad(grid, 1)
    beside = padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:]
    touching = grid | beside
    if not grid.any():
        for row, column in position.layout.starts:
            touching[row, column] = True
    found: Counter[int] = Counter()
    for lines, touched in ((grid, touching), (grid.T, touching.T)):
        if not grid.any() and lines is not grid:
            continue
        for line, halo in zip(lines, touched, strict=True):
            for start in range(side):
                for end in range(start + 2, side + 1):
                    free = (start == 0 or not line[start - 1]) and (end == side or not line[end])
                    empty = int((~line[start:end]).sum())
                    if free and 1 <= empty <= 7 and halo[start:end].any():
                        text = "".join("x" if tile else " " for tile in line[start:end])
                        found[len(text.split())] += 1
    return found


def test_intervals_are_counted_as_defined(made_up: Lexicon) -> None:
    for number in range(3):
        for turn in greedy_game(made_up, 2, number):
            assert interval_counts(turn.position) == naive_intervals(turn.position)


def test_all_generators_agree_through_games(made_up: Lexicon, tmp_path: Path) -> None:
    report = run_agreement(made_up, (*FAST_GENERATORS, "literal"), 3, 1, 10, tmp_path)
    assert report["mismatch_count"] == 0
    assert report["positions"] > 40
    assert report["positions_with_reference"] > 3
    assert report["plays"] > 1000


def test_a_generator_that_misses_a_play_is_detected(
    made_up_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Forgetful:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def generate(self, *arguments: Any) -> Plays:
            plays: Plays = self.inner.generate(*arguments)
            plays.array = plays.array[1:] if len(plays) > 40 else plays.array
            return plays

    honest = agreement.generator
    monkeypatch.setattr(
        agreement,
        "generator",
        lambda name, lexicon: (Forgetful if name == "gordon" else lambda same: same)(honest(name, lexicon)),
    )
    done = call(made_up_data, "agreement", "--games", "1", "--output", str(tmp_path))
    assert done.exit_code == 1
    assert "gordon: " in done.output
    report = json.loads((tmp_path / "agreement.json").read_bytes())
    assert report["mismatch_count"] > 0
    assert report["mismatches"][0]["generators"] == ["gordon"]


def call(data: Path, *arguments: str) -> Result:
    environment = {"KIBITZ_DATA": str(data), "COLUMNS": "120"}
    return CliRunner().invoke(
        kibitz, ["experiment", arguments[0], "--lexicon", "made-up", *arguments[1:]], env=environment
    )


def test_every_experiment_draws_its_plots(made_up_data: Path, tmp_path: Path) -> None:
    done = call(made_up_data, "movegen", "--games", "2", "--output", str(tmp_path / "movegen"))
    assert done.exit_code == 0, done.output
    assert "appel_jacobson" in done.output
    done = call(made_up_data, "threshold", "--games", "1", "--output", str(tmp_path / "threshold"))
    assert done.exit_code == 0, done.output
    drawn = sorted(path.name for path in tmp_path.rglob("*.svg"))
    assert drawn == [
        "candidates-per-problem.svg",
        "candidates.svg",
        "intervals-by-words.svg",
        "intervals-on-board.svg",
        "problems.svg",
        "threshold-made-up-0.svg",
        "threshold-made-up-1.svg",
        "threshold-made-up-entries.svg",
        "times-published.svg",
        "times.svg",
    ]
    for path in tmp_path.rglob("*.svg"):
        assert ET.parse(path).getroot().tag.endswith("svg")
        assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
        assert path.stat().st_size < 150_000


def test_plots_say_what_to_install(
    made_up_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = call(made_up_data, "movegen", "--games", "1", "--output", str(tmp_path))
    assert done.exit_code == 2
    assert "kibitz[plots]" in done.stderr
    assert (tmp_path / "movegen.json").exists()
    done = call(made_up_data, "movegen", "--games", "1", "--output", str(tmp_path), "--no-plots")
    assert done.exit_code == 0


def test_absent_tables_are_built_and_results_go_to_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = Catalogue(tmp_path / "data")
    (tmp_path / "words.txt").write_text("\n".join(made_up_words(tile_set("english"), 2000, seed=1)))
    catalogue.build_from(tmp_path / "words.txt", tile_set("english"), lexicon_id="tiny")
    environment = {"KIBITZ_DATA": str(tmp_path / "data"), "KIBITZ_LEXICON": "tiny"}
    monkeypatch.chdir(tmp_path)

    def run(*options: str) -> set[str]:
        done = CliRunner().invoke(
            kibitz, ["experiment", "movegen", "--games", "1", "--no-plots", *options], env=environment
        )
        assert done.exit_code == 0, done.output
        return {path.name.split(".")[1] for path in (tmp_path / "data" / "derived").glob("tiny.*.kibitz")}

    assert not run("--generators", "internal_words", "--output", "other")
    assert run() == {"anagrams", "gaddag", "dawg"}
    report = json.loads((tmp_path / "results" / "movegen.json").read_text())
    assert set(report["generators"]) == set(FAST_GENERATORS)


def test_thresholds_are_measured_by_stage(made_up: Lexicon, tmp_path: Path) -> None:
    report = run_threshold(made_up, 1, 1, tmp_path)
    assert len(report["times"]) == len(THRESHOLDS)
    for row in report["times"]:
        assert set(row["us"]) == {"opening", "middle", "end", "all"}
        assert all(us > 0 for by_blanks in row["us"].values() for us in by_blanks.values())


def test_index_entries_are_counted_as_defined(made_up: Lexicon) -> None:
    """Against the definition, in plain Python, for every placed internal word."""
    words = list(made_up.words())
    known = set(words)
    lists: dict[tuple[bytes, int, int], list[bytes]] = {}
    for word in words:
        parts = {
            (word[first:last], first)
            for first in range(len(word))
            for last in range(first + 1, len(word) + 1)
            if last - first == 1 or (last - first < len(word) and word[first:last] in known)
        }
        for part, first in parts:
            lists.setdefault((part, first, len(word)), []).append(word)
    for row in threshold_entries(made_up, (0, 1, 3, 10, 10**9)):
        limit = row["threshold"]
        high = sum(len(found) <= limit for found in lists.values())
        low = sum(
            len({bytes(sorted(word)) for word in found}) for found in lists.values() if len(found) > limit
        )
        assert (row["high"], row["low"]) == (high, low)


def test_made_up_words_are_words_of_the_tile_set() -> None:
    for name in ("czech", "spanish"):
        tiles = tile_set(name)
        words = made_up_words(tiles, 500, 3)
        assert len(set(words)) == 500
        assert words == made_up_words(tiles, 500, 3) != made_up_words(tiles, 500, 4)
        for word in words:
            codes = tiles.alphabet.encode_word(word)
            assert 2 <= len(codes) <= 15


def test_a_journal_of_another_experiment_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    Journal(path, {"experiment": "a"}).add({"game": 0})
    assert list(Journal(path, {"experiment": "a"}).left(3)) == [1, 2]
    with pytest.raises(InvalidInput):
        Journal(path, {"experiment": "b"})
    assert len(path.read_bytes().splitlines()) == 2


def test_every_generator_gives_the_same_answer(made_up_data: Path) -> None:
    cgp = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRS?/ 0/0 0"
    found = set()
    for name in FAST_GENERATORS:
        arguments = ["perft", "--lexicon", "made-up", "--generator", name, "-"]
        done = CliRunner().invoke(kibitz, arguments, input=cgp, env={"KIBITZ_DATA": str(made_up_data)})
        assert done.exit_code == 0, done.output
        found.add(done.stdout)
    assert len(found) == 1
    assert json.loads(found.pop())["plays"] > 100


def test_the_literal_threshold_shifts_work_between_the_levels(
    made_up_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(literal_threshold, "FIXED", (0, 10, NO_LOW_LEVEL))
    options = ("--generator", "literal", "--games", "1", "--output", str(tmp_path))
    done = call(made_up_data, "threshold", *options)
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / "threshold-literal.json").read_bytes())
    means = [row["all"] for row in report["thresholds"]]
    scanned, lookups = ([row[name] for row in means] for name in ("scanned", "lookups"))
    assert scanned[0] == 0 < scanned[-1]
    assert scanned == sorted(scanned)
    assert lookups == sorted(lookups, reverse=True)
    assert lookups[-1] > 0, "intervals without a tile have no list"
    assert len({row["intervals"] for row in means}) == 1
    candidates = [row["candidates"] for row in means]
    assert candidates == sorted(candidates), "the high level keeps words that lack letters of other runs"
    names = ["threshold-literal-made-up.svg", "threshold-made-up-entries.svg"]
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == names
