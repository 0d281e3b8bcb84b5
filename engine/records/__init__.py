"""Records: positions as CGP ([CGP]) and games as GCG ([GCG]), read and written.

`parse_cgp` and `format_cgp` convert between a CGP and a `Position`. `read_gcg` and `format_gcg` convert
between a GCG and a `GameRecord`; `replay_game` plays a record through. Open `cgp` first, then the package
`gcg`.
"""

from engine.records.cgp import format_cgp, parse_cgp
from engine.records.gcg import (
    MAX_GCG,
    Event,
    EventKind,
    GameRecord,
    GcgReading,
    LineFault,
    PlayerName,
    Replay,
    ReplayedEvent,
    format_gcg,
    format_history,
    parse_gcg,
    read_gcg,
    recorded_tile_set,
    replay_game,
)
from engine.records.operations import read_operations, unknown_operations, without_operations

__all__ = [
    "MAX_GCG",
    "Event",
    "EventKind",
    "GameRecord",
    "GcgReading",
    "LineFault",
    "PlayerName",
    "Replay",
    "ReplayedEvent",
    "format_cgp",
    "format_gcg",
    "format_history",
    "parse_cgp",
    "parse_gcg",
    "read_gcg",
    "read_operations",
    "recorded_tile_set",
    "replay_game",
    "unknown_operations",
    "without_operations",
]
