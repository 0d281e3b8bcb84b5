"""Whether the tiles of a board hang together, as every board that was really played does."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.errors import Fault
from engine.position.coordinates import format_square

if TYPE_CHECKING:
    from engine.position.board import Board
    from engine.rules import BoardLayout

MAX_NAMED: Final = 8
"""The most squares that one message names."""

TO_BIT: Final = b"0" + b"1" * 255


def connection_faults(board: Board, layout: BoardLayout) -> list[Fault]:
    """Find a start square left empty, a lone tile, and tiles not connected to the covered start square.

    The board's squares are one large integer, first square in the highest bit, and the connected tiles
    grow from the start square by shifts until nothing is added.
    """
    squares, side = board.squares, board.side
    tiles = int(squares.translate(TO_BIT), 2)
    if not tiles:
        return []
    last = side * side - 1
    count = tiles.bit_count()
    if count == 1:
        name = format_square(*divmod(last - tiles.bit_length() + 1, side))
        return [
            Fault("lone_tile", f"the board holds a single tile, at {name}: no word has one letter", "board")
        ]
    covered = [bit for row, column in layout.starts if tiles & (bit := 1 << (last - row * side - column))]
    if not covered:
        names = " or ".join(format_square(row, column) for row, column in layout.starts[:MAX_NAMED])
        return [Fault("start_not_covered", f"no tile covers the start square {names}", "board")]
    floating = tiles & ~_connected(covered[0], tiles, side)
    if not floating:
        return []
    places = [last - bit for bit in range(last, -1, -1) if floating >> bit & 1]
    named = ", ".join(format_square(*divmod(place, side)) for place in places[:MAX_NAMED])
    more = f" and {len(places) - MAX_NAMED} more" if len(places) > MAX_NAMED else ""
    row, column = divmod(places[0], side)
    detail = f"tiles float unconnected to the start square: {named}{more}"
    return [Fault("floating_tiles", detail, f"board/{row}/{column}")]


def _connected(seed: int, tiles: int, side: int) -> int:
    not_first, not_last = _column_masks(side)
    while True:
        beside = (seed << 1) & not_last | (seed >> 1) & not_first
        grown = (seed | seed << side | seed >> side | beside) & tiles
        if grown == seed:
            return seed
        seed = grown


@lru_cache(maxsize=32)
def _column_masks(side: int) -> tuple[int, int]:
    """Return the squares outside the first column and those outside the last one."""
    not_first = int(("0" + "1" * (side - 1)) * side, 2)
    not_last = int(("1" * (side - 1) + "0") * side, 2)
    return not_first, not_last
