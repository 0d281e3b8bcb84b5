"""Times, intervals, candidate words and plays of every generator by move number, over the same greedy games.

Source: [Anagram2018], section 4; [Sanchez2025], chapter 6.
"""

from __future__ import annotations

import csv
import io
import time
from collections import defaultdict
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

import orjson

from lab.experiments.intervals import interval_counts
from lab.experiments.journal import Journal, write_file
from lab.generators import FAST_GENERATORS
from lab.measurements.movegen import Contender, collector_off, contenders
from lab.measurements.samples import Sample
from lab.measurements.seed_racks import seed_rack_times
from lab.selfplay.greedy_games import greedy_game

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from engine import Lexicon

MEASURES: Final = ("us", "intervals", "candidates", "plays")
PASSES: Final = 3  # of every generator over a game; the least time of a position counts


def run_movegen(
    lexicon: Lexicon,
    names: Sequence[str],
    games: int,
    seed: int,
    output: Path,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Play the games, measure every generator on every position, and write movegen.json and movegen.csv.

    Games already in `output`/movegen.games.jsonl are not played again. Returns the report.
    """
    chosen = contenders(lexicon, names)
    labels = [contender.label for contender in chosen]
    heading = {
        "experiment": "movegen",
        "format": 1,
        "lexicon": lexicon.sha256,
        "seed": seed,
        "generators": labels,
    }
    journal = Journal(output / "movegen.games.jsonl", heading)
    progress(len(journal.games), games)
    for number in journal.left(games):
        journal.add(measured_game(lexicon, chosen, seed, number))
        progress(len(journal.games), games)
    fast = [name for name in names if name in FAST_GENERATORS]  # the others take minutes for two blanks
    report = {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256, "words": lexicon.word_count},
        "seed": seed,
        **movegen_report(journal.games[:games], labels),
        "seed_racks": seed_rack_times(lexicon, fast) if lexicon.tile_set.id == "english" else [],
    }
    write_file(output / "movegen.json", orjson.dumps(report, option=orjson.OPT_INDENT_2))
    write_file(output / "movegen.csv", movegen_csv(report).encode())
    return report


def measured_game(lexicon: Lexicon, chosen: Sequence[Contender], seed: int, number: int) -> dict[str, Any]:
    """Play one game and measure every generator on its positions; return a JSON object.

    The generators go through the game one after the other, in a rotating order.
    """
    turns = list(greedy_game(lexicon, seed, number))
    samples = [Sample(turn.number, turn.number, str(number), "", turn.position) for turn in turns]
    clock = time.thread_time_ns  # processor time, which other programs disturb less
    rows: dict[str, list[list[float]]] = {contender.label: [] for contender in chosen}
    shift = number % len(chosen)
    with collector_off():
        for round_number in range(PASSES):
            for contender in [*chosen[shift:], *chosen[:shift]]:
                run = contender.run
                for index, (turn, sample) in enumerate(zip(turns, samples, strict=True)):
                    began = clock()
                    plays = run(turn.board, sample)
                    us = (clock() - began) / 1000
                    if round_number == 0:
                        counts = plays.statistics
                        numbers = (counts.get("intervals", -1), counts.get("candidates", -1), len(plays))
                        rows[contender.label].append([us, *numbers])
                    else:
                        rows[contender.label][index][0] = min(rows[contender.label][index][0], us)
                    del plays
    runs = [interval_counts(turn.position) for turn in turns]
    return {
        "game": number,
        "blanks": [sample.blanks for sample in samples],
        "intervals_by_runs": [[counts[0], counts[1], counts[2], counts.total()] for counts in runs],
        "generators": rows,
    }


def movegen_report(games: Sequence[dict[str, Any]], labels: Sequence[str]) -> dict[str, Any]:
    """Return means by move number and over all turns, None for what a generator does not count."""
    by_move: dict[int, dict[str, list[list[float]]]] = defaultdict(lambda: defaultdict(list))
    boards: dict[int, list[list[int]]] = defaultdict(list)
    for game in games:
        for move, counts in enumerate(game["intervals_by_runs"], 1):
            boards[move].append(counts)
            for label in labels:
                by_move[move][label].append(game["generators"][label][move - 1])
    everything = {label: [row for rows in by_move.values() for row in rows[label]] for label in labels}
    totals = {label: _means(everything[label]) for label in labels}
    first = totals[labels[0]]["us"]
    return {
        "games": len(games),
        "positions": sum(len(rows) for rows in boards.values()),
        "turns_per_game": round(sum(len(rows) for rows in boards.values()) / max(1, len(games)), 2),
        "generators": totals,
        "ratios": {label: round(totals[label]["us"] / first, 3) for label in labels},
        "per_move": [
            {
                "move": move,
                "positions": len(boards[move]),
                "board_intervals": round(fmean(row[3] for row in boards[move]), 2),
                "board_intervals_by_runs": [
                    round(fmean(row[runs] for row in boards[move]), 2) for runs in range(3)
                ],
                "generators": {label: _means(by_move[move][label]) for label in labels},
            }
            for move in sorted(boards)
        ],
    }


def _means(rows: Sequence[Sequence[float]]) -> dict[str, Any]:
    means: dict[str, Any] = {}
    for column, name in enumerate(MEASURES):
        values = [row[column] for row in rows]
        means[name] = round(fmean(values), 3) if min(values) >= 0 else None
    return means


def movegen_csv(report: dict[str, Any]) -> str:
    """Return the means by move number as CSV, a column for each generator and measure."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    labels = list(report["generators"])
    columns = [f"{label}_{name}" for label in labels for name in MEASURES]
    writer.writerow(["move", "positions", "board_intervals", *columns])
    for row in report["per_move"]:
        cells = [row["generators"][label][name] for label in labels for name in MEASURES]
        writer.writerow([row["move"], row["positions"], row["board_intervals"], *cells])
    return text.getvalue()
