"""`kibitz batch`: the records of a folder, in one process or several."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing import active_children
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from engine import AnnotationOptions, Catalogue, format_gcg, read_gcg, tile_set
from kibitz.archives.record_annotator import FolderWork
from kibitz.cli.record_folder import RecordFolder, RecordTotals
from kibitz.cli.workers import record_workers
from tests.command_line.test_annotate import GAME, GOLDEN, HEAD, SHORT
from tests.service.serving import children, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.process import BaseProcess

    from kibitz.cli.record_folder import Outcome
    from tests.command_line.conftest import Run


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A folder with three games, one of them in a subfolder, one twice, and files that are not games."""
    folder = tmp_path / "games"
    (folder / "more").mkdir(parents=True)
    for path in GOLDEN.glob("*.gcg"):
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "more" / "game0.gcg").write_bytes(GAME.read_bytes())
    (folder / "empty.gcg").write_bytes(b"")
    (folder / "big.gcg").write_bytes(b"#" * (2 << 20))
    (folder / "german.gcg").write_text("#lexicon RD28\n" + SHORT)
    (folder / "short.gcg").write_text(SHORT)
    (folder / "notes.txt").write_text("no record")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.process
def test_a_batch_is_the_same_with_one_worker_and_four(run: Run, records: Path, tmp_path: Path) -> None:
    one, four = tmp_path / "one", tmp_path / "four"
    result = run("batch", str(records), "--output", str(one))
    assert result.exit_code == 1, result.output
    assert "8 records" in result.stdout
    assert "5 annotated, 3 refused" in result.stdout
    assert f"{records / 'empty.gcg'}: refused: " in result.stdout
    assert run("batch", str(records), "--output", str(four), "--workers", "4").exit_code == 1
    for workers in ("1", "2"):
        simulated = ["--simulate", "monte_carlo", "--iterations", "20", "--candidates", "2"]
        output = str(tmp_path / f"simulated{workers}")
        assert run("batch", str(records), "--output", output, "--workers", workers, *simulated).exit_code == 1
    assert contents(tmp_path / "simulated1") == contents(tmp_path / "simulated2") != contents(one)
    made = contents(one)
    assert made == contents(four)
    names = {"game0", "game1", "game2", "more/game0", "empty", "big", "german", "short"}
    assert set(made) == {f"{name}.gcg.ndjson" for name in names} | {"summary.json"}
    for name in names:
        lines = [json.loads(line) for line in made[f"{name}.gcg.ndjson"].splitlines()]
        assert (lines[0]["type"], lines[0]["file"]) == ("record", f"{name}.gcg")
        assert lines[-1]["type"] == ("error" if name in ("empty", "big", "german") else "end")
    alone = run("annotate", str(GAME), "--json").stdout.encode()
    assert made["game0.gcg.ndjson"].split(b"\n", 1)[1] == alone


@pytest.mark.long
def test_a_batch_continues_where_it_stopped(bundled: Catalogue, records: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"

    def folder(evaluator: str = "auto") -> RecordFolder:
        options = AnnotationOptions(evaluator)
        return RecordFolder(FolderWork(records, output, (), options, bundled.data_directory, "scowl80"))

    def outcomes(evaluator: str = "auto") -> dict[str, Any]:
        return {outcome.name: outcome for outcome in annotated(folder(evaluator))}

    def annotated(folder: RecordFolder) -> Iterator[Outcome]:
        with record_workers(folder.work, 1) as workers:
            yield from folder.annotate(workers)

    some = annotated(folder())
    first = [next(some), next(some), next(some)]
    some.close()
    assert all(outcome.fresh for outcome in first)
    whole = outcomes()
    done = {outcome.name for outcome in first}
    assert {name for name, outcome in whole.items() if not outcome.fresh} == done
    before = contents(output)
    again = outcomes()
    assert not [name for name, outcome in again.items() if outcome.fresh]
    assert contents(output) == before
    assert totals(again) == totals(whole)
    # An input of the files has changed: the record, or how it is judged.
    record = read_gcg(GAME.read_bytes()).record
    shorter = format_gcg(type(record)(record.players, record.pragmas, record.note, record.events[:4]))
    (records / "game0.gcg").write_text(shorter)
    (output / "game1.gcg.ndjson").write_bytes(b"")
    changed = {name for name, outcome in outcomes().items() if outcome.fresh}
    assert changed == {"game0.gcg", "game1.gcg"}
    fresh = {name for name, outcome in outcomes("greedy").items() if outcome.fresh}
    assert fresh == set(whole) - {"big.gcg"}  # of which nothing was read


def test_an_annotation_that_was_cut_is_written_again(run: Run, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "short.gcg").write_text(SHORT)
    command = ("batch", str(tmp_path / "games"), "--output", str(tmp_path / "out"))
    assert run(*command).exit_code == 0
    expected = contents(tmp_path / "out")
    path = tmp_path / "out" / "short.gcg.ndjson"
    whole = path.read_bytes()
    for size in (len(whole) - 1, whole.rindex(b"\n", 0, -1) + 1, whole.index(b"\n") + 9):
        path.write_bytes(whole[:size])
        done = run(*command)
        assert "1 written now" in done.stdout
        assert contents(tmp_path / "out") == expected


@pytest.mark.process
def test_a_worker_that_is_killed_ends_the_batch_in_one_line(run: Run, records: Path, tmp_path: Path) -> None:
    spawned: set[BaseProcess] = set()

    def kill_workers(*_: Any) -> None:
        while not spawned:
            spawned.update(active_children())
            time.sleep(0.01)
        for process in spawned:
            process.kill()

    Thread(target=kill_workers, daemon=True).start()
    result = run("batch", str(records), "--output", str(tmp_path / "out"), "--workers", "2")
    assert result.exit_code == 2
    assert "a worker process was killed; run the command again" in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.process
@pytest.mark.parametrize("workers", ["1", "3"])
@pytest.mark.parametrize("group", [True, False], ids=["from the terminal", "to the command alone"])
def test_ctrl_c_ends_a_batch_and_its_workers(
    bundled: Catalogue, records: Path, tmp_path: Path, workers: str, group: bool
) -> None:
    """Ctrl-C comes long before one turn is simulated; no traceback is printed and no process survives."""
    output = tmp_path / "out"
    arguments = ["--output", str(output), "--workers", workers, "--simulate", "heuri_sim"]
    environment = {**os.environ, "KIBITZ_DATA": str(bundled.data_directory)}
    command = subprocess.Popen(
        [sys.executable, "-c", "from kibitz.cli import main; main()", "batch", str(records), *arguments],
        cwd=Path(__file__).parents[2],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=default_interrupt,
    )
    try:
        wait_until(
            lambda: (output / "big.gcg.ndjson").exists(), 60
        )  # the first: a turn of the next is simulated
        mine = children(command.pid)
        (os.killpg if group else os.kill)(command.pid, signal.SIGINT)
        _, errors = command.communicate(timeout=60)
        assert command.returncode == 130, errors
        assert b"Traceback" not in errors
        wait_until(lambda: not [number for number in mine if Path(f"/proc/{number}/fd").exists()])
    finally:
        with suppress(ProcessLookupError):
            os.killpg(command.pid, signal.SIGKILL)


def totals(outcomes: dict[str, Any]) -> dict[str, Any]:
    summed = RecordTotals()
    for outcome in outcomes.values():
        summed.add(outcome)
    return summed.as_dict()


def default_interrupt() -> None:
    """Undo what a shell does for a background job, which ignores Ctrl-C and so would the command."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_the_totals_of_a_batch_are_sums(run: Run, records: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    summed = json.loads(run("batch", str(records), "--output", str(output), "--json").stdout)
    assert json.loads((output / "summary.json").read_bytes()) == summed
    players = []
    for path in output.rglob("*.ndjson"):
        for line in map(json.loads, path.read_bytes().splitlines()):
            players += line["players"] if line["type"] == "summary" else []
    assert (summed["records"], summed["annotated"], summed["refused"]) == (8, 5, 3)
    for name in ("turns", "judged", "bingos", "missed_bingos", "phonies"):
        assert summed[name] == sum(player[name] for player in players)
    assert summed["mistakes"]["large"] == sum(player["mistakes"]["large"] for player in players)
    assert summed["equity_loss"] == pytest.approx(sum(player["equity_loss"] for player in players))
    assert set(summed["errors"]) == {"big.gcg", "empty.gcg", "german.gcg"}


def test_annotations_without_a_record_are_listed_and_stay(run: Run, tmp_path: Path) -> None:
    folder, output = tmp_path / "games", tmp_path / "out"
    (folder / "more").mkdir(parents=True)
    for name in ("a", "b", "more/c"):
        (folder / f"{name}.gcg").write_text(SHORT)
    assert "records are gone" not in run("batch", str(folder), "--output", str(output)).stdout
    before = contents(output)
    for name in ("a", "more/c"):
        (folder / f"{name}.gcg").unlink()
    done = run("batch", str(folder), "--output", str(output))
    assert done.exit_code == 0
    assert "annotations whose records are gone: a.gcg.ndjson, more/c.gcg.ndjson\n" in done.stdout
    after = contents(output)
    assert json.loads(after["summary.json"])["left_from_before"] == ["a.gcg.ndjson", "more/c.gcg.ndjson"]
    assert json.loads(after["summary.json"])["records"] == 1
    assert {name: text for name, text in after.items() if name != "summary.json"} == {
        name: text for name, text in before.items() if name != "summary.json"
    }


@pytest.mark.process
def test_faults_are_printed_by_file_and_line(run: Run, tmp_path: Path) -> None:
    folder, output = tmp_path / "games", tmp_path / "out"
    folder.mkdir()
    (folder / "good.gcg").write_text(SHORT)
    done = run("batch", str(folder), "--output", str(output))
    assert done.exit_code == 0, done.output
    wrong = HEAD + "".join(f">ann: AEITWXY 8E WAXY +34 {total}\n" for total in (35, 36, 37, 38))
    (folder / "bad.gcg").write_text(wrong)
    for workers in ("1", "2"):
        done = run("batch", str(folder), "--output", str(output), "--workers", workers)
        assert done.exit_code == 1
        printed = [line for line in done.stdout.splitlines() if line.startswith(f"{folder / 'bad.gcg'}: ")]
        faults = json.loads((output / "summary.json").read_bytes())["faults"]["bad.gcg"]
        assert printed[:3] == [
            f"{folder / 'bad.gcg'}: {fault['code']}: {fault['detail']}" for fault in faults[:3]
        ]
        assert printed[0].startswith(f"{folder / 'bad.gcg'}: wrong_cumulative_score: line 4: ")
        assert (faults[0]["line"], faults[0]["code"]) == (4, "wrong_cumulative_score")
        assert printed[3:] == [
            f"{folder / 'bad.gcg'}: and {len(faults) - 3} more, in {output / 'summary.json'}"
        ]
        assert "good.gcg" not in done.stdout


@pytest.fixture
def languages(bundled: Catalogue, tmp_path: Path) -> tuple[Path, dict[str, str | None]]:
    """A folder with an English and a German game, and the environment with a lexicon of each language."""
    catalogue = Catalogue(tmp_path / "data")
    catalogue.tables.mkdir(parents=True)
    catalogue.table_path("scowl80").symlink_to(bundled.table_path("scowl80"))
    (tmp_path / "german.txt").write_text("grünes\nöl\n")
    catalogue.build_from(tmp_path / "german.txt", tile_set("german"), lexicon_id="duden")
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "english.gcg").write_text(SHORT)
    (folder / "german.gcg").write_text(HEAD + ">ann: EGNRSÜX 8D GRÜNES +28 28\n>bo: AEIKLNÖ 7C ÖL +22 22\n")
    return folder, {"KIBITZ_DATA": str(catalogue.data_directory)}


def test_a_batch_of_several_languages(
    run: Run, languages: tuple[Path, dict[str, str | None]], tmp_path: Path
) -> None:
    folder, env = languages
    for number, named in enumerate(((), ("--lexicon", "scowl80,duden"))):
        output = tmp_path / f"out{number}"
        done = run("batch", str(folder), "--output", str(output), *named, env=env)
        assert done.exit_code == 0, done.output
        assert "by lexicon: 1 scowl80, 1 duden." in done.stdout
        games = [json.loads(path.read_bytes().splitlines()[1]) for path in sorted(output.glob("*.ndjson"))]
        assert [game["lexicon"] for game in games] == ["scowl80", "duden"]
        warned = [[notice["code"] for notice in game["warnings"]] for game in games]
        assert warned == [[], [] if named else ["lexicon_chosen"]]


def test_a_game_without_a_lexicon_is_annotated_with_a_warning(
    run: Run, languages: tuple[Path, dict[str, str | None]]
) -> None:
    folder, env = languages
    warning = "the record names no lexicon and has the tiles of german"
    table = run("annotate", str(folder / "german.gcg"), env={**env, "COLUMNS": "200"})
    assert f"Warning: {warning}; the words are those of duden." in table.stdout
    page = run("annotate", str(folder / "german.gcg"), "--html", env=env)
    assert page.stderr.startswith(f"Warning: {warning}")
    named = run("annotate", str(folder / "german.gcg"), "--html", "--lexicon", "duden", env=env)
    assert (named.exit_code, named.stderr) == (0, "")


def test_a_batch_of_a_single_record(run: Run, tmp_path: Path) -> None:
    done = run("batch", str(GAME), "--output", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    assert sorted(contents(tmp_path / "out")) == [f"{GAME.name}.ndjson", "summary.json"]
    (tmp_path / "bad.gcg").write_bytes(b"")
    refused = run("batch", str(tmp_path / "bad.gcg"), "--output", str(tmp_path / "out"))
    assert f"{tmp_path / 'bad.gcg'}: refused: empty_record: " in refused.stdout
