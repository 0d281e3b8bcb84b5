"""`kibitz bench compare`: each side runs its own worker, and every task ends in a ratio; never its value."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from click.testing import CliRunner, Result

from benchmarks.compare.sides import FIRST_TASKS, WORKERS, Side, provide_tables
from benchmarks.compare.timing import BLOCKS
from engine import Catalogue, tile_set
from kibitz.cli import kibitz
from lab.experiments.agreement import made_up_words

ROOT = Path(__file__).parents[2]
COMMAND_LINE = """
    import os, sys
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.answer()

        def answer(self):
            body = b'{{"moves": [{{"move": "pass", "score": {score}}}]}}'
            self.wfile.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)

        do_GET = answer

        def log_message(self, *_):
            pass

    def main():
        if sys.argv[1] == "serve":
            if {score} == 0:
                sys.exit("no service in this commit")
            address = os.environ["KIBITZ_HOST"], int(os.environ["KIBITZ_PORT"])
            ThreadingHTTPServer(address, Handler).serve_forever()
"""
WORKER = """
    import json, sys

    for line in sys.stdin:
        request = json.loads(line)
        if "tasks" in request and {lists_tasks}:
            answer = {{"tasks": ["rollouts", "best"]}}
        elif "load" in request:
            answer = {{"simd": "none"}}
        elif "run" in request:
            answer = {{"ns": [{ns}] * (request["run"][1] - request["run"][0])}}
        elif "sum" in request:
            answer = {{"sum": "0", "plays": 1}}
        else:
            answer = {{"error": "KeyError: sum"}}
        print(json.dumps(answer), flush=True)
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a lexicon of made-up words, "made-up"."""
    folder = tmp_path_factory.mktemp("compare")
    tiles = tile_set("english")
    (folder / "words.txt").write_text("\n".join(made_up_words(tiles, 2000, 1)))
    Catalogue(folder).build_from(folder / "words.txt", tiles, lexicon_id="made-up")
    return folder


def compare(data: Path, *arguments: str) -> Result:
    environment = {"KIBITZ_DATA": str(data), "COLUMNS": "120"}
    command = ["bench", "compare", *arguments, "--lexicon", "made-up", "--repeat", "1"]
    return CliRunner().invoke(kibitz, command, env=environment)


def reported(data: Path, *arguments: str) -> dict[str, Any]:
    done = compare(data, *arguments, "--json")
    assert done.exit_code == 0, done.output
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def git(folder: Path, *arguments: str) -> None:
    name = ["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three commits with an empty engine: workers in different places, services with different answers."""
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q")
    for path in ("setup.py", "service/__init__.py", "engine/__init__.py", "kibitz/__init__.py"):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).touch()
    newest, oldest = WORKERS
    for number, (tag, path, ns, lists_tasks) in enumerate(
        (("oldest", oldest, 1000, False), ("older", oldest, 2000, True), ("newest", newest, 3000, True))
    ):
        command_line = folder / ("kibitz/cli/__init__.py" if tag == "newest" else "service/cli.py")
        command_line.parent.mkdir(exist_ok=True)
        command_line.write_text(dedent(COMMAND_LINE).format(score=number))
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(dedent(WORKER).format(ns=ns, lists_tasks=lists_tasks))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", tag)
        git(folder, "tag", tag)
    return folder


@pytest.mark.process
@pytest.mark.parametrize(
    ("first", "second", "task", "ratio"),
    [
        ("oldest", "newest", "best", 3.0),
        ("newest", "older", "rollouts", 0.667),
        ("older", "older", "best", 1.0),
    ],
)
def test_each_side_runs_the_worker_of_its_own_checkout(
    data: Path, repository: Path, first: str, second: str, task: str, ratio: float
) -> None:
    report = reported(data, first, second, "--task", task, "--repository", str(repository))
    assert [side["own_worker"] for side in report["sides"]] == [True, True]
    assert report["ratio"] == ratio
    assert report["ratio_interval"] == report["ratio_quartiles"] == [ratio, ratio]
    assert report["clock"] == "wall"  # these workers know nothing of processor time


@pytest.mark.process
def test_a_checkout_without_the_task_is_named_when_its_engine_does_not_suffice(
    data: Path, repository: Path
) -> None:
    done = compare(data, "newest", "oldest", "--task", "rollouts", "--repository", str(repository))
    assert done.exit_code == 2
    assert "oldest, whose checkout has no worker for this task: ImportError" in done.stderr


@pytest.fixture
def workerless(tmp_path: Path) -> Path:
    """A checkout with this engine and this command line, but no worker."""
    folder = tmp_path / "workerless"
    (folder / "service").mkdir(parents=True)
    for path in (
        "engine",
        "kibitz",
        "lexicons",
        *(f"service/{path.name}" for path in (ROOT / "service").iterdir()),
    ):
        (folder / path).symlink_to(ROOT / path)
    return folder


@pytest.mark.process
def test_without_a_worker_of_its_own_a_checkout_runs_this_one(data: Path, workerless: Path) -> None:
    sides = (str(workerless), str(ROOT))
    done = compare(data, *sides, "--task", "selfplay", "--count", "1")
    assert done.exit_code == 0, done.output
    assert f"{workerless} has no benchmark of selfplay: this version's ran on its engine." in done.stdout
    assert done.stdout.count("has no benchmark") == 1
    assert "ratio" in done.stdout
    assert "DIFFER" not in done.stdout


@pytest.mark.parametrize("task", [*BLOCKS])
@pytest.mark.process
def test_every_task_of_the_engine_ends_in_a_ratio(data: Path, task: str) -> None:
    report = reported(data, str(ROOT), str(ROOT), "--task", task, "--games", "2", "--count", "2")
    assert report["same_plays"]
    assert report["clock"] == "processor"
    assert [side["own_worker"] for side in report["sides"]] == [True, True]
    first, second = report["sides"]
    assert report["ratio"] == pytest.approx(second["mean_us"] / first["mean_us"], rel=0.05)
    low, high = report["ratio_interval"]
    assert low <= report["ratio"] <= high
    assert report["ratio_quartiles"] == sorted(report["ratio_quartiles"])
    assert sum(row["positions"] for row in report["per_move"]) == (0 if task == "selfplay" else 2)


def test_the_tasks_of_the_first_workers_are_those_of_the_engine() -> None:
    assert set(FIRST_TASKS) < set(BLOCKS)


def test_positions_that_a_task_cannot_take_are_named(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "positions.tsv"
    file.write_text(f"cgp\tmove_number\tgame\n{'15/' * 14}15 AB/ 0/0 0\t1\t0\n")
    done = compare(data, str(ROOT), str(ROOT), "--task", "endgame", "--positions", str(file))
    assert done.exit_code == 2
    assert "no position is suitable for the task endgame" in done.stderr


HTTP = ("--task", "http", "--games", "1", "--seconds", "0.05")


@pytest.mark.process
def test_services_of_two_checkouts_are_asked_in_turns(data: Path) -> None:
    report = reported(data, str(ROOT), str(ROOT), *HTTP, "--setting", "KIBITZ_LOG_LEVEL=error")
    for side in report["sides"]:
        assert all(value is None or value > 0 for name, value in side.items() if name != "name")
    for name in ("computed", "repeated"):
        low, high = report["ratios"][name]["interval"]
        assert 0 < low <= report["ratios"][name]["ratio"] <= high
    assert report["ratios"]["per_second"]["ratio"] > 0
    assert report["ratios"]["per_cpu_second"]["ratio"] > 0
    assert report["same_moves"]
    assert report["positions"] > 10
    assert report["settings"]["KIBITZ_LOG_LEVEL"] == "error"


@pytest.mark.process
def test_each_side_answers_with_its_own_service(data: Path, repository: Path) -> None:
    done = compare(data, "older", "newest", *HTTP, "--repository", str(repository))
    assert done.exit_code == 0, done.output
    assert "whole answer repeated, ms" in done.stdout
    assert "THE RESULTS DIFFER" in done.stdout


@pytest.mark.process
def test_a_service_that_does_not_start_is_named_with_its_last_words(data: Path, repository: Path) -> None:
    done = compare(data, "newest", "oldest", *HTTP, "--repository", str(repository))
    assert done.exit_code == 2
    assert "oldest: serve did not start: no service in this commit" in done.stderr


def test_a_setting_has_a_name_and_a_value(data: Path) -> None:
    done = compare(data, str(ROOT), str(ROOT), *HTTP, "--setting", "PORT=1")
    assert done.exit_code == 2
    assert "is not KIBITZ_NAME=VALUE" in done.stderr


@pytest.mark.process
def test_a_side_whose_tables_are_of_another_lexicon_builds_them_again(tmp_path: Path) -> None:
    side = Side("here", ROOT, tmp_path / "side")
    catalogue = Catalogue(tmp_path / "own")
    for words in ("AB\nBA\n", "ABA\n", "AB\nBA\n"):
        listed = tmp_path / "words.txt"
        listed.write_text(words)
        name = f"words{len(words)}"
        catalogue.build_from(listed, tile_set("english"), lexicon_id=name)
        provide_tables(side, catalogue.open(name), listed)
        built = Catalogue(side.data).open("compared")
        alphabet = built.tile_set.alphabet
        assert sorted(alphabet.text(list(word)) for word in built.words()) == words.split()
