"""GCG, the text of a whole game: read it, play it through, write it.

`read_gcg` takes a text apart and keeps all of it, `replay_game` says what it means: the position before each
event, and what disagrees with the rules.
"""

from engine.records.gcg.reader import GcgReading, parse_gcg, read_gcg
from engine.records.gcg.record import Event, EventKind, GameRecord, LineFault, PlayerName
from engine.records.gcg.replay import Replay, Turn, replay_game
from engine.records.gcg.writer import format_gcg

__all__ = [
    "Event",
    "EventKind",
    "GameRecord",
    "GcgReading",
    "LineFault",
    "PlayerName",
    "Replay",
    "Turn",
    "format_gcg",
    "parse_gcg",
    "read_gcg",
    "replay_game",
]
