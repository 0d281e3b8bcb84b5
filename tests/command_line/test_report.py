"""`kibitz batch --parquet` and `kibitz report`: turns as a table, and what it says of the players."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections import Counter
from math import sqrt
from pathlib import Path
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow.parquet
import pytest

from engine import AnnotationOptions, __version__
from engine.extras import install_command
from kibitz.archives import turns_file
from kibitz.archives.player_reports import Ratio, archive_report, ratio_of, student_95
from kibitz.archives.record_annotator import FolderWork
from kibitz.archives.turn_rows import COLUMNS, TURNS_VERSION, phase_of_turn
from kibitz.archives.turns_file import TurnsFile
from kibitz.cli.record_folder import RecordFolder
from kibitz.cli.workers import record_workers
from tests.command_line.test_annotate import GOLDEN, SHORT
from tests.command_line.test_batch import contents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.lexicon.catalogue import Catalogue
    from tests.command_line.conftest import Run

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A folder of three games, a game with the times of its turns, and a record that is refused."""
    folder = tmp_path / "games"
    folder.mkdir()
    for path in GOLDEN.glob("*.gcg"):
        (folder / path.name).write_bytes(path.read_bytes())
    lines = SHORT.splitlines(keepends=True)
    at = next(place for place, line in enumerate(lines) if line.startswith(">"))
    lines.insert(at + 1, "#seconds 12.5\n")
    (folder / "timed.gcg").write_text("".join(lines))
    (folder / "empty.gcg").write_bytes(b"")
    return folder


def turns(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path / "turns.parquet").to_pylist()
    return rows


@pytest.mark.long
def test_a_row_for_each_turn_says_what_the_annotation_says(run: Run, records: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    assert run("batch", str(records), "--output", str(output), "--parquet", "--explain").exit_code == 1
    rows = {(row["game"], row["turn"]): row for row in turns(output)}
    expected = {}
    for path in output.glob("*.ndjson"):
        lines = [json.loads(line) for line in path.read_bytes().splitlines()]
        names = {line["type"]: line for line in lines}
        for line in lines:
            if line["type"] == "turn":
                expected[lines[0]["file"], line["number"]] = (names["game"], line)
    assert rows.keys() == expected.keys()
    for key, (game, turn) in expected.items():
        row = rows[key]
        nick = game["players"][turn["player"]]
        assert row["player"] == (nick["name"] or nick["nick"])
        assert (row["lexicon"], row["rules"], row["line"]) == (game["lexicon"], game["rules"], turn["line"])
        assert (row["move"], row["rack"], row["scores"]) == (turn["recorded"], turn["rack"], turn["scores"])
        assert (row["equity_lost"], row["win_pct_lost"]) == (turn["equity_loss"], turn["win_pct_loss"])
        best = turn["best"] or dict.fromkeys(("move", "equity", "is_bingo"))
        assert [row["best_move"], row["best_equity"], row["best_is_bingo"]] == list(
            map(best.get, ("move", "equity", "is_bingo"))
        )
        assert (row["words_lost"], row["choice_lost"]) == (turn["words_loss"], turn["choice_loss"])
        assert (row["luck"], row["bingo"], row["phase"]) == (
            turn["luck"], turn["bingo"], phase_of_turn(turn["bag_count"]),
        )  # fmt: skip
    timed = [row["seconds"] for row in rows.values() if row["seconds"] is not None]
    assert timed == [12.5]
    metadata = pyarrow.parquet.read_schema(output / "turns.parquet").metadata
    assert metadata[b"kibitz.turns_version"] == str(TURNS_VERSION).encode()
    assert metadata[b"kibitz.engine_version"] == __version__.encode()


def test_the_columns_are_those_of_the_documentation(run: Run, records: Path, tmp_path: Path) -> None:
    documented = re.findall(
        r"^\| `(\w+)` \| (\S+) \| (.+) \|$", (DOCS / "archives.md").read_text("utf-8"), re.M
    )
    assert documented == [tuple(column) for column in COLUMNS]
    run("batch", str(records), "--output", str(tmp_path), "--parquet")
    schema = pyarrow.parquet.read_schema(tmp_path / "turns.parquet")
    types = {"list<element: string>": "list<string>", "list<element: int32>": "list<int32>"}
    written = [
        (field.name, types.get(str(field.type), str(field.type)), field.metadata[b"description"].decode())
        for field in schema
    ]
    assert written == documented


@pytest.mark.process
def test_the_file_is_the_same_for_any_workers_and_after_a_stop(
    run: Run, bundled: Catalogue, records: Path, tmp_path: Path
) -> None:
    one, two, stopped = tmp_path / "one", tmp_path / "two", tmp_path / "stopped"
    assert run("batch", str(records), "--output", str(one), "--parquet").exit_code == 1
    assert run("batch", str(records), "--output", str(two), "--workers", "2", "--parquet").exit_code == 1
    expected = (one / "turns.parquet").read_bytes()
    assert (two / "turns.parquet").read_bytes() == expected
    work = FolderWork(records, stopped, (), AnnotationOptions(), bundled.data_directory, "scowl80")

    def stop() -> None:
        with record_workers(work, 1) as workers, TurnsFile(stopped / "turns.parquet") as file:
            for outcome in RecordFolder(work).annotate(workers):
                file.add(outcome.lines)
                if outcome.name == "game1.gcg":
                    raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop()
    assert set(contents(stopped)) == {f"{name}.gcg.ndjson" for name in ("empty", "game0", "game1")}
    (stopped / ".turns.parquet.partial").write_bytes(b"left by a process that was killed")
    assert run("batch", str(records), "--output", str(stopped), "--parquet").exit_code == 1
    assert contents(stopped) == contents(one)


def test_a_full_disk_leaves_no_partial_table(
    run: Run, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pyarrow.parquet.ParquetWriter, "write_table", full)
    output = tmp_path / "full"
    assert run("batch", str(records), "--output", str(output), "--parquet").exit_code != 0
    assert not list(output.glob(".*")) + list(output.glob("*.parquet"))


def test_rows_are_written_in_groups(run: Run, records: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(turns_file, "ROWS", 20)
    run("batch", str(records), "--output", str(tmp_path), "--parquet")
    metadata = pyarrow.parquet.read_metadata(tmp_path / "turns.parquet")
    sizes = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
    games = Counter(row["game"] for row in turns(tmp_path))
    assert sizes == list(games.values())
    assert len(sizes) == 4


def written(folder: Path, rows: list[dict[str, Any]], version: str = str(TURNS_VERSION)) -> Path:
    """Write a file of turns with these values, the others null."""
    types = {"list<string>": pyarrow.list_(pyarrow.string()), "list<int32>": pyarrow.list_(pyarrow.int32())}
    schema = pyarrow.schema(
        [(one.name, types.get(one.type) or pyarrow.type_for_alias(one.type)) for one in COLUMNS],
        {"kibitz.turns_version": version},
    )
    path = folder / "turns.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema), path)
    return path


def turn(game: str, player: str, lost: float | None, **values: Any) -> dict[str, Any]:
    row = {"game": game, "player": player, "equity_lost": lost, "phase": "midgame", "lexicon": "scowl80"}
    mistake = None if lost is None else "large" if lost else "none"
    return {**row, "bingo": False, "mistake": mistake, **values}


LOSSES: Mapping[str, list[float | None]] = {
    "a": [0, 1, 2], "b": [3, 5], "c": [0, 0, 0, 4, None], "d": [9], "e": [0, 0],
    "f": [2, 2], "g": [0, 7, 1],
}  # fmt: skip
"""By game: the equity that a player lost in each turn."""


def test_a_report_counts_by_games(tmp_path: Path) -> None:
    rows = [turn(game, "Ann", lost) for game, losses in LOSSES.items() for lost in losses]
    rows += [turn("a", "Bo", 0.5, bingo=True, luck=3.0, seconds=10.0), turn("b", "Bo", 1.5, missed_bingo="x")]
    rows.append(turn("b", "Bo", None, luck=1.0, seconds=30.0, phase="endgame"))
    report = archive_report(written(tmp_path, rows))
    assert (report.games, report.turns, report.lexicons) == (7, len(rows), ("scowl80",))
    best, ann = report.players
    assert (best.player, best.games, best.turns, best.judged) == ("Bo", 2, 3, 2)
    assert (best.bingos_found, best.bingos_missed, best.bingos.value) == (1, 1, 50.0)
    assert (best.equity_lost.value, best.luck.value) == (1.0, 2.0)
    assert best.seconds["midgame"] == (10.0, None, None), "one game has no interval"
    assert best.seconds["preendgame"] == (None, None, None)
    assert best.seconds["endgame"].value == 30.0
    # The interval by its definition.
    sums = [[each for each in losses if each is not None] for losses in LOSSES.values()]
    ratio = sum(map(sum, sums)) / sum(map(len, sums))
    residuals = [sum(losses) - ratio * len(losses) for losses in sums]
    error = sqrt(7 / 6 * sum(each**2 for each in residuals)) / sum(map(len, sums))
    assert ann.equity_lost.value == pytest.approx(ratio)
    assert ann.equity_lost.high == pytest.approx(ratio + 2.447 * error, abs=2e-3)
    assert ann.equity_lost.low == pytest.approx(ratio - 2.447 * error, abs=2e-3)
    assert ann.accuracy.value == pytest.approx(100 * sum(losses.count(0) for losses in sums) / 17)
    assert [player.player for player in report.of_games(3).players] == ["Ann"]


def test_losses_by_words_and_by_choice_are_points_a_game(run: Run, tmp_path: Path) -> None:
    rows = [turn("a", "Ann", 5.0, words_lost=4.0, choice_lost=1.0), turn("a", "Ann", 2.0, words_lost=2.0)]
    rows.append(turn("b", "Ann", 9.0))  # by a lexicon whose words were not counted
    path = written(tmp_path, rows)
    (ann,) = archive_report(path).players
    assert (ann.words_lost.value, ann.choice_lost.value) == (6.0, 1.0)
    found = json.loads(run("report", str(path), "--json").stdout)["players"][0]
    assert found["words_lost"]["value"] == 6.0
    older = pyarrow.parquet.read_table(path).drop_columns(["words_lost", "choice_lost"])
    pyarrow.parquet.write_table(older, path)
    (ann,) = archive_report(path).players
    assert (ann.words_lost.value, ann.equity_lost.value) == (None, pytest.approx(16 / 3))
    assert "lost by words" not in run("report", str(path)).stdout


def test_an_interval_holds_95_percent_of_the_truth() -> None:
    """Games of different length whose turns resemble each other, where turns as the unit would hold half."""
    truth, held = 10.0, 0
    normal = NormalDist()
    draws = iter(normal.samples(40_000, seed=1))
    for _ in range(300):
        moments = [0.0] * 6
        for _ in range(20):
            level = next(draws)
            count = 10 + round(3 * next(draws))
            y = sum([truth + 4 * level + next(draws) for _ in range(3)]) / 3 * count
            for at, value in enumerate((1, count, y, count * count, count * y, y * y)):
                moments[at] += value
        found = ratio_of(moments)
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    assert 0.92 <= held / 300 <= 0.98


def test_a_percentage_has_an_interval_within_0_to_100_from_five_games_on() -> None:
    def found(games: list[tuple[int, int]]) -> Ratio:
        sums = [(1, x, 100 * y, x * x, x * 100 * y, (100 * y) ** 2) for x, y in games]
        return ratio_of([sum(column) for column in zip(*sums, strict=True)], percentage=True)

    assert found([(4, 4), (4, 1)]) == (62.5, None, None)
    assert found([(4, 2), (4, 3)] * 2) == (62.5, None, None)
    value, low, high = found([(4, 4), (4, 1), (4, 4), (4, 4), (4, 4)])
    assert value == 85.0
    assert low is not None
    assert high is not None
    assert 0 < low < 65 < 95 < high < 100
    assert found([(10, 10)] * 6) == pytest.approx((100.0, 93.98, 100.0), abs=0.01)  # Wilson's, 60 of 60


def test_students_t_agrees_with_tables() -> None:
    for freedom, value in {4: 2.776, 5: 2.571, 9: 2.262, 19: 2.093, 99: 1.984}.items():
        assert student_95(freedom) == pytest.approx(value, abs=0.01)


def test_what_is_no_archive_is_refused_in_one_line(run: Run, records: Path, tmp_path: Path) -> None:
    (tmp_path / "text.parquet").write_text("no table")
    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), tmp_path / "other.parquet")
    pyarrow.parquet.write_table(
        pyarrow.table({"a": [1]}).replace_schema_metadata({"kibitz.turns_version": str(TURNS_VERSION)}),
        tmp_path / "columns.parquet",
    )
    written(tmp_path, [], version="99")
    for path, said in {
        records: "has no turns.parquet: kibitz batch SOURCE --output",
        tmp_path / "text.parquet": "is not a Parquet file of kibitz batch",
        tmp_path / "other.parquet": "is not a Parquet file of kibitz batch",
        tmp_path / "columns.parquet": "is not a Parquet file of kibitz batch",
        tmp_path: "has version 99 of the columns",
    }.items():
        done = run("report", str(path))
        assert (done.exit_code, done.stdout) == (2, "")
        assert said in done.stderr


@pytest.mark.parametrize("package", ["pyarrow", "duckdb"])
def test_without_the_extra_an_error_names_it(
    run: Run, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    command = ("report", str(tmp_path)) if package == "duckdb" else ("batch", str(records), "--parquet")
    output = () if package == "duckdb" else ("--output", str(tmp_path / "out"))
    done = run(*command, *output)
    assert done.exit_code == 2
    assert f"{package}, which is not installed: {install_command('parquet')}" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.long
def test_a_report_is_printed_and_written(run: Run, tmp_path: Path) -> None:
    names = ("$x^2$", "<b>Bo</b>", "=1+1\x1b[31m", "Zoë" * 20)
    rows = [turn(game, name, place + 0.5) for place, name in enumerate(names) for game in "abcdef"]
    folder = tmp_path / "an [odd] name*" / "player=Bo" / "game=1"
    folder.mkdir(parents=True)
    written(folder, rows)
    page, table = tmp_path / "report.html", tmp_path / "report.csv"
    wide = {"COLUMNS": "200"}
    done = run("report", str(folder), "--html", str(page), "--csv", str(table), env=wide)
    assert done.exit_code == 0, done.output
    title, _, first, *_ = done.stdout.splitlines()
    assert title == "Archive: 6 games"
    accuracy, mistakes, equity = "0.0 [0.0; 39.0]", "1.00 [1.00; 1.00]", "0.50 [0.50; 0.50]"
    assert " ".join(first.split()) == f"$x^2$ 6 6 {accuracy} {mistakes} {equity} 0 0"
    assert "\x1b" not in done.stdout + page.read_text() + table.read_text()
    lines = list(csv.DictReader(io.StringIO(table.read_text())))
    assert lines[2]["player"] == "'=1+1\\x1b[31m", "no formula for a spreadsheet"
    assert [line["equity_lost_low"] for line in lines] == ["0.5000", "1.5000", "2.5000", "3.5000"]
    assert lines[0]["luck"] == ""
    assert "<b>Bo" not in page.read_text()
    found = json.loads(run("report", str(folder), "--json").stdout)
    assert (found["games"], found["players"][0]["player"]) == (6, "$x^2$")
    assert found["players"][0]["equity_lost"] == {"value": 0.5, "low": 0.5, "high": 0.5}
    printed = run("report", str(folder), "--csv", "-", "--min-games", "7").stdout
    assert printed.startswith("player,games,turns")
    assert len(printed.splitlines()) == 1
    assert "Partien" in run("report", str(folder), "--lang", "de").stdout


def test_turns_that_were_not_judged_have_a_page(run: Run, tmp_path: Path) -> None:
    written(tmp_path, [turn("a", "Ann", None)])
    page = run("report", str(tmp_path), "--html", "-")
    assert page.exit_code == 0, page.output
    assert "Ann" in page.stdout
    assert "<svg" not in page.stdout


def test_a_table_without_turns_has_a_report(run: Run, tmp_path: Path) -> None:
    written(tmp_path, [])
    assert run("report", str(tmp_path)).stdout.startswith("Archive: 0 games\n")
    page = run("report", str(tmp_path), "--html", "-")
    assert (page.exit_code, "<svg" in page.stdout) == (0, False), page.output


def test_duckdb_reads_the_file(run: Run, records: Path, tmp_path: Path) -> None:
    run("batch", str(records), "--output", str(tmp_path), "--parquet")
    query = f"SELECT avg(equity_lost) FROM '{tmp_path / 'turns.parquet'}'"
    found = duckdb.connect().execute(query).fetchone()
    losses = [row["equity_lost"] for row in turns(tmp_path) if row["equity_lost"] is not None]
    assert found is not None
    assert found[0] == pytest.approx(fmean(losses))
