"""Duplicate: every player has the same board and rack, and the arbiter lays the top for all.

Begin with `DuplicateGame` (`game.py`): an immutable state, whose `play` takes the slips of rounds and returns
the next one. `draw` draws racks by the `DuplicateRules` of a federation, `slips` reads and judges what
players write, `standings` counts points and ranks players, and `saved` writes a game as JSON.
"""

from engine.duplicate.game import MAX_SEED, NO_PLAY, NO_RACK, DuplicateGame, Round
from engine.duplicate.rules import BY_PERCENT, DuplicateRules, duplicate_rule_ids, duplicate_rules
from engine.duplicate.saved import duplicate_document, duplicate_of, read_duplicate
from engine.duplicate.slips import (
    INVALID,
    MARKS,
    MAX_NAME,
    MAX_WORD,
    MISPLACED,
    PASS,
    TOP,
    UNCLEAR,
    VALID,
    JudgedSlip,
    Slip,
    read_slips,
)
from engine.duplicate.standings import Entry, Standing

__all__ = [
    "BY_PERCENT",
    "INVALID",
    "MARKS",
    "MAX_NAME",
    "MAX_SEED",
    "MAX_WORD",
    "MISPLACED",
    "NO_PLAY",
    "NO_RACK",
    "PASS",
    "TOP",
    "UNCLEAR",
    "VALID",
    "DuplicateGame",
    "DuplicateRules",
    "Entry",
    "JudgedSlip",
    "Round",
    "Slip",
    "Standing",
    "duplicate_document",
    "duplicate_of",
    "duplicate_rule_ids",
    "duplicate_rules",
    "read_duplicate",
    "read_slips",
]
