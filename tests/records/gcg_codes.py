"""What the reader and the replay of a record find wrong with it, as codes."""

from __future__ import annotations

from engine.records.gcg import read_gcg, replay_game

TWO = "#player1 a Ann\n#player2 b Bob\n"
WAITE = TWO + ">a: AEITW 8D WAITE +24 24\n"


def codes(text: str | bytes) -> list[str]:
    """Return the codes of all faults, and of the warnings in brackets."""
    reading = read_gcg(text)
    replay = replay_game(reading.record)
    found = [*reading.faults, *reading.warnings, *replay.faults, *replay.warnings]
    return [f"({fault.code})" if fault.warning else fault.code for fault in found]
