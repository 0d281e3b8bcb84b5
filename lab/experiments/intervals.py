"""The number of intervals of a board, independent of rack and lexicon."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lab.generators.intervals import board_intervals

if TYPE_CHECKING:
    from engine import Position


def interval_counts(position: Position) -> Counter[int]:
    """Return the number of intervals of a board by the number of runs of tiles in them.

    A run is an internal word of its interval, unless it is a phony. Source: [Sanchez2025], section 4.2.
    """
    intervals = board_intervals(position.board, position.layout, position.rules.rack_size)
    return Counter(len(interval.runs) for interval in intervals)
