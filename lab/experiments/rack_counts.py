"""The numbers of racks, and of pairs of racks, that a bag can deal. Source: [Heuri], appendix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine import TileSet

LARGEST: Final = 7  # tiles of a rack

PRINTED: Final = {
    "spanish": (29, 424, 4_170, 31_056, 186_939, 947_972, 4_167_929),
    "english": (27, 373, 3_509, 25_254, 148_150, 737_311, 3_199_724),
    "french": (27, 371, 3_457, 24_562, 141_871, 693_825, 2_954_029),
}
"""By tile set: the published numbers of racks of 1 to 7 tiles (table A.1)."""

PRINTED_PAIRS: Final = {"spanish": (9.75e12, 9.92e12)}
"""By tile set: the two published estimates of the number of pairs of racks of 7 tiles."""


def rack_counts(tiles: TileSet, largest: int = LARGEST) -> tuple[int, ...]:
    """Return the numbers of distinct racks of 1, 2, ... `largest` tiles that the full bag can deal."""
    ways = [1] + [0] * largest
    for count in tiles.counts:
        ways = [sum(ways[max(0, size - count) : size + 1]) for size in range(largest + 1)]
    return tuple(ways[1:])


def rack_pairs(tiles: TileSet, size: int = LARGEST) -> int:
    """Return the number of distinct pairs of racks, the first and the second player's, of `size` tiles each.

    It is the coefficient of x^size y^size in the product, over all tiles, of the sums of x^i y^j with i + j
    up to the number of such tiles in the bag.
    """
    ways = {(0, 0): 1}
    for count in tiles.counts:
        more: dict[tuple[int, int], int] = {}
        for (first, second), number in ways.items():
            for i in range(min(count, size - first) + 1):
                for j in range(min(count - i, size - second) + 1):
                    key = first + i, second + j
                    more[key] = more.get(key, 0) + number
        ways = more
    return ways.get((size, size), 0)
