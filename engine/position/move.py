"""The three kinds of moves: a play, an exchange and a pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Play:
    """Place tiles along one line.

    (`row`, `column`) is the first square of the main word, 0-based; `down` its direction; `tiles` has one
    entry per square of the main word: 0 where a tile lies already, else the code placed, with BLANK_FLAG
    for a blank.
    """

    row: int
    column: int
    down: bool
    tiles: tuple[int, ...]

    def placements(self) -> list[tuple[int, int, int]]:
        """List the tiles placed as (row, column, tile code), in reading order."""
        row, column = self.row, self.column
        if self.down:
            return [(row + step, column, code) for step, code in enumerate(self.tiles) if code]
        return [(row, column + step, code) for step, code in enumerate(self.tiles) if code]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Put tiles back for as many new ones; `tiles` are their codes in ascending order, 0 a blank."""

    tiles: bytes

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", bytes(sorted(self.tiles)))


@dataclass(frozen=True, slots=True)
class Pass:
    """Play nothing and exchange nothing."""


Move: TypeAlias = Play | Exchange | Pass
