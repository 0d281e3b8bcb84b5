"""Work of the literal Internal-Words Method by its fixed threshold: words read, look-ups, and time.

Source: [Sanchez2025], sections 5.4 and 5.5.4, and chapter 6, where the threshold is 10.
"""

from __future__ import annotations

import time
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

import orjson

from engine import NO_LOW_LEVEL
from lab.experiments.journal import Journal, write_file
from lab.experiments.threshold import STAGES, stage_of, threshold_entries
from lab.generators import generator
from lab.measurements.movegen import collector_off
from lab.selfplay.greedy_games import greedy_game

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine import Lexicon

FIXED: Final = (0, 1, 3, 5, 10, 20, 30, 60, 100, 300, 1000, NO_LOW_LEVEL)
COUNTS: Final = ("intervals", "candidates", "scanned", "lookups")
MEASURES: Final = ("us", *COUNTS)


def run_literal_threshold(
    lexicon: Lexicon,
    games: int,
    seed: int,
    output: Path,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Measure every threshold on the positions of greedy games whose rack has no blank.

    Writes threshold-literal.json and returns the report. It has means by stage: microseconds, and counts of
    intervals considered, candidates, words read by the high level (`scanned`) and look-ups of the low level.
    `entries` holds the sizes of the thesis's two tables for thresholds from 1 to 30. The times are those of
    readable Python.
    """
    heading = {
        "experiment": "threshold-literal",
        "format": 1,
        "lexicon": lexicon.sha256,
        "seed": seed,
        "settings": list(FIXED),
    }
    journal = Journal(output / "threshold-literal.games.jsonl", heading)
    search = generator("literal", lexicon)
    progress(len(journal.games), games)
    for number in journal.left(games):
        journal.add(_measured(lexicon, search, seed, number))
        progress(len(journal.games), games)
    turns = [turn for game in journal.games[:games] for turn in game["turns"]]
    report = {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256, "words": lexicon.word_count},
        "seed": seed,
        "games": min(games, len(journal.games)),
        "positions": len(turns),
        "stages": list(STAGES),
        "thresholds": [
            {"name": threshold_name(threshold), **_by_stage(turns, index)}
            for index, threshold in enumerate(FIXED)
        ],
        "entries": threshold_entries(lexicon, range(1, 31)),
    }
    write_file(output / "threshold-literal.json", orjson.dumps(report, option=orjson.OPT_INDENT_2))
    return report


def threshold_name(threshold: int) -> str:
    """Return the name of a threshold in tables."""
    return "never" if threshold == NO_LOW_LEVEL else str(threshold)


def _measured(lexicon: Lexicon, search: Any, seed: int, number: int) -> dict[str, Any]:
    turns = []
    with collector_off():
        for turn in greedy_game(lexicon, seed, number):
            position = turn.position
            if 0 in position.rack.tiles:
                continue
            rows = []
            for search.threshold in FIXED:
                began = time.perf_counter_ns()
                plays = search.generate(turn.board, position.rack, position.rules)
                us = (time.perf_counter_ns() - began) // 1000
                rows.append([us, *(plays.statistics[name] for name in COUNTS)])
            turns.append({"stage": stage_of(position), "rows": rows})
    return {"game": number, "turns": turns}


def _by_stage(turns: list[dict[str, Any]], index: int) -> dict[str, dict[str, float]]:
    """Return the means of one threshold by stage, "all" too."""
    means = {}
    for stage in (*STAGES, "all"):
        rows = [turn["rows"][index] for turn in turns if stage in ("all", turn["stage"])]
        means[stage] = {
            name: round(fmean(row[column] for row in rows), 1) for column, name in enumerate(MEASURES) if rows
        }
    return means
