"""Long commands: a line now and then without a terminal, and an end soon after Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kibitz.cli import progress
from kibitz.cli.progress import build_progress, steps_progress
from tests.selfplay.worlds import few_tiles, playable
from tests.service.serving import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
TIME = "[0-9]+:[0-9]{2}"


def wait_for_line(capsys: pytest.CaptureFixture[str], line: str) -> None:
    """Wait until a line that matches the expression is printed on standard error."""
    printed = ""

    def is_printed() -> bool:
        nonlocal printed
        printed += capsys.readouterr().err
        return any(re.fullmatch(line, one) for one in printed.splitlines())

    wait_until(is_printed)


def test_steps_without_a_terminal_are_printed_as_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.05)
    with steps_progress("best - static", "games") as report:
        report(1.5, 400, "3 moves")
        wait_for_line(capsys, rf"best - static: 1 of 400 games, 3 moves \({TIME} so far\)")
        report(2, 400)
        rate = rf"[0-9.]+ games/(s|min), {TIME} left"
        wait_for_line(capsys, rf"best - static: 2 of 400 games, {rate} \({TIME} so far\)")


def test_stages_without_a_terminal_are_printed_as_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.05)
    with build_progress("Building the tables of twl06") as report:
        time.sleep(0.2)
        assert not capsys.readouterr().err
        report("words", 0.25)
        assert capsys.readouterr().err.splitlines()[0] == "Building the tables of twl06"
        wait_for_line(capsys, rf"Building the tables of twl06: words, 25 % \({TIME} so far\)")


def test_short_work_without_a_terminal_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with steps_progress("Measuring", "passes") as report:
        report(1, 1)
    assert not capsys.readouterr().err


@pytest.mark.process
def test_ctrl_c_ends_a_match_whose_searches_would_take_hours(tmp_path: Path) -> None:
    playable(tmp_path, few_tiles(8, 5))
    program = (  # a shell that starts the tests with & makes their children ignore SIGINT
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "import sys; from kibitz.cli import main, progress; progress.LINE_SECONDS = 0.1; "
        "sys.argv[1:] = 'match monte_carlo,iterations=100000000,confidence=0 greedy --lexicon few8'.split(); "
        "main()"
    )
    environment = {**os.environ, "KIBITZ_DATA": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", program], env=environment, cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        begun = (line for line in process.stderr if "0 of 1000 games" in line)
        for _ in range(10):  # a second later the search of the first move runs
            assert next(begun)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
    finally:
        process.kill()
