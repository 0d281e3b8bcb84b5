"""Long commands: a line now and then without a terminal, and an end soon after Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from service.cli import progress
from service.cli.progress import build_progress, steps_progress
from tests.selfplay.worlds import few_tiles, playable

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[2]


def test_steps_without_a_terminal_are_printed_as_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.05)
    with steps_progress("best - static", "games") as report:
        report(1.5, 400, "3 moves")
        time.sleep(0.3)
        report(2, 400)
        time.sleep(0.3)
    lines = capsys.readouterr().err.splitlines()
    assert "best - static: 1 of 400 games, 3 moves (0:00 so far)" in lines
    rated = r"best - static: 2 of 400 games, [0-9.]+ games/(s|min), [0-9]+:[0-9]{2} left \(0:00 so far\)"
    assert any(re.fullmatch(rated, line) for line in lines), lines


def test_stages_without_a_terminal_are_printed_as_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.05)
    with build_progress("Building the tables of twl06") as report:
        time.sleep(0.2)
        assert not capsys.readouterr().err
        report("words", 0.25)
        time.sleep(0.2)
    first, *others = capsys.readouterr().err.splitlines()
    assert first == "Building the tables of twl06"
    assert "Building the tables of twl06: words, 25 % (0:00 so far)" in others


def test_short_work_without_a_terminal_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with steps_progress("Measuring", "passes") as report:
        report(1, 1)
    assert not capsys.readouterr().err


def test_ctrl_c_ends_a_match_whose_searches_would_take_hours(tmp_path: Path) -> None:
    playable(tmp_path, few_tiles(8, 5))
    program = (
        "import sys; from service.cli import main, progress; progress.LINE_SECONDS = 0.1; "
        "sys.argv[1:] = 'match monte_carlo,iterations=100000000,confidence=0 greedy --lexicon few8'.split(); "
        "main()"
    )
    environment = {**os.environ, "KIBITZ_DATA": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", program], env=environment, cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    assert "0 of 1000 games" in process.stderr.readline() + process.stderr.readline()
    time.sleep(1)  # the search of the first move runs
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
