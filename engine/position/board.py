"""The tiles on the squares of a board."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, overload

from engine.errors import Fault, InvalidInput, excerpt
from engine.messages import Text
from engine.position.board_text import (
    EMPTY,
    MAX_FAULTS,
    MAX_SQUARE_TEXT,
    read_rows,
    read_text,
    write_rows,
    write_text,
)
from engine.position.coordinates import COLUMNS, format_square, parse_coordinate
from engine.rules import BLANK_FLAG, MAX_SIDE, MIN_SIDE
from engine.rules.alphabet import composed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.rules import Alphabet

TO_TILE: Final = bytes([0 if code & BLANK_FLAG else code for code in range(256)])
"""A translation table from codes on a board to codes of a rack: a blank with a letter becomes a blank."""


@dataclass(frozen=True, slots=True)
class Board:
    """Hold the tiles on a square board; immutable.

    `squares` contains one tile code for each square, row by row (`row * side + column`): `EMPTY`, the code of
    a letter, or that code with `BLANK_FLAG` for a blank. `alphabet` gives the letters when the board is
    printed; comparisons ignore it.
    """

    side: int
    squares: bytes
    alphabet: Alphabet | None = dataclasses.field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not MIN_SIDE <= self.side <= MAX_SIDE or len(self.squares) != self.side * self.side:
            raise InvalidInput(
                Text("a board has {least} to {most} rows and as many columns", least=MIN_SIDE, most=MAX_SIDE),
                code="bad_board_size",
                field="board",
            )

    @classmethod
    def empty(cls, side: int) -> Board:
        """Return a board without tiles."""
        return cls(side, bytes(side * side))

    @classmethod
    def from_rows(cls, rows: Sequence[str], alphabet: Alphabet, side: int) -> Board:
        """Read one string per row: "." or a space is empty, "a" a blank, "[CH]" a tile of two characters.

        Raises InvalidInput with every fault: a wrong number or width of rows, unknown tiles with their
        square.
        """
        return cls(side, read_rows(rows, alphabet, side), alphabet)

    @classmethod
    def from_text(cls, text: str, alphabet: Alphabet, side: int, field: str = "board") -> Board:
        """Read the board of a CGP: rows between "/", runs of empty squares as decimal numbers.

        Raises InvalidInput with every fault, as `from_rows` does.
        """
        return cls(side, read_text(text, alphabet, side, field), alphabet)

    @classmethod
    def from_tiles(cls, items: Iterable[tuple[str, str, bool]], alphabet: Alphabet, side: int) -> Board:
        """Read (square, letter, blank) items such as ("8D", "Q", False); a lower-case letter is a blank, too.

        The order of the items does not matter. Raises InvalidInput with every fault: unknown letters, squares
        off the board, squares with two tiles.
        """
        squares = bytearray(side * side)
        faults: list[Fault] = []
        for index, (at, letter, blank) in enumerate(items):
            if len(faults) >= MAX_FAULTS:
                break
            field = f"board/{index}"
            try:
                row, column, _ = parse_coordinate(at, side, f"{field}/at")
                code = alphabet.notation.get(letter) or _tile(letter, alphabet, at, f"{field}/letter")
            except InvalidInput as error:
                faults.extend(error.faults)
                continue
            place = row * side + column
            if squares[place] != EMPTY:
                square = format_square(row, column)
                detail = Text("the square {square} has two tiles", square=square)
                faults.append(Fault("square_twice", detail, f"{field}/at"))
            squares[place] = code | BLANK_FLAG if blank else code
        if faults:
            raise InvalidInput.collected(faults)
        return cls(side, bytes(squares), alphabet)

    @overload
    def __getitem__(self, square: tuple[int, int]) -> int: ...
    @overload
    def __getitem__(self, square: str) -> str: ...
    def __getitem__(self, square: tuple[int, int] | str) -> int | str:
        """Return the tile code at (row, column), or the letter at a square such as "8D", "" if it is empty.

        A lower-case letter is a blank. Raises InvalidInput for a square that does not exist, ValueError for a
        letter on a board without an alphabet.
        """
        if isinstance(square, str):
            row, column, _ = parse_coordinate(square, self.side, "square")
            return self._letter(self.squares[row * self.side + column])
        row, column = square
        return self.squares[row * self.side + column]

    def _letter(self, code: int) -> str:
        if self.alphabet is None:
            raise ValueError("this board has no alphabet, so its tiles have no letters")
        return self.alphabet.text([code]).strip("[]") if code else ""

    def __str__(self) -> str:
        """Draw the board: columns A, B, ... and rows 1, 2, ..., "." for an empty square."""
        if self.alphabet is None:
            return repr(self)
        width = max(len(letter) for letter in self.alphabet.letters)
        lines = ["    " + " ".join([f"{column:{width}}" for column in COLUMNS[: self.side]])]
        for row in range(self.side):
            codes = self.squares[row * self.side : (row + 1) * self.side]
            lines.append(
                f"{row + 1:3} " + " ".join([f"{self._letter(code) or '.':{width}}" for code in codes])
            )
        return "\n".join([line.rstrip() for line in lines])

    def __repr__(self) -> str:
        if self.alphabet is None:
            return f"Board({self.side}, {self.squares!r})"
        return f"Board({self.text(self.alphabet)!r})"

    def _repr_html_(self) -> str:
        """Return the board for notebooks."""
        return f"<pre>{escape(str(self))}</pre>"

    @property
    def is_empty(self) -> bool:
        """Whether the board has no tile."""
        return not any(self.squares)

    @property
    def tile_count(self) -> int:
        """The number of tiles on the board."""
        return len(self.squares) - self.squares.count(EMPTY)

    def rows(self, alphabet: Alphabet) -> list[str]:
        """Write one string per row, "." for an empty square; the inverse of `from_rows`."""
        return write_rows(self.squares, alphabet, self.side)

    def text(self, alphabet: Alphabet) -> str:
        """Write the board of a CGP; the inverse of `from_text`."""
        return write_text(self.squares, alphabet, self.side)

    def with_tiles(self, tiles: Iterable[tuple[int, int, int]]) -> Board:
        """Return the board with (row, column, tile code) tiles added.

        Raises InvalidInput naming a square that is occupied or off the board.
        """
        side = self.side
        squares = bytearray(self.squares)
        for row, column, code in tiles:
            if not (0 <= row < side and 0 <= column < side):
                raise InvalidInput(
                    Text(
                        "row {row}, column {column} is off the board of {side} x {side} squares",
                        row=row + 1,
                        column=column + 1,
                        side=side,
                    ),
                    code="off_board",
                )
            if squares[row * side + column] != EMPTY:
                square = format_square(row, column)
                raise InvalidInput(
                    Text("the square {square} is occupied", square=square), code="square_taken"
                )
            squares[row * side + column] = code
        return Board(side, bytes(squares), self.alphabet)

    def tiles(self) -> bytes:
        """Return the tiles as codes of a rack, blanks as 0, in reading order."""
        return self.squares.translate(TO_TILE, bytes([EMPTY]))

    def tile_counts(self, size: int) -> tuple[int, ...]:
        """Count the tiles by code for an alphabet of `size` letters; index 0 counts the blanks."""
        count = self.tiles().count
        return tuple([count(code) for code in range(size + 1)])


def _tile(letter: str, alphabet: Alphabet, square: str, field: str) -> int:
    """Return the code of a letter, also without brackets or with combining accents; raise InvalidInput."""
    code = None
    if len(letter) <= MAX_SQUARE_TEXT:
        name = composed(letter)
        code = alphabet.spellings.get(name) or alphabet.spellings.get(f"[{name}]")
    if not code:
        detail = Text(
            "'{text}' at {square} is not a tile of this tile set", text=excerpt(letter), square=square
        )
        raise InvalidInput(detail, code="unknown_tile", field=field)
    return code
