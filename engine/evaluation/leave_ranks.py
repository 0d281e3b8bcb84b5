"""The ranks of leaves: a number for every multiset of up to six tiles that the full bag can deal.

English has 914,625 of them, the empty one included. leave_ranks.h describes how a rank follows from the
letters of a leave.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.rules import TileSet

LEAVE_TILES: Final = 6
"""Tiles of the largest leave that has a rank."""

_MAX_CODES: Final = 64  # LETTER_CAPACITY in geometry.h


class LeaveRanks:
    """Hold the ranks of all leaves of one tile set.

    `base[n]`: the rank of the first leave of n tiles; `base[7]`: the number of all leaves.
    `offset[code, tiles of this code and higher, copies]`: what the copies of a code add to the rank.
    """

    def __init__(self, tile_set: TileSet) -> None:
        self._limits = [min(count, LEAVE_TILES) for count in tile_set.counts]
        codes = len(self._limits)
        ways = np.zeros((codes + 1, LEAVE_TILES + 1), np.int64)  # multisets of a size, of codes from here on
        ways[codes, 0] = 1
        self.offset = np.zeros((_MAX_CODES, LEAVE_TILES + 1, LEAVE_TILES + 1), np.uint32)
        for code in reversed(range(codes)):
            for size in range(LEAVE_TILES + 1):
                before = 0
                for copies in range(min(self._limits[code], size) + 1):
                    self.offset[code, size, copies] = before
                    before += int(ways[code + 1, size - copies])
                ways[code, size] = before
        self.base = np.concatenate([[0], np.cumsum(ways[0])]).astype(np.uint32)

    def __len__(self) -> int:
        return int(self.base[LEAVE_TILES + 1])

    def of(self, leaves: NDArray[np.uint8]) -> NDArray[np.uint32]:
        """Return the rank of each leave; `leaves`: one a row, all of one size, codes ascending."""
        size = leaves.shape[1]
        ranks = np.full(len(leaves), self.base[size], np.int64)
        start = np.zeros(len(leaves), np.intp)
        for i in range(size):
            if i:
                start = np.where(leaves[:, i] == leaves[:, i - 1], start, i)
            row = self.offset[leaves[:, i], size - start].astype(np.int64)
            copies = i - start + 1
            each = np.arange(len(leaves))
            ranks += row[each, copies] - row[each, copies - 1]
        return ranks.astype(np.uint32)

    def rank(self, leave: bytes) -> int:
        """Return the rank of one leave, its codes in any order.

        Raises ValueError for more than six tiles, or more of a tile than the set has.
        """
        if len(leave) > LEAVE_TILES or any(leave.count(code) > self._limits[code] for code in set(leave)):
            raise ValueError("the leave is not one of the tile set")
        return int(self.of(np.array([sorted(leave)], np.uint8).reshape(1, len(leave)))[0])

    @cached_property
    def leaves(self) -> tuple[NDArray[np.uint8], ...]:
        """All leaves by size, 0 to 6: one a row in the order of the ranks, codes ascending."""
        found: dict[tuple[int, int], NDArray[np.uint8]] = {}

        def of_codes(code: int, size: int) -> NDArray[np.uint8]:
            if (code, size) in found:
                return found[code, size]
            if code == len(self._limits):
                rows = np.empty((int(size == 0), size), np.uint8)
            else:
                parts = []
                for copies in range(min(self._limits[code], size) + 1):
                    rest = of_codes(code + 1, size - copies)
                    parts.append(np.hstack([np.full((len(rest), copies), code, np.uint8), rest]))
                rows = np.vstack(parts)
            found[code, size] = rows
            return rows

        return tuple(of_codes(0, size) for size in range(LEAVE_TILES + 1))


@lru_cache(maxsize=4)
def leave_ranks(tile_set: TileSet) -> LeaveRanks:
    """Return the ranks of the leaves of a tile set, from a cache."""
    return LeaveRanks(tile_set)
