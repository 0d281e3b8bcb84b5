"""Game records in GCG ([GCG]): read them, replay them, write them.

`read_gcg` reads a text into a `GameRecord`, which contains all of it, and reports faults by line; it reads
the JSON of Woogles and Macondo (`game_history`) too.
`replay_game` plays the record through and returns the position before each event, with everything that
disagrees with the rules. `format_gcg` writes a record. Open `record` first, then `reader` and `replay`.
"""

from engine.records.gcg.encoding import MAX_GCG
from engine.records.gcg.game_history import format_history
from engine.records.gcg.reader import GcgReading, parse_gcg, read_gcg
from engine.records.gcg.record import Event, EventKind, GameRecord, LineFault, PlayerName
from engine.records.gcg.replay import Replay, ReplayedEvent, recorded_tile_set, replay_game
from engine.records.gcg.writer import format_gcg

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
    "format_gcg",
    "format_history",
    "parse_gcg",
    "read_gcg",
    "recorded_tile_set",
    "replay_game",
]
