"""Boards as text: rows of squares, and the shorter rows of CGP, where numbers stand for empty squares.

Everything here works on the bytes of a board, one tile code per square. Each reader has a fast path for a
faultless text, and a careful one that reads all and names faults. A row in which letters without brackets may
be one tile or several is read as the width of the board demands, and as single letters where those fit.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.errors import Fault, InvalidInput, excerpt, quoted
from engine.position.coordinates import format_square
from engine.position.tile_texts import TileTexts
from engine.rules import MAX_SIDE
from engine.rules.alphabet import composed
from engine.rules.readings import readings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.errors import Params
    from engine.rules import Alphabet

EMPTY: Final = 0

MAX_FAULTS: Final = 50
"""The most faults that are collected from one board."""
MAX_SQUARE_TEXT: Final = 5
"""The most characters that one square takes: a letter of three in brackets."""

TOKEN: Final = re.compile(r"[0-9]+|\[[^\[\]]*\]|.", re.DOTALL)
ROW_END: Final = b"\xff"
"""Stands between rows while a board is read; no tile has this code."""


def read_rows(rows: Sequence[str], alphabet: Alphabet, side: int) -> bytes:
    """Read one string per row, "." or a space for an empty square; raise InvalidInput with every fault."""
    if len(rows) == side:
        squares = _read_fast("/".join(rows), _fast_table(alphabet), side)
        if squares is not None:
            return squares
    return _read_carefully(rows, _row_table(alphabet), side, "board")


def read_text(text: str, alphabet: Alphabet, side: int, field: str) -> bytes:
    """Read the rows of a CGP, joined by "/"; raise InvalidInput with every fault."""
    squares = tile_texts(alphabet).read_board(text, side)
    if squares is not None:
        return squares
    return _read_carefully(text.split("/", MAX_SIDE + 1), _text_table(alphabet), side, field)


def write_rows(squares: bytes, alphabet: Alphabet, side: int) -> list[str]:
    """Write one string per row, "." for an empty square."""
    texts = _square_texts(alphabet)
    rows = [squares[start : start + side] for start in range(0, side * side, side)]
    return ["".join([texts[code] for code in row]) for row in rows]


def write_text(squares: bytes, alphabet: Alphabet, side: int) -> str:
    """Write the rows of a CGP, joined by "/"."""
    return tile_texts(alphabet).write_board(squares, side)


def _read_fast(text: str, table: Mapping[str, int], side: int) -> bytes | None:
    """Return the squares of a faultless text of single characters, or None."""
    try:
        read = bytes([table[char] for char in text])
    except KeyError:
        return None
    squares = read.replace(ROW_END, b"")
    whole = len(squares) == side * side and len(read) == side * (side + 1) - 1
    return squares if whole and read[side :: side + 1] == ROW_END * (side - 1) else None


def _read_carefully(rows: Sequence[str], table: Mapping[str, bytes], side: int, field: str) -> bytes:
    if len(rows) != side:
        counted = len(rows) if len(rows) <= MAX_SIDE else f"more than {MAX_SIDE}"
        detail = f"the board has {counted} rows; it must have {side}"
        values = {"count": len(rows), "side": side}
        raise InvalidInput(detail, code="bad_row_count", field=field, params=values)
    faults: list[Fault] = []
    squares = []
    for index, row in enumerate(rows):
        # A CGP is one value to its sender, who cannot be pointed at a row of it.
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
    """Read one row, adding its faults to the list."""
    name = f"row {index + 1} of the board"
    if len(row) > side * MAX_SQUARE_TEXT * 2:
        detail = f"{name} is {len(row)} characters long; it must be {side} squares wide"
        values = {"row": index + 1, "length": len(row), "side": side}
        faults.append(Fault("bad_row_width", detail, where, params=values))
        return b""
    tokens = TOKEN.findall(composed(row))
    read = [b"".join(entries) for entries in readings(tokens, table, longest=False)]
    fitting = [tiles for tiles in read if len(tiles) == side]
    if len(fitting) == 1 or (fitting and fitting[0] is read[0]):
        return fitting[0]
    if fitting:
        detail = f"{name} is {side} squares wide in several ways; write tiles of several letters in brackets"
        several = {"row": index + 1, "side": side}
        faults.append(Fault("ambiguous_tiles", detail, where, params=several))
        return fitting[0]
    tiles = b""
    for token in tokens:
        tile = table.get(token)
        if tile is None:
            if token.isascii() and token.isdigit() and "1" in table:
                detail = f"{name} holds {quoted(token)}, no run of 1 to {side} empty squares"
                run: Params = {"row": index + 1, "text": excerpt(token), "side": side}
                faults.append(Fault("bad_empty_run", detail, where, params=run))
                return b""
            column = len(tiles)
            at = format_square(index, column) if column < side else name
            square = where if where == "cgp" else f"{where}/{column}"
            detail = f"{quoted(token)} at {at} is no tile of this tile set"
            place: Params = {"text": excerpt(token), "row": index + 1, "column": column + 1, "square": at}
            faults.append(Fault("unknown_tile", detail, square, params=place))
            tile = b"\0"
        tiles += tile
    if len(tiles) != side:
        detail = f"{name} is {len(tiles)} squares wide; it must be {side}"
        widths = {"row": index + 1, "width": len(tiles), "side": side}
        faults.append(Fault("bad_row_width", detail, where, params=widths))
    return tiles


@lru_cache(maxsize=64)
def tile_texts(alphabet: Alphabet) -> TileTexts:
    """Return the reader and writer of the tiles of an alphabet."""
    return TileTexts(dict(alphabet.notation), alphabet.tables[0])


@lru_cache(maxsize=64)
def _fast_table(alphabet: Alphabet) -> dict[str, int]:
    table = {text: code for text, code in alphabet.notation.items() if len(text) == 1 and code != EMPTY}
    return {**table, ".": EMPTY, " ": EMPTY, "/": ROW_END[0]}


@lru_cache(maxsize=64)
def _row_table(alphabet: Alphabet) -> dict[str, bytes]:
    return {**_letters(alphabet), ".": b"\0", " ": b"\0"}


@lru_cache(maxsize=64)
def _text_table(alphabet: Alphabet) -> dict[str, bytes]:
    return {**_letters(alphabet), **{str(run): bytes(run) for run in range(1, MAX_SIDE + 1)}}


def _letters(alphabet: Alphabet) -> dict[str, bytes]:
    """Map every way to write a tile but "[L.L]": on a board a "." is an empty square."""
    tiles = alphabet.spellings.items()
    return {text: bytes([code]) for text, code in tiles if code != EMPTY and "." not in text}


@lru_cache(maxsize=64)
def _square_texts(alphabet: Alphabet) -> tuple[str, ...]:
    """List what each byte looks like on a board."""
    return (".", *alphabet.tables[0][1:])
