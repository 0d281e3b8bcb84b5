"""Servers to break, requests to send meanwhile, and a table of the results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.faults.questions import Question, questions
from tests.service import conftest as service

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from _pytest.terminal import TerminalReporter

    from engine import Lexicon
    from service.settings import Settings

FAULT = "fault"
"""The name of a test's property that holds a row of the table."""

# The small lexicon, the application over it, and a Redis to break are those of the service's tests.
data, settings, app, lexicon, own_redis = (
    service.data,
    service.settings,
    service.app,
    service.lexicon,
    service.own_redis,
)


@pytest.fixture
def fault_row(record_property: Callable[[str, object], None]) -> Callable[[str, int, str], None]:
    """A function that puts a row into the table: what was done, requests sent, failures seen."""

    def row(done: str, requests: int, failures: str) -> None:
        record_property(FAULT, json.dumps([done, requests, failures]))

    return row


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Print the table of faults, whatever processes the tests ran in."""
    rows: list[list[Any]] = []
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            for name, value in getattr(report, "user_properties", []):
                if name == FAULT and report.when == "call":
                    rows.append([*json.loads(value), outcome])
    if not rows:
        return
    rows.sort(key=lambda row: str(row[0]))
    heading = ["what was done", "requests", "failures seen", "test"]
    table = [
        heading,
        *[[done, f"{requests:,}", failures, outcome] for done, requests, failures, outcome in rows],
    ]
    widths = [max(len(row[column]) for row in table) for column in range(4)]
    terminalreporter.section("faults")
    for number, row in enumerate(table):
        terminalreporter.write_line("| " + " | ".join(map(str.ljust, row, widths)) + " |")
        if number == 0:
            terminalreporter.write_line("|" + "|".join("-" * (width + 2) for width in widths) + "|")


@pytest.fixture(scope="session")
def asked(settings: Settings, lexicon: Lexicon) -> list[Question]:
    """Forty questions from all stages of games, with their answers."""
    return questions(settings, lexicon, 40)
