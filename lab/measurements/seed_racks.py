"""Six positions with published times of Heuri and Quackle, timed with our generators.

Source: [Anagram2018], section 4.
"""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine import parse_cgp
from lab.measurements.movegen import collector_off, contenders
from lab.measurements.samples import Sample

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Lexicon


class SeedRack(NamedTuple):
    """Hold a position and its published times in milliseconds."""

    board: str
    rack: str
    heuri_ms: float
    quackle_ms: float


SEED_RACKS: Final = (
    SeedRack("8F ANEROID", "AENRS??", 45.7, 1431.1),
    SeedRack("8F ANEROID", "AEINRS?", 10.9, 297.2),
    SeedRack("8F ANEROID", "AEINRST", 2.1, 25.3),
    SeedRack("empty", "AENRS??", 15.9, 480.7),
    SeedRack("empty", "AEINRS?", 3.4, 96.6),
    SeedRack("empty", "AEINRST", 0.5, 11.5),
)
_ROWS: Final = {"8F ANEROID": "5ANEROID3", "empty": "15"}


def seed_rack_times(
    lexicon: Lexicon, names: Iterable[str], paths: Iterable[str] = (), passes: int = 25
) -> list[dict[str, Any]]:
    """Time the generators on the six positions, in turns, in processor time.

    Returns for each position: board, rack, plays, `us` (median microseconds by generator), heuri_ms and
    quackle_ms.
    """
    chosen = contenders(lexicon, names, ("all",), paths)
    rows = []
    for seed in SEED_RACKS:
        cgp = "/".join(["15"] * 7 + [_ROWS[seed.board]] + ["15"] * 7) + f" {seed.rack}/ 0/0 0"
        sample = Sample(0, 1, seed.board, cgp, parse_cgp(cgp, tile_set=lexicon.tile_set))
        board = sample.load(lexicon)
        times: dict[str, list[int]] = {contender.label: [] for contender in chosen}
        plays = 0
        with collector_off():
            for _ in range(passes):
                for contender in chosen:
                    began = time.thread_time_ns()
                    found = contender.run(board, sample)
                    times[contender.label].append(time.thread_time_ns() - began)
                    plays = len(found)
                    del found
        rows.append(
            {
                "board": seed.board,
                "rack": seed.rack,
                "plays": plays,
                "us": {label: round(statistics.median(spent) / 1000, 2) for label, spent in times.items()},
                "heuri_ms": seed.heuri_ms,
                "quackle_ms": seed.quackle_ms,
            }
        )
    return rows
