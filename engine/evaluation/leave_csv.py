"""Leave tables as text: read and write lines of the form "leave,value"."""

from __future__ import annotations

import csv
import math
from typing import TYPE_CHECKING, Final, TextIO

import numpy as np

from engine.errors import InvalidInput, excerpt, message_of
from engine.evaluation.leave_ranks import LEAVE_TILES, leave_ranks
from engine.evaluation.leave_table import LARGEST, LeaveTable
from engine.messages import Text, message
from engine.position import Rack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.rules import TileSet

HEADING: Final = ["leave", "value"]
PROGRESS_ROWS: Final = 1 << 14
"""Progress is reported after this many rows."""


def read_leave_csv(
    stream: TextIO, tile_set: TileSet, progress: Callable[[int, int], None] | None = None
) -> tuple[LeaveTable, int]:
    """Read a leave table; return it and the number of leaves that the text names.

    A line holds a leave of one to six tiles ("?" for a blank, tiles of several letters as the tile set
    writes them, in any order) and its value in points; the heading "leave,value" may be missing. Other leaves
    follow from those named (`LeaveTable.of_named`). `progress` is called with the number of leaves read and
    of those that the tile set has. Raises InvalidInput (code "bad_leave_table") with the number of the line
    and what is wrong: a tile that the set lacks, more of a tile than it has, a leave named twice, a value
    that is not a number of points.
    """
    of_sizes = _named_values(stream, tile_set, progress)
    named = [
        (np.frombuffer(b"".join(found), np.uint8).reshape(-1, size), list(found.values()))
        for size, found in enumerate(of_sizes)
        if found
    ]
    return LeaveTable.of_named(tile_set, named), sum(map(len, of_sizes))


def _named_values(
    stream: TextIO, tile_set: TileSet, progress: Callable[[int, int], None] | None
) -> list[dict[bytes, float]]:
    """Return the values of the leaves that a text names, by the number of tiles, in points."""
    total = len(leave_ranks(tile_set)) - 1
    of_sizes: list[dict[bytes, float]] = [{} for _ in range(LEAVE_TILES + 1)]
    named = 0
    rows = csv.reader(stream)
    try:
        for row in rows:
            if not row or (rows.line_num == 1 and row == HEADING):
                continue
            leave, value = _row(row, tile_set)
            if leave in of_sizes[len(leave)]:
                raise ValueError(Text("the leave '{leave}' is named twice", leave=excerpt(row[0])))
            of_sizes[len(leave)][leave] = value
            named += 1
            if progress is not None and named % PROGRESS_ROWS == 0:
                progress(named, total)
        if not named:
            raise ValueError(Text("the text names no leave"))
        if progress is not None:
            progress(named, total)
    except (ValueError, csv.Error) as error:
        raise InvalidInput(
            Text("line {line} of the leave table: {reason}", line=rows.line_num, reason=message_of(error)),
            code="bad_leave_table",
            field="leaves",
        ) from error
    return of_sizes


def _row(row: list[str], tile_set: TileSet) -> tuple[bytes, float]:
    """Return the tiles of a row in ascending order, and its value in points."""
    if len(row) != len(HEADING):
        raise ValueError(Text("a line has two parts: leave,value"))
    try:
        leave = Rack.from_text(row[0].strip(), tile_set.alphabet).tiles
    except InvalidInput as error:
        raise ValueError(error.message) from error
    if not 1 <= len(leave) <= LEAVE_TILES:
        template = message("the leave '{leave}' has {count} tiles, not one to six")
        raise ValueError(Text(template, leave=excerpt(row[0]), count=len(leave)))
    for code in set(leave):
        if leave.count(code) > tile_set.counts[code]:
            letter = tile_set.alphabet.text([code])
            raise ValueError(
                Text(
                    "the leave '{leave}' has more of {letter} than the {count} of the set",
                    leave=excerpt(row[0]),
                    letter=letter,
                    count=tile_set.counts[code],
                )
            )
    try:
        value = float(row[1])
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or abs(value) > LARGEST:
        template = message("'{text}' is no value from -{most} to {most} points")
        raise ValueError(Text(template, text=excerpt(row[1]), most=LARGEST))
    return leave, value


def leave_csv(table: LeaveTable) -> Iterator[str]:
    """Yield the lines of a table: the heading, then every leave in the order of the ranks."""
    alphabet = table.tile_set.alphabet
    yield ",".join(HEADING)
    for size in range(1, LEAVE_TILES + 1):
        first = int(table.ranks.base[size])
        for place, leave in enumerate(table.ranks.leaves[size].tolist()):
            yield f"{alphabet.text(leave)},{int(table.values[first + place]) / 100:.2f}"
