"""`kibitz match`, `train` and `leaves`: what they print, and what they refuse."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Protocol

import click.testing
import pytest

from engine import WORD_USES, Catalogue, GameSetup, SelfPlay
from engine.lexicon.store import TableFile
from kibitz.cli import kibitz
from tests.selfplay.worlds import few_tiles, playable

ROOT = Path(__file__).parents[2]


class Run(Protocol):
    def __call__(self, *arguments: str) -> click.testing.Result: ...


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a small lexicon of eight letters, few8."""
    folder = tmp_path_factory.mktemp("selfplay")
    playable(folder, few_tiles(8, 5))
    return folder


@pytest.fixture
def run(data: Path) -> Run:
    def invoke(*arguments: str) -> click.testing.Result:
        return click.testing.CliRunner().invoke(kibitz, arguments, env={"KIBITZ_DATA": str(data)})

    return invoke


def test_a_match_is_reported_in_words_and_as_json(run: Run) -> None:
    printed = run("match", "heuri2", "greedy", "--lexicon", "few8", "--games", "20", "--threads", "2")
    assert printed.exit_code == 0, printed.output
    assert "heuri2 won" in printed.output
    assert "of 20 games against greedy" in printed.output
    done = run("match", "heuri2", "greedy", "--lexicon", "few8", "--games", "20", "--threads", "1", "--json")
    report = json.loads(done.stdout)
    assert report["score"]["games"] == 20
    assert [player["name"] for player in report["players"]] == ["heuri2", "greedy"]
    assert f"{100 * report['score']['share']['value']:.2f}" in printed.output


def test_few_games_have_no_interval(run: Run) -> None:
    match = ("match", "heuri2", "greedy", "--lexicon", "few8", "--games", "4", "--threads", "1")
    printed = run(*match).stdout
    assert "% (too few games) of 4 games" in " ".join(printed.split())
    assert "[" not in printed
    assert json.loads(run(*match, "--json").stdout)["score"]["share"]["low"] is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("match", "greedy", "greedy", "--games", "3", "--lexicon", "few8"), "even number"),
        (("match", "static", "greedy", "--games", "2", "--lexicon", "few8"), "kibitz train leaves"),
        (("match", "greedy", "nobody", "--lexicon", "few8"), "known: greedy, heuri1"),
        (("match", "greedy", "nobody", "--lexicon", "few8"), "best, with options after commas; level1 to"),
        (("match", "best,plies=x", "greedy", "--lexicon", "few8"), "cannot have"),
        (("match", "greedy", "greedy", "--lexicon", "nowhere"), "nowhere"),
        (("match", "greedy", "greedy", "--lexicon", "few8", "--board", "round"), "round"),
        (("train", "leaves", "--games", "0", "--lexicon", "few8"), "at least 1"),
        (("train", "winpct", "--games", "0", "--lexicon", "few8", "--player", "greedy"), "at least 1"),
        (("train", "calibrate", "--lexicon", "few8"), "kibitz train winpct"),
        (("leaves", "report", "--lexicon", "few8"), "kibitz train leaves"),
    ],
)
def test_impossible_requests_are_one_line(run: Run, arguments: tuple[str, ...], says: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert says in done.output
    assert "Traceback" not in done.output


@pytest.mark.long
def test_learning_from_nothing_to_a_report(run: Run, data: Path, tmp_path: Path) -> None:
    small = ("--lexicon", "few8", "--threads", "2")
    done = run("train", "leaves", *small, "--games", "40", "--generations", "2", "--racks", "2")
    assert done.exit_code == 0, done.output
    assert (data / "learned" / "few8.leaves.kibitz").exists()
    assert not list((data / "learned").glob("*.state"))
    report = json.loads(run("leaves", "report", "--lexicon", "few8", "--json").stdout)
    assert report["own"]
    assert len(report["tiles"]) == 9
    assert report["tiles"][0]["racks"] > 0
    values = [tile["value"] for tile in report["tiles"]]
    assert values == sorted(values, reverse=True)
    assert "single tiles" in run("leaves", "report", "--lexicon", "few8").output
    assert run("match", "combined", "static", "--games", "4", *small).exit_code == 0
    done = run("train", "winpct", *small, "--games", "300")
    assert done.exit_code == 0, done.output
    done = run("train", "calibrate", *small, "--games", "300", "--json", "--plot", str(tmp_path))
    assert done.exit_code in (0, 1)
    assert not isinstance(done.exception, Exception), done.exception
    assert json.loads(done.stdout)["bins"]
    assert (tmp_path / "calibration-few8.svg").stat().st_size > 1000
    exported = tmp_path / "leaves.csv"
    assert run("leaves", "export", str(exported), "--lexicon", "few8").exit_code == 0
    assert exported.read_text().startswith("leave,value\n")
    before = run("leaves", "value", "AB", "?", "--lexicon", "few8").output
    done = run("leaves", "import", str(exported), "--lexicon", "few8")
    assert done.exit_code == 0, done.output
    assert "0 derived" in done.output
    assert run("leaves", "value", "AB", "?", "--lexicon", "few8").output == before
    done = run("leaves", "value", "AAAAAA", "--lexicon", "few8")
    assert done.exit_code == 2
    assert "AAAAAA" in done.output
    exported.write_text("A,1\nB,x\n")
    done = run("leaves", "import", str(exported), "--lexicon", "few8")
    assert done.exit_code == 2
    assert "line 2 " in done.output


def test_counted_words_are_found_by_their_lexicon(run: Run, data: Path, tmp_path: Path) -> None:
    lexicon = Catalogue(data).open("few8")
    several = []
    for threads in ("1", "3"):
        output = tmp_path / f"{threads}.kibitz"
        small = ("--lexicon", "few8", "--player", "greedy", "--games", "30", "--threads", threads)
        done = run("train", "words", *small, "--output", str(output))
        assert done.exit_code == 0, done.output
        assert f"of {lexicon.word_count} words formed in 30 games" in done.output
        several.append(TableFile.open(output).section("counts").tolist())
    assert several[0] == several[1]
    assert not list(tmp_path.glob("*.state"))
    setup = GameSetup.of(lexicon)
    play = SelfPlay(setup, "greedy", 30)
    play.run(1)
    assert several[0] == play.words[WORD_USES.index("made")].tolist()
    assert run("train", "words", *small[:4], "--games", "0").exit_code == 2


KILLED = """
import sys
from engine.selfplay import resumable_run
resumable_run.SAVE_SECONDS = 0.0
from kibitz.cli import main
sys.argv[1:] = "train leaves --lexicon few8 --games 1920 --generations 1 --racks 1 --threads 2".split()
sys.argv += ["--state", STATE, "--output", OUTPUT]
main()
"""


@pytest.mark.process
def test_training_that_was_killed_continues(data: Path, tmp_path: Path) -> None:
    def program(name: str) -> list[str]:
        state, output = tmp_path / f"{name}.state", tmp_path / f"{name}.kibitz"
        text = KILLED.replace("STATE", repr(str(state))).replace("OUTPUT", repr(str(output)))
        return [sys.executable, "-c", text]

    environment = {**os.environ, "KIBITZ_DATA": str(data)}
    process = subprocess.Popen(program("killed"), env=environment, cwd=ROOT)
    state = tmp_path / "killed.state"
    deadline = time.monotonic() + 60
    while not state.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 0 < TableFile.open(state).meta["block"] < 60
    for name in ("killed", "whole"):
        subprocess.run(program(name), env=environment, cwd=ROOT, check=True, timeout=120)
    files = [TableFile.open(tmp_path / f"{name}.kibitz") for name in ("killed", "whole")]
    assert files[0].sha256 == files[1].sha256
