"""Names of squares: "8D" is a play across from row 8, column D; "D8" the same square, downwards."""

from __future__ import annotations

import re
from typing import Final

from engine.errors import InvalidInput, quoted

COLUMNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
COORDINATE: Final = re.compile(
    r"(?:(?P<row>[1-9][0-9]?)(?P<col>[A-Za-z])|(?P<col2>[A-Za-z])(?P<row2>[1-9][0-9]?))\Z"
)


def format_square(row: int, column: int) -> str:
    """Return the name of a square, row number first: (7, 3) is "8D"."""
    return f"{row + 1}{COLUMNS[column]}"


def format_coordinate(row: int, column: int, down: bool) -> str:
    """Return where a play starts and its direction: "8D" across, "D8" down."""
    return f"{COLUMNS[column]}{row + 1}" if down else f"{row + 1}{COLUMNS[column]}"


def parse_coordinate(text: str, side: int, field: str = "") -> tuple[int, int, bool]:
    """Read a coordinate as (row, column, down), 0-based.

    Raises InvalidInput if the text is none, or the square lies off the board.
    """
    match = COORDINATE.match(text)
    if match is None:
        raise InvalidInput(
            f"{quoted(text)} is no square such as 8D or D8", code="bad_coordinate", field=field
        )
    down = match["row"] is None
    row = int(match["row2"] if down else match["row"]) - 1
    column = COLUMNS.index((match["col2"] if down else match["col"]).upper())
    if row >= side or column >= side:
        raise InvalidInput(
            f"the square {quoted(text)} lies off the board of {side} x {side} squares",
            code="off_board",
            field=field,
        )
    return row, column, down
