"""What a record says of a turn: whether it is one, the known part of the rack, and the move as written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.position import Rack
from engine.records import EventKind

if TYPE_CHECKING:
    from engine.position import Position
    from engine.records import ReplayedEvent

MOVES: Final = {EventKind.PLAY: "play", EventKind.EXCHANGE: "exchange", EventKind.PASS: "pass"}
CHALLENGES: Final = (EventKind.PHONY, EventKind.CHALLENGE)
"""Events that say what became of the play before them."""


def is_turn(turn: ReplayedEvent) -> bool:
    """Return whether an event is a turn; a pass after the end of the game and an unreadable play are not."""
    event, others = turn.event, turn.position.players[1:]
    if event.kind not in MOVES or event.player < 0:
        return False
    return not any(player.rack is not None and not player.rack.tiles for player in others)


def with_rack(turn: ReplayedEvent) -> tuple[Position, str]:
    """Return the position with the full rack if record or move determine it, and `rack_known`."""
    position = turn.position
    mover, rules = position.players[0], position.rules
    if mover.rack is not None:
        return position, "known"
    used = b"" if turn.move is None else turn.move.used
    seen = mover.held
    full = Rack(seen.tiles + bytes(seen.missing(used)))
    if len(full) == (mover.tile_count or rules.rack_size):
        return position.with_rack(full), "inferred"
    return position, "partial" if seen.tiles else "unknown"


def recorded_move(turn: ReplayedEvent) -> str:
    """Return the move as the record writes it."""
    event = turn.event
    if event.kind is EventKind.PLAY:
        return f"{event.at} {event.text}"
    return f"-{event.text}"
