"""Moves: plays, exchanges and passes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engine.position.rack import Rack

if TYPE_CHECKING:
    from engine.rules import Alphabet


@dataclass(frozen=True, slots=True)
class Play:
    """A play places tiles in one row or column; immutable.

    (`row`, `column`) is the first square of the main word, 0-based, and `down` its direction. `tiles` has one
    entry for each square of the main word: 0 for a tile of the board, else the code placed, with BLANK_FLAG
    for a blank.
    """

    row: int
    column: int
    down: bool
    tiles: tuple[int, ...]

    def placements(self) -> list[tuple[int, int, int]]:
        """List the placed tiles as (row, column, tile code) in reading order."""
        row, column = self.row, self.column
        if self.down:
            return [(row + step, column, code) for step, code in enumerate(self.tiles) if code]
        return [(row, column + step, code) for step, code in enumerate(self.tiles) if code]


@dataclass(frozen=True, slots=True)
class Exchange:
    """An exchange returns tiles to the bag; `tiles` are their codes in ascending order, 0 for a blank.

    `alphabet` gives the letters when the exchange is printed; comparisons ignore it. Immutable.
    """

    tiles: bytes
    alphabet: Alphabet | None = dataclasses.field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", bytes(sorted(self.tiles)))

    def __str__(self) -> str:
        """Write the exchange in the notation of records: "-QV"."""
        return f"-{Rack(self.tiles, self.alphabet)}"

    def __repr__(self) -> str:
        return f"Exchange({self.tiles if self.alphabet is None else str(self)[1:]!r})"


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass neither places nor exchanges tiles."""

    def __str__(self) -> str:
        """Write the pass in the notation of records: "-"."""
        return "-"


Move: TypeAlias = Play | Exchange | Pass
