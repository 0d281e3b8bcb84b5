"""The intervals of a board, written readably: the places where a main word may lie.

The kernels find intervals in their own way; the literal generator and the experiments use these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.position import Board
    from engine.rules import BoardLayout


@dataclass(frozen=True, slots=True)
class Interval:
    """Name squares in a line, and the tiles on them.

    `line` is a row, or side + a column; `start` the first square in it. `tiles` has a tile code for each
    square, 0 where it is empty.
    """

    line: int
    start: int
    tiles: bytes

    @property
    def empty(self) -> int:
        """The number of empty squares."""
        return self.tiles.count(0)

    @property
    def runs(self) -> list[tuple[int, bytes]]:
        """The runs of tiles, each with the number of its first square in the interval."""
        found, start = [], 0
        for run in self.tiles.split(b"\0"):
            if run:
                found.append((start, run))
            start += len(run) + 1
        return found


def board_intervals(board: Board, layout: BoardLayout, most_empty: int) -> Iterator[Interval]:
    """Yield every interval of a board, line by line.

    An interval is two or more consecutive squares of a line, one to `most_empty` of them empty, with no tile
    directly before or after it. It holds a tile or has one beside it; on an empty board it covers a start
    square, and runs across only if the layout equals its own mirror. Source: [Sanchez2025], section 4.1.
    """
    side, squares = board.side, board.squares
    starts = {row * side + column for row, column in layout.starts}
    for line in range(2 * side):
        across = line < side
        cells = range(line * side, (line + 1) * side) if across else range(line - side, side * side, side)
        tiles = bytes([squares[cell] for cell in cells])
        if board.is_empty:
            halo = [cell in starts and (across or not layout.symmetric) for cell in cells]
        else:
            halo = [tiles[i] != 0 or has_tile_beside(board, line, i) for i in range(side)]
        for start in range(side - 1):
            if start and tiles[start - 1]:
                continue
            empty, touched = 0, False
            for end in range(start + 1, side + 1):
                touched = touched or halo[end - 1]
                empty += tiles[end - 1] == 0
                if empty > most_empty:
                    break
                if touched and empty and end - start > 1 and (end == side or not tiles[end]):
                    yield Interval(line, start, tiles[start:end])


def has_tile_beside(board: Board, line: int, place: int) -> bool:
    """Return whether there is a tile beside square `place` of a line, across the line."""
    side, squares = board.side, board.squares
    across = line < side
    cell = line * side + place if across else place * side + line - side
    step, row = (side, line) if across else (1, line - side)
    return (row > 0 and squares[cell - step] != 0) or (row < side - 1 and squares[cell + step] != 0)
