"""The tiles on the squares of a board, and the three ways of writing them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.errors import Fault, InvalidInput, quoted
from engine.position.coordinates import format_square, parse_coordinate
from engine.rules import BLANK_FLAG, MAX_SIDE, MIN_SIDE, Alphabet
from engine.rules.alphabet import NOTATION_TOKEN, composed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

EMPTY: Final = 0
MAX_FAULTS: Final = 50
"""The most faults that are collected from one board."""

MAX_SQUARE_TEXT: Final = 5
"""The most characters that one square can take: a letter of three in brackets."""

TEXT_TOKEN: Final = re.compile(r"[0-9]+|\[[^\[\]]*\]|.", re.DOTALL)
EMPTY_RUN: Final = re.compile("\0+")

# Codes to what they count as in the bag: a given blank is a blank; 0xFF keeps empty squares out.
TO_TILE: Final = bytes([0xFF if code == EMPTY else 0 if code & BLANK_FLAG else code for code in range(256)])


@dataclass(frozen=True, slots=True)
class Board:
    """Hold the tiles on a square board; immutable.

    `squares` holds one tile code per square, row by row (`row * side + column`): `EMPTY`, a letter's code,
    or that code with `BLANK_FLAG` for a blank.
    """

    side: int
    squares: bytes

    def __post_init__(self) -> None:
        if not MIN_SIDE <= self.side <= MAX_SIDE or len(self.squares) != self.side * self.side:
            raise InvalidInput(
                f"a board has {MIN_SIDE} to {MAX_SIDE} rows and as many columns",
                code="bad_board_size",
                field="board",
            )

    @classmethod
    def empty(cls, side: int) -> Board:
        """Return a board without tiles."""
        return cls(side, bytes(side * side))

    @classmethod
    def from_rows(cls, rows: Sequence[str], alphabet: Alphabet, side: int) -> Board:
        """Read one string per row: "." or a space empty, lower case a blank, "[CH]" a tile of two characters.

        Raises InvalidInput with every fault: rows of the wrong number or width, unknown tiles by square.
        """
        return _read(rows, _row_table(alphabet), NOTATION_TOKEN, side, "board")

    @classmethod
    def from_text(cls, text: str, alphabet: Alphabet, side: int, field: str = "board") -> Board:
        """Read the board of a CGP: rows between "/", runs of empty squares as decimal numbers.

        Raises InvalidInput with every fault, as `from_rows` does.
        """
        return _read(text.split("/", MAX_SIDE + 1), _text_table(alphabet), TEXT_TOKEN, side, field)

    @classmethod
    def from_tiles(cls, items: Iterable[tuple[str, str, bool]], alphabet: Alphabet, side: int) -> Board:
        """Read (square, letter, blank) items such as ("8D", "Q", False); a lower-case letter is a blank too.

        The order of the items does not matter. Raises InvalidInput with every fault: unknown letters,
        squares off the board or named twice.
        """
        squares = bytearray(side * side)
        faults: list[Fault] = []
        for index, (at, letter, blank) in enumerate(items):
            if len(faults) >= MAX_FAULTS:
                break
            field = f"board/{index}"
            try:
                row, column, _ = parse_coordinate(at, side, f"{field}/at")
                code = _tile(letter, alphabet, format_square(row, column), f"{field}/letter")
            except InvalidInput as error:
                faults.extend(error.faults)
                continue
            place = row * side + column
            if squares[place] != EMPTY:
                detail = f"the square {format_square(row, column)} is given two tiles"
                faults.append(Fault("square_twice", detail, f"{field}/at"))
            squares[place] = code | BLANK_FLAG if blank else code
        if faults:
            raise InvalidInput.collected(faults)
        return cls(side, bytes(squares))

    def __getitem__(self, square: tuple[int, int]) -> int:
        """Return the tile code at (row, column)."""
        row, column = square
        return self.squares[row * self.side + column]

    @property
    def is_empty(self) -> bool:
        """Tell whether no tile has been played."""
        return not any(self.squares)

    def rows(self, alphabet: Alphabet) -> list[str]:
        """Write one string per row, "." for an empty square, the inverse of `from_rows`."""
        side = self.side
        return [
            alphabet.text(self.squares[start : start + side]).replace("?", ".")
            for start in range(0, side * side, side)
        ]

    def text(self, alphabet: Alphabet) -> str:
        """Write the board as CGP does, the inverse of `from_text`."""
        side = self.side
        texts = _square_texts(alphabet)
        squares = [texts[code] for code in self.squares]
        rows = ["".join(squares[start : start + side]) for start in range(0, side * side, side)]
        return EMPTY_RUN.sub(_run_length, "/".join(rows))

    def with_tiles(self, tiles: Iterable[tuple[int, int, int]]) -> Board:
        """Return the board with (row, column, tile code) tiles added.

        Raises InvalidInput naming a square that is taken or off the board.
        """
        side = self.side
        squares = bytearray(self.squares)
        for row, column, code in tiles:
            if not (0 <= row < side and 0 <= column < side):
                raise InvalidInput(
                    f"row {row + 1}, column {column + 1} lies off the board of {side} x {side} squares",
                    code="off_board",
                )
            if squares[row * side + column] != EMPTY:
                raise InvalidInput(f"the square {format_square(row, column)} is taken", code="square_taken")
            squares[row * side + column] = code
        return Board(side, bytes(squares))

    def tile_counts(self, size: int) -> tuple[int, ...]:
        """Count the tiles by code for an alphabet of `size` letters; index 0 counts the blanks."""
        tiles = self.squares.translate(TO_TILE)
        return tuple([tiles.count(code) for code in range(size + 1)])


def _read(
    rows: Sequence[str], table: Mapping[str, bytes], token: re.Pattern[str], side: int, field: str
) -> Board:
    if len(rows) != side:
        counted = len(rows) if len(rows) <= MAX_SIDE else f"more than {MAX_SIDE}"
        raise InvalidInput(
            f"the board has {counted} rows; it must have {side}", code="bad_row_count", field=field
        )
    try:
        read = [b"".join([table[text] for text in token.findall(row)]) for row in rows]
        if all([len(row) == side for row in read]):
            return Board(side, b"".join(read))
    except KeyError:
        pass
    return _read_carefully(rows, table, token, side, field)


def _read_carefully(
    rows: Sequence[str], table: Mapping[str, bytes], token: re.Pattern[str], side: int, field: str
) -> Board:
    """Read a board that the fast path refused: with accents to join, or with faults to name."""
    faults: list[Fault] = []
    squares = b""
    for index, row in enumerate(rows):
        where = field if field == "cgp" else f"{field}/{index}"
        if len(row) > side * MAX_SQUARE_TEXT * 2:
            detail = (
                f"row {index + 1} of the board is {len(row)} characters long; it must be {side} squares wide"
            )
            faults.append(Fault("bad_row_width", detail, where))
            continue
        width = 0
        for text in token.findall(composed(row)):
            tile = table.get(text)
            if tile is None and text[0] in "0123456789" and token is TEXT_TOKEN:
                detail = (
                    f"row {index + 1} of the board holds {quoted(text)}, no run of 1 to {side} empty squares"
                )
                faults.append(Fault("bad_empty_run", detail, where))
                break
            if tile is None:
                name = format_square(index, width) if width < side else f"row {index + 1}"
                square_field = where if field == "cgp" else f"{where}/{width}"
                faults.append(
                    Fault(
                        "unknown_tile", f"{quoted(text)} at {name} is no tile of this tile set", square_field
                    )
                )
                tile = b"\0"
            squares += tile
            width += len(tile)
        else:
            if width != side:
                detail = f"row {index + 1} of the board is {width} squares wide; it must be {side}"
                faults.append(Fault("bad_row_width", detail, where))
        if len(faults) >= MAX_FAULTS:
            break
    if faults:
        raise InvalidInput.collected(faults[:MAX_FAULTS])
    return Board(side, squares)


def _tile(letter: str, alphabet: Alphabet, square: str, field: str) -> int:
    code = None
    if len(letter) <= MAX_SQUARE_TEXT:
        name = composed(letter)
        code = alphabet.notation.get(name) or alphabet.notation.get(f"[{name}]")
    if not code:
        raise InvalidInput(
            f"{quoted(letter)} at {square} is no tile of this tile set", code="unknown_tile", field=field
        )
    return code


def _run_length(match: re.Match[str]) -> str:
    return str(match.end() - match.start())


@lru_cache(maxsize=64)
def _row_table(alphabet: Alphabet) -> dict[str, bytes]:
    table = {text: bytes([code]) for text, code in alphabet.notation.items() if code != EMPTY}
    return {**table, ".": b"\0", " ": b"\0"}


@lru_cache(maxsize=64)
def _text_table(alphabet: Alphabet) -> dict[str, bytes]:
    table = {text: bytes([code]) for text, code in alphabet.notation.items() if code != EMPTY}
    return {**table, **{str(run): bytes(run) for run in range(1, MAX_SIDE + 1)}}


@lru_cache(maxsize=64)
def _square_texts(alphabet: Alphabet) -> tuple[str, ...]:
    """List what each code looks like on a board, the empty square as a NUL that runs are made of."""
    codes = [*range(1, alphabet.size + 1), *range(BLANK_FLAG + 1, BLANK_FLAG + alphabet.size + 1)]
    texts = ["\0"] + ["\ufffd"] * 255
    for code in codes:
        texts[code] = alphabet.text([code])
    return tuple(texts)
