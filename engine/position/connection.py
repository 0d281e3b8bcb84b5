"""Check that the tiles of a board are connected, as on every board of a real game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import Fault
from engine.messages import Text, either
from engine.position.coordinates import format_square

if TYPE_CHECKING:
    from engine.position.board import Board
    from engine.rules import BoardLayout

MAX_NAMED: Final = 8
"""The largest number of squares that one message names."""

TO_DIGIT: Final = b"0" + b"1" * 255
"""A translation table from tile codes to binary digits: "1" for a tile."""


def connection_faults(board: Board, layout: BoardLayout) -> list[Fault]:
    """Find a start square left empty, a lone tile, and tiles not connected to the covered start square."""
    squares, side = board.squares, board.side
    count = board.tile_count
    if not count:
        return []
    if count == 1:
        name = format_square(*divmod(next(place for place, code in enumerate(squares) if code), side))
        detail = Text("the board holds a single tile, at {square}: no word has one letter", square=name)
        return [Fault("lone_tile", detail, "board")]
    start = next((at for row, column in layout.starts if squares[at := row * side + column]), None)
    if start is None:
        names = [format_square(row, column) for row, column in layout.starts[:MAX_NAMED]]
        detail = Text("no tile covers the start square {choice}", choice=either(names))
        return [Fault("start_not_covered", detail, "board", params={"squares": names})]
    places = _unconnected(squares, side, start)
    if not places:
        return []
    named = [format_square(*divmod(place, side)) for place in places[:MAX_NAMED]]
    more = len(places) - len(named)
    row, column = divmod(places[0], side)
    detail = Text("tiles are not connected to the start square: {squares}", squares=named, more=more)
    if more:
        detail = Text(
            "tiles are not connected to the start square: {squares} and {more} more", squares=named, more=more
        )
    return [Fault("floating_tiles", detail, f"board/{row}/{column}")]


def _unconnected(squares: bytes, side: int, start: int) -> list[int]:
    """List the squares whose tiles are not connected to the tile at `start`, in reading order.

    The board is one integer, a bit for each square, from the last row down to the first. An empty column
    to the right of it keeps the end of a row apart from the beginning of the next.
    """
    width = side + 1
    rows = b"\0".join([squares[at : at + side] for at in range(0, side * side, side)])
    tiles = int(rows[::-1].translate(TO_DIGIT), 2)
    row, column = divmod(start, side)
    before, reached = 0, 1 << row * width + column
    while reached != before:
        before = reached
        reached |= (reached << 1 | reached >> 1) & tiles
        reached |= (reached << width | reached >> width) & tiles
    rest = tiles ^ reached
    if not rest:
        return []
    return [place for place in range(side * side) if rest >> place // side * width + place % side & 1]
