"""The position before an event of a recorded game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import InvalidInput, Notice, replay_game

if TYPE_CHECKING:
    from engine import BoardLayout, Fault, GameRecord, GcgReading, LineFault, Position, Replay, TileSet

_TILE_PRAGMAS: Final = ("tile-distribution", "lexicon")
_BOARD_PRAGMAS: Final = ("board-layout",)


def recorded_position(
    reading: GcgReading,
    turn: int,
    default: TileSet,
    *,
    tiles: TileSet | None = None,
    layout: BoardLayout | None = None,
) -> tuple[Position, tuple[Notice, ...]]:
    """Return the position before an event, and warnings about the record as a whole.

    `turn` counts events from 1; one more than the last is the end of the game. `tiles` and `layout` replace
    those of the record; `default` is the tile set if neither names one. Raises InvalidInput with every fault
    of the record up to the event, by line, and with the code "no_such_turn" if there is no such event.
    """
    record = _without(reading.record, tiles, layout)
    if len(record.players) < 2 and reading.faults:  # the text is no record
        wrong = [fault for fault in reading.faults if not fault.warning]
        raise InvalidInput.collected(wrong or list(reading.faults))
    replay = replay_game(record, tiles or default, layout)
    faults: list[Fault] = []
    position = None
    try:
        position = replay.position(turn)
    except InvalidInput as error:
        faults += error.faults
    found = sorted((*reading.faults, *replay.faults), key=lambda fault: fault.line)
    faults += [fault for fault in found if _matters(fault, replay, turn)]
    if faults or position is None:
        raise InvalidInput.collected(faults)
    of_events = {event.line for event in replay.record.events}
    about_record = [fault for fault in replay.warnings if not fault.line or fault.line not in of_events]
    return position, tuple([Notice(fault.code, dict(fault.params), fault.detail) for fault in about_record])


def _without(record: GameRecord, tiles: TileSet | None, layout: BoardLayout | None) -> GameRecord:
    """Return the record without the pragmas that the caller overrides."""
    dropped = (_TILE_PRAGMAS if tiles else ()) + (_BOARD_PRAGMAS if layout else ())
    if tiles and layout:
        dropped += ("game-type",)
    return record.without(dropped)


def _matters(fault: LineFault, replay: Replay, turn: int) -> bool:
    """Return whether a fault is before the event, or concerns the rack with which the event begins."""
    if turn > len(replay.turns):
        return True
    line = replay.turns[turn - 1].event.line
    return fault.line < line or (fault.line == line and fault.field.endswith("/rack"))
