"""What an endgame search found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from engine.position import Pass, Play

Certainty: TypeAlias = Literal["exact", "bounds"]


@dataclass(frozen=True, slots=True)
class LineMove:
    """Hold one move of a line: who makes it (0 is on turn first), its points, both scores after it.

    The last move's scores hold what the end of the game gives and takes.
    """

    player: int
    move: Play | Pass
    score: int
    scores: tuple[int, int]


@dataclass(frozen=True, slots=True)
class EndgameResult:
    """Hold the answer to an endgame.

    `value` is the change of the spread (own points less the other's) to the end of the game for the side on
    turn, `final_spread` the spread then. `certainty` is "exact" only if the value is proven for the rules of
    the position; else `lower` and `upper` are proven bounds on it, and `value` is an estimate between them.
    `best_proven`: no other move is worth more than `best`. `line` is the best play of both sides as far as it
    is known, `line_complete` whether it reaches the end. `depth` is in turns; `table_entries` of
    `table_capacity` were filled; `best_seconds` is the time after which `best` did not change any more.
    """

    method: str
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
