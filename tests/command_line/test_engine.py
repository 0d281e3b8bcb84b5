"""`kibitz engine` as a process: what it writes, how it ends, and the examples of docs/pipe.md."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from service.operations import OPERATIONS
from service.schemas.pipe import STOP
from tests.service.long_work import endless

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.lexicon.catalogue import Catalogue

PAGE = (Path(__file__).parents[2] / "docs" / "pipe.md").read_text("utf-8")


@pytest.fixture
def environment(bundled: Catalogue, tmp_path: Path) -> dict[str, str]:
    """An environment in which `kibitz` is that of this checkout."""
    command = tmp_path / "kibitz"
    command.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'from kibitz.cli import main; main()' \"$@\"\n")
    command.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "KIBITZ_DATA": str(bundled.data_directory)}


@pytest.fixture
def engine(environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """An engine that waits for requests."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        ["kibitz", "engine"], stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment
    ) as started:
        yield started
        started.kill()


def ask(engine: subprocess.Popen[str], request: Any) -> None:
    assert engine.stdin is not None
    print(json.dumps(request), file=engine.stdin, flush=True)


def line(engine: subprocess.Popen[str]) -> Any:
    assert engine.stdout is not None
    return json.loads(engine.stdout.readline())


def example(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_the_page_lists_every_operation() -> None:
    (_, table) = PAGE.split("| operation | over HTTP |")
    rows = re.findall(r"^\| (`.*?) \|", table.split("\n\n")[0], re.MULTILINE)
    assert re.findall(r"\w+", " ".join(rows)) == [*OPERATIONS, STOP]


@pytest.mark.process
def test_the_examples_of_the_page_run(environment: dict[str, str]) -> None:
    for arguments in (["sh", "-c", example("sh")], [sys.executable, "-c", example("python")]):
        done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=True)
        assert "Traceback" not in done.stderr
        if arguments[0] == "sh":
            assert json.loads(done.stdout)["answer"]["acceptable"] in (True, False)
        else:
            assert len(done.stdout.splitlines()) == 3


@pytest.mark.long
@pytest.mark.process
def test_standard_output_has_nothing_but_answers(
    environment: dict[str, str], bundled: Catalogue, tmp_path: Path
) -> None:
    tables = tmp_path / "data" / "tables"
    tables.mkdir(parents=True)
    for built in bundled.tables.iterdir():
        (tables / built.name).symlink_to(built)
    # Another process builds the tables of Dutch, and logs that.
    lines = '{"id": 1, "operation": "bingo_stems", "lexicon": "dutch"}\nnonsense\n'
    environment["KIBITZ_DATA"] = str(tables.parent)
    done = subprocess.run(
        ["kibitz", "engine"], input=lines, env=environment, capture_output=True, text=True, check=True
    )
    answers = [json.loads(text) for text in done.stdout.splitlines()]
    codes = {answer["line"]: answer["problem"]["code"] for answer in answers}
    assert codes == {1: "table_not_ready", 2: "malformed_json"}
    assert "table_build_started" in done.stderr


@pytest.mark.process
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_with_what_it_has(
    engine: subprocess.Popen[str], number: signal.Signals, code: int
) -> None:
    ask(engine, {"id": "a", "operation": "analyze", "progress": True, **endless(1)})
    assert "progress" in line(engine)
    engine.send_signal(number)  # its input is still open
    while "progress" in (found := line(engine)):
        pass
    assert found["answer"]["provenance"]["stopped_by"] == "deadline"
    assert engine.wait() == code


@pytest.mark.process
def test_it_ends_when_nobody_reads_its_answers(engine: subprocess.Popen[str]) -> None:
    assert engine.stdout is not None
    assert engine.stderr is not None
    ask(engine, {"operation": "version"})
    line(engine)
    engine.stdout.close()
    ask(engine, {"operation": "version"})
    assert engine.wait() == 1
    assert engine.stderr.read() == ""


@pytest.mark.process
def test_a_wrong_setting_ends_the_start_with_one_line(environment: dict[str, str]) -> None:
    done = subprocess.run(
        ["kibitz", "engine"],
        env={**environment, "KIBITZ_LEXICON": "klingon"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: ")
    assert len(done.stderr.splitlines()) == 1
