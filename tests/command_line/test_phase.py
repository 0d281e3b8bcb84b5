"""`kibitz analyze --phase`, Ctrl-C, and `kibitz bench deadline`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from benchmarks.measurements.deadline import summary
from engine import PREENDGAME_OPPONENTS, SIMULATIONS
from service.resources.examples import BY_ENDGAME, BY_PREENDGAME, CGP

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue
    from tests.command_line.conftest import Run

# Sends itself Ctrl-C at the first progress report of a search; only once, as a second one ends the command.
# The handler is set because a shell that starts the tests with & makes their children ignore SIGINT.
_INTERRUPTED = """
import os, signal, sys
from contextlib import contextmanager
from kibitz.cli import kibitz, {command}

signal.signal(signal.SIGINT, signal.default_int_handler)

@contextmanager
def interrupting(position):
    presses = iter([signal.SIGINT])
    yield lambda progress: [os.kill(os.getpid(), number) for number in presses]

{command}.live_search = interrupting
kibitz(sys.argv[1:])
"""


def test_the_bag_chooses_the_search(run: Run) -> None:
    few = ("--candidates", "2", "--iterations", "40", "--nodes", "200", "--table-mb", "1", "--top", "2")
    for cgp, phase, shown in (
        (CGP, "simulate", "simulation: 40 of 40 iterations"),
        (BY_PREENDGAME["cgp"], "preendgame", " of 200 positions, stopped: positions used up"),
        (BY_ENDGAME["cgp"], "endgame", "endgame: "),
    ):
        done = run("analyze", cgp, "--phase", "auto", *few)
        assert done.exit_code == 0, done.output
        assert shown in done.stdout
        assert json.loads(run("analyze", cgp, f"--{phase}", *_own(phase), "--json").stdout)["phase"] == phase


def _own(phase: str) -> tuple[str, ...]:
    return ("--iterations", "40") if phase == "simulate" else ("--nodes", "50")


def test_an_option_of_a_search_that_is_not_wanted_is_refused(run: Run) -> None:
    done = run("analyze", CGP, "--nodes", "5", "--simulate", "quackle")
    assert done.exit_code == 2
    assert "--nodes needs --preendgame or --endgame, or --phase." in done.stderr
    done = run("analyze", CGP, "--cgp", CGP)
    assert done.exit_code == 2
    assert "Give one position" in done.stderr


@pytest.mark.process
def test_ctrl_c_shows_the_result_so_far(bundled: Catalogue) -> None:
    commands = (
        ("analyze", CGP, "--simulate", "quackle", "--iterations", "100000000"),
        ("preendgame", BY_PREENDGAME["cgp"], "--lexicon", "scowl80", "--max-ms", "600000"),
    )
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-c", _INTERRUPTED.format(command=command[0]), *command, "--json"],
            env={**os.environ, "KIBITZ_DATA": str(bundled.data_directory)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 130, done.stderr
        assert "Traceback" not in done.stderr
        assert json.loads(done.stdout)["moves"]


@pytest.mark.process
def test_overshoots_of_every_phase(run: Run) -> None:
    asked = ("--count", "1", "--max-ms", "5", "--neighbours", "1", "--json")
    done = run("bench", "deadline", "--lexicon", "scowl80", *asked)
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    names = [line["kind"] for line in report["answers"]]
    methods = {
        "simulate": SIMULATIONS,
        "preendgame": [*PREENDGAME_OPPONENTS, "static"],
        "endgame": ["exact"],
    }
    assert names == ["plain", *(f"{phase} {one}" for phase, ones in methods.items() for one in ones)]
    for name in names:
        assert report["overshoot_ms"][name] == report["overshoot_ms"][f"{name} 5 ms"]
        assert report["overshoot_ms"][name]["answers"] == 1
    assert report["overshoot_ms"]["all"]["answers"] == len(names) - 1
    bags = {line["kind"]: line["bag"] for line in report["answers"]}
    assert (bags["preendgame rational"], bags["preendgame static"], bags["endgame exact"]) == (1, 3, 0)


def test_the_figures_are_those_of_the_answers() -> None:
    lines = [{"kind": "endgame", "max_ms": 20, "late_ms": float(at - 50), "cut": at % 2} for at in range(200)]
    figures = summary(lines)
    assert figures["all"] == figures["endgame 20 ms"] == figures["endgame"]
    assert figures["all"] == {"answers": 200, "cut": 100, "p50": 50.0, "p99": 147.0, "most": 149.0}
