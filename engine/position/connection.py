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
        return [
            Fault("lone_tile", f"the board holds a single tile, at {name}: no word has one letter", "board")
        ]
    start = next((at for row, column in layout.starts if squares[at := row * side + column]), None)
    if start is None:
        names = " or ".join(format_square(row, column) for row, column in layout.starts[:MAX_NAMED])
        return [Fault("start_not_covered", f"no tile covers the start square {names}", "board")]
    places = loose(squares, side, start)
    if not places:
        return []
    named = ", ".join(format_square(*divmod(place, side)) for place in places[:MAX_NAMED])
    more = f" and {len(places) - MAX_NAMED} more" if len(places) > MAX_NAMED else ""
    row, column = divmod(places[0], side)
    detail = f"tiles float unconnected to the start square: {named}{more}"
    return [Fault("floating_tiles", detail, f"board/{row}/{column}")]
