"""The words that a play makes, and their points.

Squares are numbered row by row on the board with a border of empty squares: an empty row before the first and
after the last, and one empty square behind each row. So no word runs over the edge.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from engine.position import BLANK_FLAG, format_coordinate, format_square

if TYPE_CHECKING:
    from engine.position import Play, Position
    from engine.rules import BoardLayout


class Run(NamedTuple):
    """Hold a word on the board: where it begins ("8D" across, "D8" down), its tile codes, and its points."""

    at: str
    tiles: list[int]
    score: int

    @property
    def letters(self) -> bytes:
        """The codes of the letters, blanks as what they stand for."""
        return bytes([code & ~BLANK_FLAG for code in self.tiles])


class FormedWords:
    """List the words that plays on one board make.

    Letter premiums count before word premiums, word premiums multiply together, and a blank scores nothing
    itself but keeps the word premium under it (systems.md R).
    """

    def __init__(self, position: Position) -> None:
        board = position.board
        self._stride = board.side + 1
        self._squares = _bordered(board.squares, board.side)
        self._points = _points(position.tile_set.values)
        self._letter_factors, self._word_factors = _factors(position.layout)
        self._across, self._down = square_names(board.side)

    def of(self, play: Play) -> list[Run]:
        """List the words of a play: the main word first, then the others in reading order."""
        squares, all_points = self._squares, self._points
        names, step, across = self._across, 1, self._stride
        if play.down:
            names, step, across = self._down, across, step
        first = square = first_square(play, self._stride)
        tiles, others = [], []
        score, factor = 0, 1
        for code in play.tiles:
            if code:
                points = all_points[code] * self._letter_factors[square]
                factor *= self._word_factors[square]
                tiles.append(code)
                if squares[square - across] or squares[square + across]:
                    others.append(self._through(square, code, points, across))
            else:
                points = all_points[squares[square]]
                tiles.append(squares[square])
            score += points
            square += step
        return [Run(names[first], tiles, score * factor), *others]

    def _through(self, square: int, code: int, points: int, step: int) -> Run:
        """Return the word along `step` through a new tile, whose points are those with its letter premium."""
        squares = self._squares
        first, end = square, square + step
        while squares[first - step]:
            first -= step
        while squares[end]:
            end += step
        before, after = squares[first:square:step], squares[square + step : end : step]
        score = points + sum([self._points[tile] for tile in (*before, *after)])
        names = self._across if step == 1 else self._down
        return Run(names[first], [*before, code, *after], score * self._word_factors[square])


def first_square(play: Play, stride: int) -> int:
    """Return the number of a play's first square; `stride` is that of a row."""
    return (play.row + 1) * stride + play.column


@lru_cache(maxsize=32)
def square_names(side: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of all squares, by number: those of plays across, and of plays down."""
    places = [(row - 1, column) for row in range(side + 2) for column in range(side + 1)]
    is_inside = [0 <= row < side and column < side for row, column in places]
    named = list(zip(places, is_inside, strict=True))
    across = tuple([format_square(*place) if inside else "" for place, inside in named])
    return across, tuple([format_coordinate(*place, True) if inside else "" for place, inside in named])


def _bordered(values: bytes, side: int) -> bytes:
    """Return values of the squares, given row by row, by number; 0 on the border."""
    edge = bytes(side + 1)
    rows = [values[start : start + side] for start in range(0, side * side, side)]
    return b"\0".join([edge[1:], *rows, edge])


@lru_cache(maxsize=32)
def _factors(layout: BoardLayout) -> tuple[bytes, bytes]:
    """Return the letter factors and the word factors of the squares, by number."""
    side = layout.side
    return _bordered(layout.letter_factors.tobytes(), side), _bordered(layout.word_factors.tobytes(), side)


@lru_cache(maxsize=32)
def _points(values: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of every tile code: a blank scores nothing, whatever it stands for."""
    return (*values, *[0] * (256 - len(values)))
