"""The result of a turn of a game that is played move by move: dataclasses that are encoded as JSON.

As in `engine.analysis.report`, the fields are encoded in the order in which they stand here, under the names
that the HTTP API documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.analysis.report import MoveFault, MoveReport, PositionReport, Provenance


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """Hold what is known of a player before the next turn: the `rack`, or else the `known_tiles` of it."""

    score: int
    rack: str | None
    known_tiles: str | None
    tile_count: int | None
    last_move: str | None


@dataclass(frozen=True, slots=True)
class NextTurn:
    """Hold the state after a move; `players[0]` is on turn, and the one who moved is the last.

    The next request needs `cgp`, `passes` and, if the last one gave it, `bag`. `to_draw`: how many tiles the
    caller must draw for the player who moved, 0 if they were drawn from the given bag. `time_left`: the
    seconds that each player has left for the game, in the order of `players`; None without such a limit.
    """

    cgp: str
    id: str
    players: tuple[PlayerReport, ...]
    zero_turns: int
    passes: int
    bag: str | None
    bag_count: int
    to_draw: int
    time_left: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class SettledPlayer:
    """Hold a player's score before the end and after it.

    `left`: the tiles left, None if they are unknown; `adjustment`: what the tiles left on all racks add;
    `penalty`: points lost for time; `rank`: from 1, equal final scores share one.
    """

    score: int
    left: str | None
    adjustment: int
    penalty: int
    final: int
    rank: int
    won: bool


@dataclass(frozen=True, slots=True)
class GameEnd:
    """Say how a game ended: "went_out", "zero_turns", "all_passed" or "time"; `players` as in `NextTurn`."""

    reason: str
    players: tuple[SettledPlayer, ...]


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """Hold a turn: the position before it, the move, the tiles drawn, and the state after it.

    `asked`: the text of the move, or None and the `level` of the computer player that chose it. An illegal
    move has a `fault` and changes nothing. `search`: how the computer player chose, "equity" or one of
    PHASES. `time_up`: "move" if the player passes because the time for the move has run out; "game" if the
    player loses the game by time, and the move is not made. `over`: how the turn ended the game; then `next`
    holds the scores without its adjustments, and is None if the game was lost by time.
    """

    position: PositionReport
    level: int | None
    asked: str | None
    legal: bool
    move: MoveReport | None
    fault: MoveFault | None
    drawn: str | None
    time_up: str | None
    next: NextTurn | None
    over: GameEnd | None
    search: str | None
    provenance: Provenance
