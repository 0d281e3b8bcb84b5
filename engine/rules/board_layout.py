"""Board layouts: the premium squares and start squares of a board."""

from __future__ import annotations

import hashlib
import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from engine.errors import Fault, InvalidInput, NotFound, check_known, excerpt
from engine.messages import Text
from engine.rules.data_files import data_ids, data_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

STARTS: Final = "starts"
SQUARE: Final = re.compile(r"([0-9]{1,2})([A-Z])|([A-Z])([0-9]{1,2})")

MIN_SIDE: Final = 10
MAX_SIDE: Final = 26

# The (letter factor, word factor) of each mark.
PREMIUMS: Final = {
    ".": (1, 1),
    " ": (1, 1),
    "*": (1, 1),
    "d": (2, 1),
    "t": (3, 1),
    "q": (4, 1),
    "D": (1, 2),
    "T": (1, 3),
    "Q": (1, 4),
}
MARKS: Final = {(1, 1): ".", (2, 1): "d", (3, 1): "t", (4, 1): "q", (1, 2): "D", (1, 3): "T", (1, 4): "Q"}


class BoardLayout:
    """Hold the factors of every square and the start squares; immutable.

    `letter_factors` and `word_factors` are read-only uint8 arrays of shape (side, side) with values 1 to 4.
    `starts` are the sorted (row, column) pairs of the start squares, one of which the first play must cover.
    `symmetric` is true if the layout with its start squares equals its transpose.
    """

    def __init__(
        self,
        id: str,  # noqa: A002 - the public name of the field
        letter_factors: NDArray[np.uint8],
        word_factors: NDArray[np.uint8],
        starts: Sequence[tuple[int, int]],
    ) -> None:
        side = len(letter_factors)
        _check_starts(starts, side)
        self.id = id
        self.side: int = side
        self.letter_factors = letter_factors
        self.word_factors = word_factors
        letter_factors.setflags(write=False)
        word_factors.setflags(write=False)
        self.starts: tuple[tuple[int, int], ...] = tuple(sorted(set(starts)))
        self.symmetric: bool = (
            letter_factors.tolist() == letter_factors.T.tolist()
            and word_factors.tolist() == word_factors.T.tolist()
            and set(self.starts) == {(column, row) for row, column in self.starts}
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BoardLayout) and self.id == other.id and self.canonical() == other.canonical()
        )

    def __hash__(self) -> int:
        return hash((self.id, self.sha256))

    def __repr__(self) -> str:
        return f"BoardLayout({self.id!r}, {self.side} x {self.side})"

    @cached_property
    def _canonical(self) -> str:
        lines = [f"{row},{column}" for row, column in self.starts]
        return "\n".join([*self.rows(), "starts " + " ".join(lines)]) + "\n"

    def rows(self) -> list[str]:
        """Return the premium squares as text: T D Q word factors, t d q letter factors, "." none."""
        pairs = zip(self.letter_factors.tolist(), self.word_factors.tolist(), strict=True)
        return ["".join(MARKS[pair] for pair in zip(letters, words, strict=True)) for letters, words in pairs]

    def canonical(self) -> str:
        """Return the contents as text: the rows, then the start squares as 0-based "row,column"."""
        return self._canonical

    @cached_property
    def sha256(self) -> str:
        """Return the SHA-256 of the canonical text as hexadecimal digits; it does not depend on the id."""
        return hashlib.sha256(self._canonical.encode()).hexdigest()

    @cached_property
    def identity(self) -> str:
        """The id and the SHA-256 of the contents."""
        return f"{self.id} {self.sha256}"

    @classmethod
    def from_text(cls, text: str, id: str, starts: Sequence[tuple[int, int]] | None = None) -> BoardLayout:  # noqa: A002
        """Read a layout from lines of premium squares, as `from_rows` does.

        A last line "starts 8H 5E" names start squares that are premium squares too. Empty lines at the end
        are ignored. Raises InvalidInput with every fault, whose `field` is "board/ROW/COLUMN" from 0.
        """
        rows = text.rstrip("\r\n").splitlines()
        if starts is None and rows and rows[-1].lower().split()[:1] == [STARTS]:
            *rows, last = rows
            starts, faults = _read_starts(last.split()[1:], len(rows))
            try:
                layout = cls.from_rows(rows, starts or [(0, 0)], id)
            except InvalidInput as error:
                raise InvalidInput.collected([*error.faults, *faults]) from None
            if faults:
                raise InvalidInput.collected(faults)
            return layout
        return cls.from_rows(rows, starts, id)

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[str],
        starts: Sequence[tuple[int, int]] | None = None,
        id: str = "custom",  # noqa: A002
    ) -> BoardLayout:
        """Build a layout from 10 to 26 rows of marks.

        T, D and Q are triple, double and quadruple word squares, t, d and q letter squares, "." or a space
        plain squares, and "*" is a plain start square. Without "*" and `starts` (0-based row and column), the
        start is the center of a board of odd size. Raises InvalidInput naming the row or square.
        """
        side = len(rows)
        if not MIN_SIDE <= side <= MAX_SIDE:
            raise InvalidInput(
                Text(
                    "a board has {least} to {most} rows, this one has {count}",
                    least=MIN_SIDE,
                    most=MAX_SIDE,
                    count=side,
                ),
                code="bad_board_size",
                field="board",
            )
        faults: list[Fault] = []
        widths = {len(row) for row in rows}
        if len(widths) == 1 and side not in widths:
            width = widths.pop()
            detail = Text(
                "the board has {count} rows of {width} squares; it must have as many rows as columns",
                count=side,
                width=width,
            )
            raise InvalidInput(detail, code="bad_board_size", field="board")
        for index, row in enumerate(rows):
            if len(row) != side:
                detail = Text(
                    "row {row} of the board is {width} squares wide; it must be {side}",
                    row=index + 1,
                    width=len(row),
                    side=side,
                )
                faults.append(Fault("bad_row_width", detail, f"board/{index}"))
                continue
            for column, mark in enumerate(row):
                if mark not in PREMIUMS:
                    square = _square(index, column)
                    detail = Text(
                        "'{text}' at {square} is not a kind of square; known: . T D Q t d q *",
                        text=excerpt(mark),
                        square=square,
                    )
                    faults.append(Fault("unknown_square", detail, f"board/{index}/{column}"))
        if faults:
            raise InvalidInput.collected(faults)
        marked = [(row, column) for row in range(side) for column in range(side) if rows[row][column] == "*"]
        chosen = [*(starts or ()), *marked]
        if not chosen and side % 2:
            chosen = [(side // 2, side // 2)]
        import numpy as np  # here, because it takes most of the time of `import kibitz`

        factors = np.array([[PREMIUMS[mark] for mark in row] for row in rows], dtype=np.uint8)
        return cls(id, factors[:, :, 0].copy(), factors[:, :, 1].copy(), chosen)


def board_layout(id: str) -> BoardLayout:  # noqa: A002
    """Return a board layout by its name, such as "standard15"; raise NotFound naming the known ones."""
    return _load(id)


@lru_cache(maxsize=1)
def board_layout_ids() -> tuple[str, ...]:
    """List the names of the board layouts that come with kibitz, sorted."""
    return data_ids("boards", ".txt")


@lru_cache(maxsize=64)
def _load(name: str) -> BoardLayout:
    check_known(Text("board"), name, board_layout_ids(), code="unknown_board", field="board", error=NotFound)
    return BoardLayout.from_text(data_text("boards", f"{name}.txt"), name)


def _check_starts(starts: Sequence[tuple[int, int]], side: int) -> None:
    if not starts:
        raise InvalidInput(
            Text("the board needs a start square (only a board of odd size has a center)"),
            code="no_start_square",
            field="board",
        )
    for row, column in starts:
        if not (0 <= row < side and 0 <= column < side):
            named = _square(row, column)
            raise InvalidInput(
                Text(
                    "the start square {square} is off the board of {side} x {side} squares",
                    side=side,
                    square=named,
                ),
                code="start_off_board",
                field="board",
            )


def _square(row: int, column: int) -> str:
    """Return the name of a square, such as 8H; of one beyond column Z its row and column from 1."""
    letter = chr(65 + column) if 0 <= column < MAX_SIDE else f" column {excerpt(str(column + 1))}"
    return f"{excerpt(str(row + 1))}{letter}"


def _read_starts(names: Sequence[str], side: int) -> tuple[list[tuple[int, int]], list[Fault]]:
    """Read squares such as 8H or H8 of the line after `side` rows; return them, and faults."""
    starts, faults = [], []
    for name in names:
        found = SQUARE.fullmatch(name.upper())
        row, letter = sorted(filter(None, found.groups())) if found else ("0", "A")
        square = int(row) - 1, ord(letter) - 65
        if not (0 <= square[0] < side and square[1] < side):
            detail = Text("'{text}' is not a square of this board, as 1A is", text=excerpt(name))
            faults.append(Fault("start_off_board", detail, f"board/{side}"))
        else:
            starts.append(square)
    if not names:
        faults.append(
            Fault("no_start_square", Text("starts needs a square, as in: starts 8H"), f"board/{side}")
        )
    return starts, faults
