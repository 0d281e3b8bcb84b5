"""The order in which a game's tiles are drawn, as tile_order.h has it: from seed and number alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_MASK: Final = 2**64 - 1


class Bag:
    """A shuffled bag; the first seat draws from its front, the second from its back."""

    def __init__(self, counts: Sequence[int], seed: int, number: int) -> None:
        """Fill the bag with the tiles of a set, by code, and shuffle it."""
        self._state = seed
        self._state = (self._next() + number) & _MASK
        self._state = self._next()
        self.tiles = bytearray(code for code, count in enumerate(counts) for _ in range(count))
        for last in range(len(self.tiles) - 1, 0, -1):
            other = self._below(last + 1)
            self.tiles[last], self.tiles[other] = self.tiles[other], self.tiles[last]

    def draw(self, count: int, seat: int) -> bytes:
        """Draw tiles at the end of a seat; the bag must hold them."""
        if seat:
            drawn = bytes(self.tiles[len(self.tiles) - count :])
            del self.tiles[len(self.tiles) - count :]
        else:
            drawn = bytes(self.tiles[:count])
            del self.tiles[:count]
        return drawn

    def put_back(self, tiles: bytes) -> None:
        """Put exchanged tiles back, each at a random place."""
        for tile in tiles:
            self.tiles.insert(self._below(len(self.tiles) + 1), tile)

    def _next(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
        return z ^ z >> 31

    def _below(self, bound: int) -> int:
        return (self._next() >> 32) * bound >> 32
