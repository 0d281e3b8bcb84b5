"""Duplicate: every player has the same board and rack, and the arbiter lays the top for all.

Begin with `DuplicateGame` (`game.py`): an immutable state, whose `play` takes the slips of rounds and returns
the next one. `draw` draws racks by the `DuplicateRules` of a federation, `slips` reads and judges what
players write, `standings` counts points and ranks players, and `saved` holds a game as text.
"""

from engine.duplicate.game import MAX_SEED, DuplicateGame
from engine.duplicate.round import Round
from engine.duplicate.rules import DuplicateRules, duplicate_rule_ids, duplicate_rules
from engine.duplicate.saved import FORMAT as DUPLICATE_FORMAT
from engine.duplicate.slips import MARKS as SLIP_MARKS
from engine.duplicate.slips import MAX_NAME, MAX_WORD, JudgedSlip, Slip, read_slips
from engine.duplicate.standings import Entry, Standing

__all__ = [
    "DUPLICATE_FORMAT",
    "MAX_NAME",
    "MAX_SEED",
    "MAX_WORD",
    "SLIP_MARKS",
    "DuplicateGame",
    "DuplicateRules",
    "Entry",
    "JudgedSlip",
    "Round",
    "Slip",
    "Standing",
    "duplicate_rule_ids",
    "duplicate_rules",
    "read_slips",
]
