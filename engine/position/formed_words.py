"""The words that a play forms, with their points.

Squares are numbered row by row on the board with a border of empty squares: a row above and below, and one
square behind each row. So no word runs over the edge.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from engine.position.coordinates import format_coordinate, format_square
from engine.rules import BLANK_FLAG

if TYPE_CHECKING:
    from engine.position.board import Board
    from engine.position.move import Play
    from engine.rules import BoardLayout, TileSet


class WordOnBoard(NamedTuple):
    """Hold a word on the board: where it begins ("8D" across, "D8" down), its tile codes, and its points."""

    at: str
    tiles: list[int]
    score: int

    @property
    def letters(self) -> bytes:
        """The letter codes of the tiles, a blank as the letter that it stands for."""
        return bytes([code & ~BLANK_FLAG for code in self.tiles])


class FormedWords:
    """List the words that plays on one board form.

    Letter premiums count before word premiums, word premiums multiply, and a blank scores nothing itself but
    keeps the word premium under it [NASPA].
    """

    def __init__(self, board: Board, layout: BoardLayout, tile_set: TileSet) -> None:
        self._stride = board.side + 1
        self._squares = _bordered(board.squares, board.side)
        self._points = _points(tile_set.values)
        self._letter_factors, self._word_factors = _factors(layout)
        self._across, self._down = square_names(board.side)

    def of(self, play: Play) -> list[WordOnBoard]:
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
        return [WordOnBoard(names[first], tiles, score * factor), *others]

    def _through(self, square: int, code: int, points: int, step: int) -> WordOnBoard:
        """Return the word along `step` through a new tile that scores `points` with its letter premium."""
        squares = self._squares
        first, end = square, square + step
        while squares[first - step]:
            first -= step
        while squares[end]:
            end += step
        before, after = squares[first:square:step], squares[square + step : end : step]
        score = points + sum([self._points[tile] for tile in (*before, *after)])
        names = self._across if step == 1 else self._down
        return WordOnBoard(names[first], [*before, code, *after], score * self._word_factors[square])


def first_square(play: Play, stride: int) -> int:
    """Return the number of a play's first square; `stride`: squares from one row to the next."""
    return (play.row + 1) * stride + play.column


@lru_cache(maxsize=32)
def square_names(side: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of all squares by number, for plays across ("8D") and for plays down ("D8")."""
    places = [(row - 1, column) for row in range(side + 2) for column in range(side + 1)]
    is_inside = [0 <= row < side and column < side for row, column in places]
    named = list(zip(places, is_inside, strict=True))
    across = tuple([format_square(*place) if inside else "" for place, inside in named])
    return across, tuple([format_coordinate(*place, True) if inside else "" for place, inside in named])


def _bordered(values: bytes, side: int) -> bytes:
    """Return values that are given row by row, by square number; 0 on the border."""
    edge = bytes(side + 1)
    rows = [values[start : start + side] for start in range(0, side * side, side)]
    return b"\0".join([edge[1:], *rows, edge])


@lru_cache(maxsize=32)
def _factors(layout: BoardLayout) -> tuple[bytes, bytes]:
    """Return the letter factors and the word factors of the squares by number."""
    side = layout.side
    return _bordered(layout.letter_factors.tobytes(), side), _bordered(layout.word_factors.tobytes(), side)


@lru_cache(maxsize=32)
def _points(values: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of every tile code; a blank scores nothing."""
    return (*values, *[0] * (256 - len(values)))
