"""`Plays`: the plays of one position, as every generator returns them."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import numpy as np

from engine.errors import EngineError
from engine.messages import Text
from engine.movegen.play_reading import best, laid
from engine.position import BLANK_FLAG, EMPTY, Play

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from engine.loaded_board import LoadedBoard
    from engine.position import Position, Rack

ONE_TILE: Final = 0x80000000
"""The bit of the field `word` that marks a play of one tile; the other bits are the letter."""

PLAY_LIMIT: Final = 4_000_000
"""Plays of one position; only made-up tile sets with many blanks allow more."""

PLAY_DTYPE: Final = np.dtype(
    {
        "names": ["word", "score", "equity", "blanks", "line", "start", "length", "placed", "leave"],
        "formats": ["<u4", "<i4", "<i4", "<u4", "u1", "u1", "u1", "u1", "u1"],
        "offsets": [0, 4, 8, 12, 16, 17, 18, 19, 20],
        "itemsize": 24,
    }
)
"""A play, as described in `Plays` and in plays.h."""

Number = TypeVar("Number", int, "NDArray[np.int64]")


class TooManyPlaysError(EngineError):
    """A position has more than PLAY_LIMIT plays."""


def too_many_plays(rack: Rack) -> TooManyPlaysError:
    """Return the error for a rack that has more than PLAY_LIMIT plays."""
    return TooManyPlaysError(
        Text(
            "the position has more than {most} plays: the rack holds {count} blanks",
            most=PLAY_LIMIT,
            count=rack.tiles.count(0),
        ),
        code="too_many_plays",
        field="rack",
    )


def leaves(rack: Rack) -> list[bytes]:
    """Return every leave of a rack (tile codes, ascending) in the order of `leave_values`.

    The number of a leave is mixed radix: one digit for each distinct tile, how many of it stay in the rack,
    the lowest tile code (the blank) first. The first leave is empty, the last the whole rack; seven tiles
    have at most 128.
    """
    distinct = sorted(set(rack.tiles))
    digits = product(*(range(rack.tiles.count(code) + 1) for code in reversed(distinct)))
    return [
        b"".join(bytes([code]) * left for code, left in zip(distinct, reversed(counts), strict=True))
        for counts in digits
    ]


class Plays:
    """Hold the plays of a position as a structured array, and read them as moves.

    Fields of `array` (PLAY_DTYPE, 24 bytes a play): `word` (id in the lexicon, or ONE_TILE | letter for a
    play of one tile), `score` (points), `equity` (millipoints: 1000 x score + value of the leave), `blanks`
    (bit i: square i of the word takes a blank), `line` (row, or side + column), `start` and `length` of the
    main word, `placed` (tiles that the play puts on the board), `leave` (index into `leave_values`, 0 if
    there are none).

    `statistics`: what the generator counted, by name, such as `intervals` answered, `candidates` validated,
    and list entries read (`scanned`).
    """

    def __init__(self, array: NDArray[Any], board: LoadedBoard, statistics: Mapping[str, int]) -> None:
        self.array = array
        self.board = board
        self.statistics = statistics

    def __len__(self) -> int:
        return len(self.array)

    @classmethod
    def from_moves(
        cls, moves: Iterable[tuple[Play, int]], board: LoadedBoard, statistics: Mapping[str, int]
    ) -> Plays:
        """Make the array from plays and their scores, for generators written in Python."""
        side = board.kernel.side
        rows = []
        limit = np.iinfo(np.int32).max
        for play, score in moves:
            line, start = (side + play.column, play.row) if play.down else (play.row, play.column)
            placed = sum(code != EMPTY for code in play.tiles)
            equity, word, length = min(1000 * score, limit), _word_id(play, board), len(play.tiles)
            rows.append((word, score, equity, blank_places(play), line, start, length, placed, 0))
        return cls(np.array(rows, PLAY_DTYPE), board, statistics)

    def move(self, index: int) -> Play:
        """Return a play as a move."""
        return self.moves([index])[0]

    def moves(self, indices: list[int], position: Position | None = None) -> list[Play]:
        """Return plays, given by their indices, as moves; faster for many than `move`.

        `position`: that of the plays, if the moves are to know their board, their score, and whether they
        are bingos.
        """
        kernel, letters = self.board.kernel, self.board.lexicon.tables.letters
        found = laid(self._rows, indices, kernel.squares, kernel.side, letters)
        if position is None:
            return [Play(*place) for place in found]
        board, scores = position.board, self.array["score"][indices].tolist()
        bingos = (self.array["placed"][indices] == position.rules.bingo_tiles).tolist()
        details = zip(found, scores, bingos, strict=True)
        return [Play(*place, board, score, is_bingo) for place, score, is_bingo in details]

    def find(self, play: Play) -> int | None:
        """Return the index of a play, None if it is not one of these."""
        side = self.board.kernel.side
        line, start = (side + play.column, play.row) if play.down else (play.row, play.column)
        alike = np.flatnonzero(self._addresses == _address(line, start, len(play.tiles), blank_places(play)))
        if len(alike) > 1:  # a rack with blanks has hundreds of plays on the same squares
            alike = alike[self.array["word"][alike] == _word_id(play, self.board)]
        return next((int(index) for index in alike.tolist() if self.move(index) == play), None)

    @cached_property
    def _addresses(self) -> NDArray[np.int64]:
        """Where each play lies and which of its tiles are blanks, in one number."""
        line, start, length, blanks = (
            self.array[name].astype(np.int64) for name in ("line", "start", "length", "blanks")
        )
        return _address(line, start, length, blanks)

    def best(self, count: int, by: Literal["score", "equity"] = "score") -> NDArray[np.intp]:
        """Return the indices of the `count` best plays, best first.

        Plays that tie are ordered by line (rows, then columns), start and length of the main word, then by
        the sorted letters of the word, its letters in their order, and the bit set of the blanks.
        """
        return best(self._rows, count, by == "score")

    @property
    def _rows(self) -> NDArray[np.uint8]:
        """The bytes of the array, as the kernel reads them."""
        return np.ascontiguousarray(self.array).view(np.uint8)


def _address(line: Number, start: Number, length: Number, blanks: Number) -> Number:
    """Return where a play lies and which of its tiles are blanks, in one number."""
    return ((line << 16) | (start << 8) | length) << 32 | blanks


def blank_places(play: Play) -> int:
    """Return which tiles of a play are blanks, as a bit mask."""
    return sum([1 << i for i, code in enumerate(play.tiles) if code & BLANK_FLAG])


def _word_id(play: Play, board: LoadedBoard) -> int:
    """Return what the field `word` says of a play, -1 if it makes no word."""
    side, squares = board.kernel.side, board.board.squares
    first, step = play.row * side + play.column, side if play.down else 1
    letters = [(code or squares[first + i * step]) & ~BLANK_FLAG for i, code in enumerate(play.tiles)]
    placed = [i for i, code in enumerate(play.tiles) if code != EMPTY]
    if len(placed) == 1:
        return ONE_TILE | letters[placed[0]] - 1
    return board.lexicon.tables.find(bytes([letter - 1 for letter in letters])) if all(letters) else -1
