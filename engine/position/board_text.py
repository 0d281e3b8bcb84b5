"""Boards as text: one string per row, and the shorter rows of a CGP, where a number stands for empty squares.

Every function works on the bytes of a board, one tile code per square. A text without faults is read token by
token. Any other text is read a second time, to name its faults. Where a row writes tiles of several letters
without brackets, the width of the board decides how it is read; single letters come first.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.errors import Fault, InvalidInput, excerpt
from engine.messages import Text
from engine.position.coordinates import format_square
from engine.rules import MAX_SIDE
from engine.rules.alphabet import composed
from engine.rules.readings import readings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine.rules import Alphabet

EMPTY: Final = 0
"""The code of an empty square."""

MAX_FAULTS: Final = 50
"""The largest number of faults that are collected from one board."""
MAX_SQUARE_TEXT: Final = 5
"""The largest number of characters of one square: a letter of three characters in brackets."""

TOKEN: Final = re.compile(r"[0-9]+|\[[^\[\]]*\]|.", re.DOTALL)
EMPTY_RUNS: Final = tuple([("." * length, str(length)) for length in range(MAX_SIDE, 0, -1)])
"""Runs of empty squares and how a CGP writes them, the longest first."""
ROWS_CACHED: Final = 4096
"""Rows that are cached for each alphabet: successive positions of a game have most rows in common."""


def read_rows(rows: Sequence[str], alphabet: Alphabet, side: int) -> bytes:
    """Read one string per row, "." or a space for an empty square; raise InvalidInput with every fault."""
    squares = _squares(rows, _row_reader(_row_table, alphabet), side)
    return _read_carefully(rows, _row_table(alphabet), side, "board") if squares is None else squares


def read_text(text: str, alphabet: Alphabet, side: int, field: str) -> bytes:
    """Read the rows of a CGP, joined by "/"; raise InvalidInput with every fault."""
    rows = text.split("/", MAX_SIDE + 1)
    squares = _squares(rows, _row_reader(_text_table, alphabet), side)
    return _read_carefully(rows, _text_table(alphabet), side, field) if squares is None else squares


def write_rows(squares: bytes, alphabet: Alphabet, side: int) -> list[str]:
    """Write one string per row, "." for an empty square."""
    texts = _square_texts(alphabet)
    rows = [squares[start : start + side].decode("latin-1") for start in range(0, side * side, side)]
    return [row.translate(texts) for row in rows]


def write_text(squares: bytes, alphabet: Alphabet, side: int) -> str:
    """Write the rows of a CGP, joined by "/"."""
    write = _row_writer(alphabet)
    return "/".join([write(squares[start : start + side]) for start in range(0, side * side, side)])


def _squares(rows: Sequence[str], read: Callable[[str], bytes], side: int) -> bytes | None:
    """Return the squares of rows without faults, else None."""
    if len(rows) != side or max(map(len, rows)) > side * MAX_SQUARE_TEXT:
        return None
    try:
        squares = [read(row) for row in rows]
    except KeyError:
        return None
    return b"".join(squares) if {*map(len, squares)} == {side} else None


@lru_cache(maxsize=64)
def _row_reader(
    table_of: Callable[[Alphabet], Mapping[str, bytes]], alphabet: Alphabet
) -> Callable[[str], bytes]:
    """Return a cached function from the text of a row to its squares, which raises KeyError for any fault."""
    table = table_of(alphabet)

    @lru_cache(maxsize=ROWS_CACHED)
    def read(row: str) -> bytes:
        return b"".join([table[token] for token in TOKEN.findall(row)])

    return read


@lru_cache(maxsize=64)
def _row_writer(alphabet: Alphabet) -> Callable[[bytes], str]:
    """Return a cached function from the squares of a row to its text in a CGP."""
    texts = _square_texts(alphabet)

    @lru_cache(maxsize=ROWS_CACHED)
    def write(row: bytes) -> str:
        text = row.decode("latin-1").translate(texts)
        for empty, number in EMPTY_RUNS[-len(row) :]:
            text = text.replace(empty, number)
        return text

    return write


def _read_carefully(rows: Sequence[str], table: Mapping[str, bytes], side: int, field: str) -> bytes:
    """Read rows of any text; raise InvalidInput with every fault."""
    if len(rows) != side:
        if len(rows) <= MAX_SIDE:
            detail = Text("the board has {count} rows; it must have {side}", count=len(rows), side=side)
        else:
            detail = Text(
                "the board has more than {most} rows; it must have {side}", most=MAX_SIDE, side=side
            )
        values = {"count": len(rows), "side": side}
        raise InvalidInput(detail, code="bad_row_count", field=field, params=values)
    faults: list[Fault] = []
    squares = []
    for index, row in enumerate(rows):
        # To its sender a CGP is one value, so the field cannot name a row of it.
        where = field if field == "cgp" else f"{field}/{index}"
        squares.append(_read_row(row, index, table, side, where, faults))
        if len(faults) >= MAX_FAULTS:
            break
    if faults:
        raise InvalidInput.collected(faults[:MAX_FAULTS])
    return b"".join(squares)


def _read_row(
    row: str, index: int, table: Mapping[str, bytes], side: int, where: str, faults: list[Fault]
) -> bytes:
    """Return the squares of one row; append its faults to `faults`."""
    if len(row) > side * MAX_SQUARE_TEXT * 2:
        detail = Text(
            "row {row} of the board is {length} characters long; it must be {side} squares wide",
            row=index + 1,
            length=len(row),
            side=side,
        )
        faults.append(Fault("bad_row_width", detail, where))
        return b""
    tokens = TOKEN.findall(composed(row))
    read = [b"".join(entries) for entries in readings(tokens, table, longest=False)]
    fitting = [tiles for tiles in read if len(tiles) == side]
    if len(fitting) == 1 or (fitting and fitting[0] is read[0]):
        return fitting[0]
    if fitting:
        detail = Text(
            "row {row} of the board is {side} squares wide in several ways; write tiles of several letters "
            "in brackets",
            row=index + 1,
            side=side,
        )
        faults.append(Fault("ambiguous_tiles", detail, where))
        return fitting[0]
    tiles = b""
    for token in tokens:
        tile = table.get(token)
        if tile is None:
            if token.isascii() and token.isdigit() and "1" in table:
                detail = Text(
                    "row {row} of the board holds '{text}', which is not a run of 1 to {side} empty squares",
                    row=index + 1,
                    text=excerpt(token),
                    side=side,
                )
                faults.append(Fault("bad_empty_run", detail, where))
                return b""
            column = len(tiles)
            at = (
                format_square(index, column)
                if column < side
                else Text("row {row} of the board", row=index + 1)
            )
            square = where if where == "cgp" else f"{where}/{column}"
            detail = Text(
                "'{text}' at {square} is not a tile of this tile set",
                text=excerpt(token),
                row=index + 1,
                column=column + 1,
                square=at,
            )
            faults.append(Fault("unknown_tile", detail, square))
            tile = b"\0"
        tiles += tile
    if len(tiles) != side:
        detail = Text(
            "row {row} of the board is {width} squares wide; it must be {side}",
            row=index + 1,
            width=len(tiles),
            side=side,
        )
        faults.append(Fault("bad_row_width", detail, where))
    return tiles


@lru_cache(maxsize=64)
def _row_table(alphabet: Alphabet) -> dict[str, bytes]:
    """Map the tokens of `read_rows` to squares."""
    return {**_letters(alphabet), ".": b"\0", " ": b"\0"}


@lru_cache(maxsize=64)
def _text_table(alphabet: Alphabet) -> dict[str, bytes]:
    """Map the tokens of `read_text` to squares."""
    return {**_letters(alphabet), **{str(run): bytes(run) for run in range(1, MAX_SIDE + 1)}}


def _letters(alphabet: Alphabet) -> dict[str, bytes]:
    """Map every way to write a tile to its code, except "[L.L]", because "." is an empty square."""
    tiles = alphabet.spellings.items()
    return {text: bytes([code]) for text, code in tiles if code != EMPTY and "." not in text}


@lru_cache(maxsize=64)
def _square_texts(alphabet: Alphabet) -> tuple[str, ...]:
    """List what a board shows for each byte."""
    return (".", *alphabet.tables[0][1:])
