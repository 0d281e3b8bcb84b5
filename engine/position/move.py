"""The three kinds of moves: a play, an exchange and a pass."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engine.position.rack import Rack

if TYPE_CHECKING:
    from engine.rules import Alphabet


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
    """Put tiles back for as many new ones; `tiles` are their codes in ascending order, 0 a blank.

    `alphabet` names the tiles when the exchange is printed; it has no part in comparisons.
    """

    tiles: bytes
    alphabet: Alphabet | None = dataclasses.field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", bytes(sorted(self.tiles)))

    def __str__(self) -> str:
        """Write the exchange as records do: "-QV"."""
        return f"-{Rack(self.tiles, self.alphabet)}"

    def __repr__(self) -> str:
        return f"Exchange({self.tiles if self.alphabet is None else str(self)[1:]!r})"


@dataclass(frozen=True, slots=True)
class Pass:
    """Play nothing and exchange nothing."""

    def __str__(self) -> str:
        """Write the pass as records do: "-"."""
        return "-"


Move: TypeAlias = Play | Exchange | Pass
