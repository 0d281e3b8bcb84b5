"""Whether the tiles of a board hang together, as every board that was really played does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import Fault
from engine.position.coordinates import format_square
from engine.position.squares import loose

if TYPE_CHECKING:
    from engine.position.board import Board
    from engine.rules import BoardLayout

MAX_NAMED: Final = 8
"""The most squares that one message names."""


def connection_faults(board: Board, layout: BoardLayout) -> list[Fault]:
    """Find a start square left empty, a lone tile, and tiles not connected to the covered start square."""
    squares, side = board.squares, board.side
    count = board.tile_count
    if not count:
        return []
    if count == 1:
        name = format_square(*divmod(next(place for place, code in enumerate(squares) if code), side))
        detail = f"the board holds a single tile, at {name}: no word has one letter"
        return [Fault("lone_tile", detail, "board", params={"square": name})]
    start = next((at for row, column in layout.starts if squares[at := row * side + column]), None)
    if start is None:
        names = [format_square(row, column) for row, column in layout.starts[:MAX_NAMED]]
        detail = f"no tile covers the start square {' or '.join(names)}"
        return [Fault("start_not_covered", detail, "board", params={"squares": names})]
    places = loose(squares, side, start)
    if not places:
        return []
    named = [format_square(*divmod(place, side)) for place in places[:MAX_NAMED]]
    more = len(places) - len(named)
    row, column = divmod(places[0], side)
    detail = f"tiles float unconnected to the start square: {', '.join(named)}"
    if more:
        detail += f" and {more} more"
    return [Fault("floating_tiles", detail, f"board/{row}/{column}", params={"squares": named, "more": more})]
