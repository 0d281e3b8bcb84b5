"""The number of intervals of a board, independent of rack and lexicon."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import Position


def interval_counts(position: Position) -> Counter[int]:
    """Return the number of intervals of a board by the number of internal words in them.

    An interval is two or more consecutive squares of a line with one to seven empty squares and no tile
    directly before or after it. It holds a tile or has one beside it; on an empty board it covers a start
    square. Source: [Sanchez2025], section 4.2.
    """
    side, squares = position.board.side, position.board.squares
    found: Counter[int] = Counter()
    starts = {row * side + column for row, column in position.layout.starts}
    empty_board = not any(squares)
    for line in range(2 * side):
        along = 1 if line < side else side
        across = side if line < side else 1
        first = line * side if line < side else line - side
        cells = [first + i * along for i in range(side)]
        tiles = [squares[cell] != 0 for cell in cells]
        halo = [
            (cell in starts and (line < side or not position.layout.symmetric))
            if empty_board
            else tiles[i] or _touches(squares, side, cell, across)
            for i, cell in enumerate(cells)
        ]
        for start in range(side - 1):
            if start and tiles[start - 1]:
                continue
            empties = runs = 0
            touched = False
            for end in range(start, side):
                touched = touched or halo[end]
                if tiles[end]:
                    runs += end == start or not tiles[end - 1]
                else:
                    empties += 1
                    if empties > position.rules.rack_size:
                        break
                closed = end == side - 1 or not tiles[end + 1]
                if closed and touched and empties and end > start:
                    found[runs] += 1
    return found


def _touches(squares: bytes, side: int, cell: int, across: int) -> bool:
    """Return whether there is a tile beside a square, across the line."""
    row, column = divmod(cell, side)
    place = row if across == side else column
    return (place > 0 and squares[cell - across] != 0) or (place < side - 1 and squares[cell + across] != 0)
