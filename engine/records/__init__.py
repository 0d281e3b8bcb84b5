"""Records: the texts of the field, read into positions and written from them."""

from engine.records.cgp import format_cgp, parse_cgp
from engine.records.gcg import (
    Event,
    EventKind,
    GameRecord,
    GcgReading,
    LineFault,
    PlayerName,
    Replay,
    Turn,
    format_gcg,
    parse_gcg,
    read_gcg,
    replay_game,
)
from engine.records.operations import read_operations

__all__ = [
    "Event",
    "EventKind",
    "GameRecord",
    "GcgReading",
    "LineFault",
    "PlayerName",
    "Replay",
    "Turn",
    "format_cgp",
    "format_gcg",
    "parse_cgp",
    "parse_gcg",
    "read_gcg",
    "read_operations",
    "replay_game",
]
