"""Times of internal_words by the threshold between high and low level, from 0 to infinity.

Source: [Sanchez2025], section 5.6, and its recommendations: the best value by lexicon and stage, and a
threshold that is not fixed.
"""

from __future__ import annotations

import time
from collections import defaultdict
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import orjson

from engine import NO_LOW_LEVEL, InternalWords
from engine.lexicon.queries.statistics import list_frequencies
from lab.experiments.journal import Journal, write_file
from lab.measurements.movegen import collector_off
from lab.selfplay.greedy_games import greedy_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from engine import Lexicon, Position

STAGES: Final = ("opening", "middle", "end")
STAGE_LIMITS: Final = (30, 70)  # tiles on the board from which the middle and the end begin
PASSES: Final = 4  # of every threshold over a game; the least time of a position counts


class Threshold(NamedTuple):
    """Hold a threshold: `relative` words for each multiset that the low level would look up, plus `fixed`
    words.
    """

    kind: str
    name: str
    relative: int
    fixed: int


THRESHOLDS: Final = (
    *(Threshold("relative", str(n), n, 0) for n in (0, 1, 2, 4, 8, 16, 32, 64, 128)),
    Threshold("relative", "never", NO_LOW_LEVEL, 0),
    *(Threshold("fixed", str(n), 0, n) for n in (0, 3, 10, 30, 100, 300, 1000, 3000)),
    Threshold("fixed", "never", 0, NO_LOW_LEVEL),
    *(
        Threshold("both", f"{fixed} + {each} each", each, fixed)
        for fixed, each in ((64, 8), (256, 8), (256, 16))
    ),
)


def run_threshold(
    lexicon: Lexicon,
    games: int,
    seed: int,
    output: Path,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Measure every threshold on every position of greedy games, write threshold.json, and return the report.

    Means in microseconds by stage (tiles on the board) and by blanks on the rack; all thresholds go through a
    game in turns. `entries` holds the sizes of the thesis's two tables for fixed thresholds from 1 to 30.
    """
    heading = {
        "experiment": "threshold",
        "format": 1,
        "lexicon": lexicon.sha256,
        "seed": seed,
        "settings": [list(threshold) for threshold in THRESHOLDS],
    }
    journal = Journal(output / "threshold.games.jsonl", heading)
    searches = [
        InternalWords(lexicon, threshold=threshold.relative, fixed_threshold=threshold.fixed)
        for threshold in THRESHOLDS
    ]
    progress(len(journal.games), games)
    for number in journal.left(games):
        journal.add(_measured(lexicon, searches, seed, number))
        progress(len(journal.games), games)
    turns = [turn for game in journal.games[:games] for turn in game["turns"]]
    report = {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256, "words": lexicon.word_count},
        "vector_path": searches[0].simd,
        "seed": seed,
        "games": min(games, len(journal.games)),
        "positions": len(turns),
        "stages": list(STAGES),
        "times": [{**each._asdict(), "us": _by_stage(turns, index)} for index, each in enumerate(THRESHOLDS)],
        "entries": threshold_entries(lexicon, range(1, 31)),
    }
    write_file(output / "threshold.json", orjson.dumps(report, option=orjson.OPT_INDENT_2))
    return report


def _measured(lexicon: Lexicon, searches: list[InternalWords], seed: int, number: int) -> dict[str, Any]:
    turns = list(greedy_game(lexicon, seed, number))
    clock = time.thread_time_ns  # processor time, which other programs disturb less
    least = [[float("inf")] * len(searches) for _ in turns]
    shift = number % len(searches)
    order = [*range(shift, len(searches)), *range(shift)]
    with collector_off():
        for _ in range(PASSES):
            for index in order:
                generate = searches[index].generate
                for turn, times in zip(turns, least, strict=True):
                    position = turn.position
                    began = clock()
                    plays = generate(turn.board, position.rack, position.rules)
                    times[index] = min(times[index], (clock() - began) / 1000)
                    del plays
    return {
        "game": number,
        "turns": [
            {
                "stage": stage_of(turn.position),
                "blanks": turn.position.rack.tiles.count(0),
                "us": [round(us, 2) for us in times],
            }
            for turn, times in zip(turns, least, strict=True)
        ],
    }


def stage_of(position: Position) -> str:
    """Return the stage of a position, by the tiles on its board."""
    return STAGES[sum(position.board.tile_count >= limit for limit in STAGE_LIMITS)]


def _by_stage(turns: list[dict[str, Any]], index: int) -> dict[str, dict[str, float]]:
    """Return means by stage ("all" too), and in each by blanks ("all" too)."""
    groups: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for turn in turns:
        for stage in (turn["stage"], "all"):
            for blanks in (str(turn["blanks"]), "all"):
                groups[stage][blanks].append(turn["us"][index])
    return {
        stage: {blanks: round(fmean(values), 2) for blanks, values in sorted(by_blanks.items())}
        for stage, by_blanks in groups.items()
    }


def threshold_entries(lexicon: Lexicon, thresholds: Iterable[int]) -> list[dict[str, int]]:
    """Count the entries in the indices of both levels for each threshold ([Sanchez2025], figure 5.6).

    The index of the high level has an entry for each list of at most `threshold` words. That of the low level
    has one for each multiset of tiles that completes a placed internal word to a word of a longer list.
    Intervals without a tile are not counted. Returns dicts with the keys threshold, high and low.
    """
    frequency = list_frequencies(lexicon).astype(np.int64)
    classes = np.empty(lexicon.word_count, np.uint32)
    previous, number = b"", 0
    for word, codes in enumerate(lexicon.words()):  # anagrams have consecutive ids
        letters = bytes(sorted(codes))
        number += letters != previous
        previous = letters
        classes[word] = number
    multisets = np.zeros(len(frequency), np.uint32)
    scan = lexicon.kernels.tables.OccurrenceScan(lexicon.tables)
    scan.count_lists(multisets, 0, lexicon.word_count, classes)
    return [
        {
            "threshold": threshold,
            "high": int(np.count_nonzero((frequency > 0) & (frequency <= threshold))),
            "low": int(multisets[frequency > threshold].sum()),
        }
        for threshold in thresholds
    ]
