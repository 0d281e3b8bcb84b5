"""What a turn leads to; the order of the fields is the order in which they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.analysis.result import MoveFault, MoveReport, PositionReport, Provenance


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """Hold what is known of a player before the next turn: `rack`, or else `known_tiles`, part of it."""

    score: int
    rack: str | None
    known_tiles: str | None
    tile_count: int | None
    last_move: str | None


@dataclass(frozen=True, slots=True)
class NextTurn:
    """Hold the state after a move: the player to move comes first, the one who has moved last.

    `cgp` and `passes` (and `bag`, if it was given) are what the next request needs; `to_draw` is how many
    tiles the caller has to draw for the player who has moved, 0 if they were drawn from the bag given.
    """

    cgp: str
    id: str
    players: tuple[PlayerReport, ...]
    zero_turns: int
    passes: int
    bag: str | None
    bag_count: int
    to_draw: int


@dataclass(frozen=True, slots=True)
class SettledPlayer:
    """Hold a player's score, tiles left, what these add to the score, and the final score."""

    score: int
    left: str
    adjustment: int
    final: int
    won: bool


@dataclass(frozen=True, slots=True)
class GameEnd:
    """Say how a game ended ("went_out", "zero_turns", "all_passed"); the players as in NextTurn."""

    reason: str
    players: tuple[SettledPlayer, ...]


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """Hold a turn: the position before it, the move, what was drawn, and the state after it.

    An illegal move has a `fault` and changes nothing.  `search`: how a level chose, "equity" or a phase of
    `search.phase`.  `next` is there also after the last move, with the
    scores before the adjustments that `over` gives.
    """

    position: PositionReport
    level: int | None
    asked: str | None
    legal: bool
    move: MoveReport | None
    fault: MoveFault | None
    drawn: str | None
    next: NextTurn | None
    over: GameEnd | None
    search: str | None
    provenance: Provenance
