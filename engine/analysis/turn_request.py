"""The request for a turn of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.rules.time_control import NO_LIMITS
from engine.search.levels import MAX_LEVEL

if TYPE_CHECKING:
    from engine.position import Position, Rack
    from engine.rules import TimeControl

SEARCHED_PLAYERS: Final = 2
"""The highest level searches games of this number of players only; of others it goes by equity."""


@dataclass(frozen=True, slots=True)
class TurnTime:
    """Hold the times of a turn in seconds.

    `taken`: by the player on turn for this move; `left`: for each player what was left for the game before
    the turn, the one on turn first, less than 0 if overstepped, and empty without such a limit; `control`:
    the time per move, and what overstepping costs.
    """

    taken: float
    left: tuple[float, ...] = ()
    control: TimeControl = NO_LIMITS

    @property
    def left_after(self) -> tuple[float, ...]:
        """What is left after the turn, in the order of `left`."""
        if not self.left:
            return ()
        return (round(self.left[0] - self.control.counted(self.taken), 3), *self.left[1:])

    @property
    def up(self) -> str | None:
        """What has run out: "game" if the game is lost by it, "move" if the player must pass, else None."""
        if any(map(self.control.is_lost, self.left_after[:1])):
            return "game"
        return "move" if self.control.move_is_over(self.taken) else None


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """Ask for a turn: with `move`, a text for `parse_move`, or by a computer player of a `level`.

    `bag`: the tiles in the bag, None if the caller draws; `seed`: of the draws, and of the computer player's
    errors and simulations; `drawn`: the tiles drawn from the bag, None for those that follow from the seed;
    `passes`: how many passes in a row came before this turn; `max_ms`: milliseconds
    after which the search of the highest level stops, None to limit only its work; `time`: the times of the
    players, None for a game without a clock; `allow_phonies`: whether a play with an invalid word stands
    until it is challenged, rather than being illegal.
    """

    position: Position
    move: str | None = None
    level: int | None = None
    seed: int = 0
    bag: Rack | None = None
    passes: int = 0
    max_ms: int | None = None
    time: TurnTime | None = None
    allow_phonies: bool = False
    drawn: Rack | None = None

    @property
    def is_search(self) -> bool:
        """Whether the move is searched for up to about a second: that of the highest level, if in time."""
        in_time = self.time is None or self.time.up is None
        return in_time and self.level == MAX_LEVEL and len(self.position.players) == SEARCHED_PLAYERS
