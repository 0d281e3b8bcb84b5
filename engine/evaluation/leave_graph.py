"""KLV: leave tables of Macondo, wolges and Woogles, read and written.

A file holds the number of nodes of a graph (`lexicon.word_lists.word_graph`), the nodes, the number of leaves
and their values in points, in the order of the graph: as float32 in KLV2, in KLV1 as int16, in 256ths. All
numbers are little-endian, those of nodes and leaves have 32 bits. Source: the files of these programs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from engine.errors import InvalidInput, message_of
from engine.evaluation.leave_ranks import LEAVE_TILES, leave_ranks
from engine.evaluation.leave_table import LeaveTable
from engine.lexicon.word_lists.word_graph import entry_graph, graph_entries, graph_nodes
from engine.messages import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.rules import TileSet

COUNT: Final = 4
"""Bytes of the number of nodes, and of that of leaves."""

KLV1_UNIT: Final = 256


def read_leave_graph(data: bytes, tile_set: TileSet) -> tuple[LeaveTable, int]:
    """Read a leave table; return it and the number of leaves that it names.

    Other leaves follow from those named (`LeaveTable.of_named`); values have hundredths of a point. Raises
    InvalidInput (code "bad_leave_table") for a file that is damaged or of another tile set.
    """
    try:
        leaves, values = _named(data)
        _check_tiles(leaves, tile_set)
    except ValueError as error:
        raise InvalidInput(
            Text("the leaves cannot be read: {reason}", reason=message_of(error)),
            code="bad_leave_table",
            field="leaves",
        ) from None
    sizes = np.count_nonzero(leaves, axis=1)
    named = [
        (leaves[sizes == size, :size] - np.uint8(1), values[sizes == size].tolist())
        for size in range(1, LEAVE_TILES + 1)
    ]
    return LeaveTable.of_named(tile_set, named), len(leaves)


def _named(data: bytes) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return the leaves as `graph_entries` returns them, and their values."""
    end = COUNT + COUNT * int.from_bytes(data[:COUNT], "little")
    count = int.from_bytes(data[end : end + COUNT], "little")
    of_values = data[end + COUNT :]
    if len(of_values) not in (4 * count, 2 * count) or not count:
        raise ValueError(Text("the file is incomplete, or holds no leaves"))
    leaves = graph_entries(graph_nodes(data[COUNT:end]))
    if len(leaves) != count:
        raise ValueError(Text("{count} values for {leaves} leaves", count=count, leaves=len(leaves)))
    if len(of_values) == 2 * count:
        return leaves, np.frombuffer(of_values, "<i2") / KLV1_UNIT
    values = np.frombuffer(of_values, "<f4").astype(np.float64)
    if not np.isfinite(values).all():
        raise ValueError(Text("a value is not a number"))
    return leaves, values


def _check_tiles(leaves: NDArray[np.uint8], tile_set: TileSet) -> None:
    """Raise ValueError unless the tile set can deal each leave."""
    if leaves.shape[1] > LEAVE_TILES:
        raise ValueError(Text("a leave has {count} tiles, more than six", count=leaves.shape[1]))
    if leaves.max() > len(tile_set.counts):
        raise ValueError(
            Text("the tile set {id} has no tile {tile}", tile=int(leaves.max()) - 1, id=tile_set.id)
        )
    for code, most in enumerate(tile_set.counts):
        copies = (leaves == code + 1).sum(axis=1).max()
        if copies > most:
            letter = tile_set.alphabet.text([code])
            raise ValueError(
                Text("a leave has more of {letter} than the {count} of the set", letter=letter, count=most)
            )


def leave_graph(table: LeaveTable) -> bytes:
    """Return a table as KLV2."""
    ranks = leave_ranks(table.tile_set)
    parts = []
    for leaves in ranks.leaves[1:]:
        part = np.zeros((len(leaves), LEAVE_TILES), np.uint8)
        part[:, : leaves.shape[1]] = leaves + np.uint8(1)
        parts.append(part)
    entries, values = np.vstack(parts), table.values[1:] / np.float32(100)
    order = np.lexsort(entries.T[::-1])
    nodes = entry_graph(entries)
    counts = [number.to_bytes(COUNT, "little") for number in (len(nodes) // COUNT, len(values))]
    return b"".join([counts[0], nodes, counts[1], values[order].astype("<f4").tobytes()])
