"""Coordinates: "8D" is row 8, column D for a play across, "D8" the same square for a play down."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from engine.errors import InvalidInput, excerpt
from engine.messages import Text

COLUMNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
COORDINATE: Final = re.compile(r"(?:[1-9][0-9]?[A-Za-z]|[A-Za-z][1-9][0-9]?)\Z")


def format_square(row: int, column: int) -> str:
    """Return the name of a square, row number first: (7, 3) is "8D"."""
    return f"{row + 1}{COLUMNS[column]}"


def format_coordinate(row: int, column: int, down: bool) -> str:
    """Return where a play starts and its direction: "8D" across, "D8" down."""
    return f"{COLUMNS[column]}{row + 1}" if down else f"{row + 1}{COLUMNS[column]}"


def parse_coordinate(text: str, side: int, field: str = "") -> tuple[int, int, bool]:
    """Read a coordinate as (row, column, down), 0-based.

    Raises InvalidInput if the text is not a coordinate, or the square is off the board.
    """
    known = _coordinates(side).get(text)
    if known is not None:
        return known
    if COORDINATE.match(text) is None:
        detail = Text("'{text}' is not a square such as 8D or D8", text=excerpt(text))
        raise InvalidInput(detail, code="bad_coordinate", field=field)
    if text.upper() in _coordinates(side):
        return _coordinates(side)[text.upper()]
    detail = Text(
        "the square '{square}' is off the board of {side} x {side} squares", square=excerpt(text), side=side
    )
    raise InvalidInput(detail, code="off_board", field=field)


@lru_cache(maxsize=32)
def _coordinates(side: int) -> dict[str, tuple[int, int, bool]]:
    """Map every coordinate of a board, across and down, to its row, column and direction."""
    squares = [(row, column) for row in range(side) for column in range(side)]
    return {
        format_coordinate(row, column, down): (row, column, down)
        for down in (False, True)
        for row, column in squares
    }
