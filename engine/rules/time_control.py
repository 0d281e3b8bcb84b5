"""How much time players have, and what happens when it runs out."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

from engine.errors import Fault, InvalidInput
from engine.messages import Text

POINTS: Final = "points"
LOSS: Final = "loss"
OVERTIMES: Final = (POINTS, LOSS)
MAX_SECONDS: Final = 1_000_000
"""The longest time of a move or a game: eleven days."""

MINUTE: Final = 60
POINTS_A_MINUTE: Final = 10


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Hold the time limits of a game; immutable ([Cipra2006], section 7.2.4; [WESPA], [NASPA]).

    `per_game`, `per_move`: seconds that each player has for all moves, and for each; None for no limit. A
    player whose time for a move runs out passes. `overtime`: the cost of running out of time for the game:
    "points" (10 points for each minute that has begun, subtracted at the end) or "loss" of the game. Raises
    InvalidInput for other values.
    """

    per_game: float | None = None
    per_move: float | None = None
    overtime: str = POINTS

    def __post_init__(self) -> None:
        faults = []
        for name in ("per_game", "per_move"):
            seconds = getattr(self, name)
            if seconds is not None and not (is_seconds(seconds) and seconds > 0):
                detail = Text(
                    "the time {name} must be more than 0 and at most {most} seconds",
                    name=name,
                    most=MAX_SECONDS,
                )
                faults.append(Fault("bad_time", detail, f"time/{name}"))
        if self.overtime not in OVERTIMES:
            detail = Text("overtime must be one of {known}", known=list(OVERTIMES))
            faults.append(Fault("bad_time", detail, "time/overtime"))
        if faults:
            raise InvalidInput.collected(faults)

    def __bool__(self) -> bool:
        """Return whether there is a limit."""
        return self.per_game is not None or self.per_move is not None

    def move_is_over(self, taken: float) -> bool:
        """Return whether a player who has taken `taken` seconds for a move must pass."""
        return self.per_move is not None and taken > self.per_move

    def counted(self, taken: float) -> float:
        """Return how many of the seconds taken for a move count: not those after its end."""
        return taken if self.per_move is None else min(taken, self.per_move)

    def is_lost(self, left: float) -> bool:
        """Return whether a player with `left` seconds, negative once time has run out, loses the game."""
        return left < 0 and self.overtime == LOSS

    def penalty(self, left: float) -> int:
        """Return the points that a player with `left` seconds at the end of the game loses."""
        return POINTS_A_MINUTE * ceil(max(0, -left) / MINUTE) if self.overtime == POINTS else 0


NO_LIMITS: Final = TimeControl()


def is_seconds(value: object) -> bool:
    """Return whether a value is a number of seconds, from 0 to MAX_SECONDS."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= MAX_SECONDS
