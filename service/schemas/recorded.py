"""The position before an event of a recorded game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine import InvalidInput, replay_game

if TYPE_CHECKING:
    from engine import BoardLayout, GameRecord, GcgReading, LineFault, Position, Replay, TileSet

_TILE_PRAGMAS: Final = ("tile-distribution", "lexicon")
_BOARD_PRAGMAS: Final = ("board-layout",)


def recorded_position(
    reading: GcgReading,
    turn: int,
    default: TileSet,
    *,
    tiles: TileSet | None = None,
    layout: BoardLayout | None = None,
) -> Position:
    """Return the position before an event, counted from 1; one after the last is the end of the game.

    `tiles` and `layout` win over what the record says of them, `default` is the tile set if neither says.
    Raises InvalidInput with every fault of the record up to there, by line (a position that followed from
    them would be a guess), and if there is no such event (code "no_such_turn").
    """
    record = _without(reading.record, tiles, layout)
    replay = replay_game(record, tiles or default, layout)
    position = replay.position(turn)
    faults = sorted((*reading.faults, *replay.faults), key=lambda fault: fault.line)
    if any(_matters(fault, replay, turn) for fault in faults):
        raise InvalidInput.collected([fault for fault in faults if _matters(fault, replay, turn)])
    return position


def _without(record: GameRecord, tiles: TileSet | None, layout: BoardLayout | None) -> GameRecord:
    """Return the record without the pragmas that say otherwise than the caller."""
    dropped = (_TILE_PRAGMAS if tiles else ()) + (_BOARD_PRAGMAS if layout else ())
    if tiles and layout:
        dropped += ("game-type",)
    return replace(record, pragmas=tuple(pair for pair in record.pragmas if pair[0] not in dropped))


def _matters(fault: LineFault, replay: Replay, turn: int) -> bool:
    """Tell whether a fault stands before the event, or is about the rack that it begins with."""
    if turn > len(replay.turns):
        return True
    line = replay.turns[turn - 1].event.line
    return fault.line < line or (fault.line == line and fault.field.endswith("/rack"))
