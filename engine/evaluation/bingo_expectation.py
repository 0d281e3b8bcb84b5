"""Delta sets: which septets and reduced octets can be played as a bingo on a board, of whatever length.

Heuri's delta_i is 1 if some play of exactly those seven tiles is legal, through as many tiles of the board
as it takes. A delta set belongs to one loaded board, depends on no rack, and is stored beside the board's
bytes.

Source: thesis 003, section 7.4.1; systems.md B and E.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.evaluation.bingo_table import KERNELS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.evaluation.bingo_table import BingoTable
    from engine.loaded_board import LoadedBoard

_MAGIC: Final = b"KBDELTA1"


class DeltaSet:
    """The entries of a bingo table that are playable on one board; immutable.

    `board_key` names the board (`LoadedBoard.key`), `limbs` is a bit set over the table's entries.
    """

    def __init__(self, table: BingoTable, board_key: str, limbs: NDArray[np.uint64]) -> None:
        self.table = table
        self.board_key = board_key
        self.limbs = limbs

    @classmethod
    def compute(cls, board: LoadedBoard, table: BingoTable) -> DeltaSet:
        """Compute the delta set of a board.

        Raises ValueError if the board was loaded with another lexicon than the table's.
        """
        idle = table.idle_finders
        try:
            finder = idle.pop()
        except IndexError:
            finder = KERNELS[table.geometry].DeltaFinder(table.kernel)
        try:
            return cls(table, board.key, finder.compute(board.kernel))
        finally:
            idle.append(finder)

    @cached_property
    def flags(self) -> NDArray[np.bool_]:
        """One truth value an entry; those that the bag cannot deal are False."""
        bits = np.unpackbits(self.limbs.view(np.uint8), bitorder="little").astype(bool)
        return bits & self.table.counted

    @property
    def count(self) -> int:
        """The seed's N(board): how many septets and reduced octets are playable."""
        return int(self.flags.sum())

    def __contains__(self, tiles: bytes) -> bool:
        """Tell whether seven tile codes (0 = blank) are an entry and can be played as a bingo."""
        entry = self.table.entry(tiles)
        return entry >= 0 and bool(self.flags[entry])

    def to_bytes(self) -> bytes:
        """Return the set as bytes that carry the keys of the board and the table, and a checksum."""
        body = bytes.fromhex(self.board_key) + bytes.fromhex(self.table.sha256) + self.limbs.tobytes()
        return _MAGIC + hashlib.sha256(body).digest() + body

    @classmethod
    def from_bytes(cls, data: bytes, board_key: str, table: BingoTable) -> DeltaSet | None:
        """Return the set that `to_bytes` wrote, or None if the bytes are damaged or not of this board."""
        head = len(_MAGIC) + 32
        names = bytes.fromhex(board_key) + bytes.fromhex(table.sha256)
        size = 8 * (len(table.keys) // 64)
        if len(data) != head + len(names) + size or data[: len(_MAGIC)] != _MAGIC:
            return None
        body = data[head:]
        if hashlib.sha256(body).digest() != data[len(_MAGIC) : head] or not body.startswith(names):
            return None
        return cls(table, board_key, np.frombuffer(body[len(names) :], np.uint64))
