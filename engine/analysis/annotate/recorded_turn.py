"""What a record says of a turn: whether it is one, the known part of the rack, and the move as written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.analysis.move_report import missing_tiles, used_tiles
from engine.position import Rack
from engine.records import EventKind

if TYPE_CHECKING:
    from engine.position import Position
    from engine.records import Turn

MOVES: Final = {EventKind.PLAY: "play", EventKind.EXCHANGE: "exchange", EventKind.PASS: "pass"}
CHALLENGES: Final = (EventKind.PHONY, EventKind.CHALLENGE)
"""Events that say what became of the play before them."""


def is_turn(turn: Turn) -> bool:
    """Return whether an event is a turn; a pass after the end of the game and an unreadable play are not."""
    event, others = turn.event, turn.position.players[1:]
    if event.kind not in MOVES or event.player < 0:
        return False
    return not any(player.rack is not None and not player.rack.tiles for player in others)


def with_rack(turn: Turn) -> tuple[Position, str]:
    """Return the position with the full rack if record or move determine it, and `rack_known`."""
    position = turn.position
    mover, rules = position.players[0], position.rules
    if mover.rack is not None:
        return position, "known"
    used = b"" if turn.move is None else used_tiles(turn.move)
    seen = mover.held
    full = Rack(seen.tiles + bytes(missing_tiles(used, seen)))
    if len(full) == (mover.tile_count or rules.rack_size):
        seated = replace(mover, rack=full, known_tiles=None, tile_count=None)
        return replace(position, players=(seated, *position.players[1:])), "inferred"
    return position, "partial" if seen.tiles else "unknown"


def recorded_move(turn: Turn) -> str:
    """Return the move as the record writes it."""
    event = turn.event
    if event.kind is EventKind.PLAY:
        return f"{event.at} {event.text}"
    return f"-{event.text}"
