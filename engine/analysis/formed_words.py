"""The words that a play makes, and their points."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from engine.position import BLANK_FLAG

if TYPE_CHECKING:
    from engine.position import Play, Position


class Run(NamedTuple):
    """Hold a word on the board: its first square (row-major), direction, tile codes, and points."""

    square: int
    down: bool
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
        self._side = position.board.side
        self._squares = position.board.squares
        self._points = _points(position.tile_set.values)
        self._letter_factors = position.layout.letter_factors.tobytes()
        self._word_factors = position.layout.word_factors.tobytes()

    def of(self, play: Play) -> list[Run]:
        """List the words of a play: the main word first, then the others in reading order."""
        side, squares, all_points = self._side, self._squares, self._points
        step, across = (side, 1) if play.down else (1, side)
        first = square = play.row * side + play.column
        tiles, others = [], []
        score, factor = 0, 1
        for code in play.tiles:
            if code:
                points = all_points[code] * self._letter_factors[square]
                factor *= self._word_factors[square]
                other = self._through(square, code, points, across)
                if other is not None:
                    others.append(other)
                tiles.append(code)
            else:
                points = all_points[squares[square]]
                tiles.append(squares[square])
            score += points
            square += step
        return [Run(first, play.down, tiles, score * factor), *others]

    def _through(self, square: int, code: int, points: int, step: int) -> Run | None:
        """Return the word along `step` (1 across, side down) through a new tile, None if it stands alone.

        `points`: those of the new tile, its letter premium included.
        """
        squares, side = self._squares, self._side
        start = square - square % side if step == 1 else square % side  # first square of the line
        stop = start + side * step
        first, end = square, square + step
        while first > start and squares[first - step]:
            first -= step
        while end < stop and squares[end]:
            end += step
        if end - first == step:
            return None
        before, after = squares[first:square:step], squares[square + step : end : step]
        score = points + sum([self._points[tile] for tile in (*before, *after)])
        return Run(first, step != 1, [*before, code, *after], score * self._word_factors[square])


@lru_cache(maxsize=32)
def _points(values: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of every tile code: a blank scores nothing, whatever it stands for."""
    return (*values, *[0] * (256 - len(values)))
