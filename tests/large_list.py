"""The largest English word list available, with positions whose plays other programs have counted."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent
SCOWL80 = TESTS.parent / "lexicons" / "scowl80" / "words.txt.xz"
ENDGAMES, PREENDGAMES = (
    TESTS / "golden" / f"{phase}_published.jsonl" for phase in ("endgames", "preendgames")
)
"""Positions with the value or the best move that other programs, or people, have published."""
FIGURES = ("plays", "exchanges", "top_score", "sum_of_scores", "moves_sha256")


@dataclass(frozen=True)
class LargeList:
    """A word list, positions with the figures of their plays, and the CGPs of greedy games with it."""

    id: str
    words: Path
    counted: list[dict[str, Any]]
    greedy: list[dict[str, str]]

    def cgps(self) -> list[str]:
        """Return the CGPs of all positions."""
        return [line["cgp"] for line in (*self.counted, *self.greedy)]


def twl06(folder: Path) -> LargeList:
    """Return TWL06, with the positions on which two independent engines agree."""
    positions = folder / "positions"
    counted = json_lines(positions / "oracle_twl06.jsonl") + json_lines(
        positions / "oracle_seed_cases_twl06.jsonl"
    )
    greedy = _rows(positions / "greedy_twl06.tsv")
    assert (len(counted), len(greedy)) == (249 + 6, 7_560)
    return LargeList("twl06", folder / "lexica" / "twl06.txt", counted, greedy)


def scowl80() -> LargeList:
    """Return the bundled list, with the positions that the slow reference generator counted."""
    rows: list[dict[str, Any]] = [*_rows(TESTS / "golden" / "scowl80.tsv")]
    counted = [row | {name: int(row[name]) for name in FIGURES[:-1]} for row in rows]
    greedy = _rows(TESTS / "golden" / "greedy_games.tsv")
    assert (len(counted), len(greedy)) == (81, 326)
    return LargeList("scowl80", SCOWL80, counted, greedy)


def published(line: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of a position that are known."""
    return {name: line[name] for name in FIGURES if name in line}


def json_lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file with one on each line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
