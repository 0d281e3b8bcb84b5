"""The result of an endgame search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from engine.position import Pass, Play

Certainty: TypeAlias = Literal["exact", "bounds"]


@dataclass(frozen=True, slots=True)
class LineMove:
    """Hold one move of a line: the player (0 is on turn first), the points, and both scores after it.

    The scores after the last move include what the end of the game adds.
    """

    player: int
    move: Play | Pass
    score: int
    scores: tuple[int, int]


@dataclass(frozen=True, slots=True)
class EndgameResult:
    """Hold the result of an endgame search.

    `value`: change of the spread to the end of the game, for the side on turn;
    `final_spread`: the spread then. `certainty`: "exact" if the value is proven; else `lower` and `upper` are
    proven bounds and `value` is an estimate between them. `best_proven`: no other move has a higher value
    than `best`. `line`: the best play of both sides as far as it is known; `line_complete`: it reaches the
    end of the game. `depth`: in turns. `table_entries`, `table_capacity`: entries of the transposition table
    filled and available. `best_seconds`: time after which `best` did not change any more.
    """

    value: int
    lower: int
    upper: int
    final_spread: int
    certainty: Certainty
    best: Play | Pass
    best_proven: bool
    line: tuple[LineMove, ...]
    line_complete: bool
    nodes: int
    depth: int
    table_entries: int
    table_capacity: int
    seconds: float
    best_seconds: float
