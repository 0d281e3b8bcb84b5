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
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.evaluation.leave_ranks import LeaveRanks
    from engine.rules import TileSet

HEADING: Final = ["leave", "value"]


def read_leave_csv(stream: TextIO, tile_set: TileSet) -> tuple[LeaveTable, int]:
    """Read a leave table; return it and the number of leaves that the text names.

    A line holds a leave of one to six tiles ("?" for a blank, tiles of several letters as the tile set
    writes them, in any order) and its value in points; the heading "leave,value" may be missing. A single
    tile that is not named has the value 0. Any other leave of n tiles that is not named gets the mean of the
    leaves one tile smaller times n / (n - 1): exact if the value of a leave is the sum of the values of its
    tiles. Raises InvalidInput (code "bad_leave_table") with the number of the line and what is wrong: a tile
    that the set lacks, more of a tile than it has, a leave named twice, a value that is not a number of
    points.
    """
    ranks = leave_ranks(tile_set)
    values: NDArray[np.float64] = np.full(len(ranks), np.nan)
    values[0] = 0.0
    rows = csv.reader(stream)
    named = 0
    try:
        for row in rows:
            if not row or (rows.line_num == 1 and row == HEADING):
                continue
            rank, value = _row(row, tile_set, ranks)
            if not np.isnan(values[rank]):
                raise ValueError(Text("the leave '{leave}' is named twice", leave=excerpt(row[0])))
            values[rank] = value
            named += 1
        if not named:
            raise ValueError(Text("the text names no leave"))
    except (ValueError, csv.Error) as error:
        raise InvalidInput(
            Text("line {line} of the leave table: {reason}", line=rows.line_num, reason=message_of(error)),
            code="bad_leave_table",
            field="leaves",
        ) from error
    for size in range(1, LEAVE_TILES + 1):
        own = np.arange(int(ranks.base[size]), int(ranks.base[size + 1]))
        missing = own[np.isnan(values[own])]
        if size == 1 or not len(missing):
            values[missing] = 0.0
            continue
        leaves = ranks.leaves[size][missing - int(ranks.base[size])]
        smaller = np.column_stack([values[ranks.of(np.delete(leaves, i, axis=1))] for i in range(size)])
        values[missing] = smaller.mean(axis=1) * size / (size - 1)
    hundredths = np.rint(100 * np.clip(values, -LARGEST, LARGEST)).astype(np.int16)
    return LeaveTable(tile_set, hundredths, meta={"imported": named}), named


def _row(row: list[str], tile_set: TileSet, ranks: LeaveRanks) -> tuple[int, float]:
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
    return ranks.rank(leave), value


def leave_csv(table: LeaveTable) -> Iterator[str]:
    """Yield the lines of a table: the heading, then every leave in the order of the ranks."""
    alphabet = table.tile_set.alphabet
    yield ",".join(HEADING)
    for size in range(1, LEAVE_TILES + 1):
        first = int(table.ranks.base[size])
        for place, leave in enumerate(table.ranks.leaves[size].tolist()):
            yield f"{alphabet.text(leave)},{int(table.values[first + place]) / 100:.2f}"
