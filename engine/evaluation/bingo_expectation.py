"""Delta sets: which septets and reduced octets can be played as a bingo on a board.

Heuri's delta_i is 1 if some play of exactly those seven tiles is legal, through any number of tiles on the
board. A delta set belongs to one loaded board, does not depend on a rack, and is cached beside the board.

Source: [Heuri, section 7.4.1].
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.evaluation.bingo_table import BingoTable
    from engine.loaded_board import LoadedBoard

_MAGIC: Final = b"KBDELTA1"


class DeltaSet:
    """Hold the entries of a bingo table that can be played on one board; immutable.

    `board_key`: `LoadedBoard.key`; `limbs`: a bit set over the entries of the table.
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
            finder = table.kernels.DeltaFinder(table.kernel)
        try:
            return cls(table, board.key, finder.compute(board.kernel))
        finally:
            idle.append(finder)

    @cached_property
    def flags(self) -> NDArray[np.bool_]:
        """Whether each entry can be played; False for the entries that the bag cannot deal."""
        bits = np.unpackbits(self.limbs.view(np.uint8), bitorder="little").astype(bool)
        return bits & self.table.counted

    @property
    def count(self) -> int:
        """The number of septets and reduced octets that can be played."""
        return int(self.flags.sum())

    def __contains__(self, tiles: bytes) -> bool:
        """Tell whether seven tile codes (0 = blank) are an entry and can be played as a bingo."""
        entry = self.table.entry(tiles)
        return entry >= 0 and bool(self.flags[entry])

    def to_bytes(self) -> bytes:
        """Return the set as bytes, with the keys of the board and the table and a checksum."""
        body = bytes.fromhex(self.board_key) + bytes.fromhex(self.table.sha256) + self.limbs.tobytes()
        return _MAGIC + hashlib.sha256(body).digest() + body

    @classmethod
    def from_bytes(cls, data: bytes, board_key: str, table: BingoTable) -> DeltaSet | None:
        """Return the set that `to_bytes` wrote, or None if the bytes are damaged or belong to another
        board."""
        head = len(_MAGIC) + 32
        names = bytes.fromhex(board_key) + bytes.fromhex(table.sha256)
        size = 8 * (len(table.keys) // 64)
        if len(data) != head + len(names) + size or data[: len(_MAGIC)] != _MAGIC:
            return None
        body = data[head:]
        if hashlib.sha256(body).digest() != data[len(_MAGIC) : head] or not body.startswith(names):
            return None
        return cls(table, board_key, np.frombuffer(body[len(names) :], np.uint64))
