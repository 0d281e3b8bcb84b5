"""The moves that the library returns; a play knows its text and its score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.position import Exchange, Pass
from engine.position import Play as Placement


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Play(Placement):
    """A play: tiles placed on one line of the board.

    `text`: the play as records write it ("8D RE.sINA"; "." is a tile already on the board, a lower-case
    letter a blank); `score`: its points. Plays are equal if they place the same tiles on the same squares.
    """

    text: str
    score: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Placement) and self._where == (
            other.row,
            other.column,
            other.down,
            other.tiles,
        )

    def __hash__(self) -> int:
        return hash(self._where)

    @property
    def _where(self) -> tuple[int, int, bool, tuple[int, ...]]:
        return self.row, self.column, self.down, self.tiles

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Play({self.text!r}, {self.score})"


Move: TypeAlias = Play | Exchange | Pass
