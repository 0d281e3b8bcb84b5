"""The rules of the games: alphabets, tile sets, board layouts and rule sets.

`tile_set("english")`, `board_layout("standard15")` and `rule_set("english")` load them from the files in
`data/`; a caller can also build a `TileSet`, `BoardLayout` or `RuleSet`. `Alphabet` defines the tile codes
that the whole engine uses; open it first. `game_end` decides when a game ends, and a `TimeControl` how much
time it may take.
"""

from engine.rules.alphabet import BLANK_FLAG, MAX_LETTERS, Alphabet
from engine.rules.board_layout import MAX_SIDE, MIN_SIDE, BoardLayout, board_layout, board_layout_ids
from engine.rules.equipment_text import TextFault, text_faults
from engine.rules.rule_set import (
    CHALLENGE_RULES,
    ENDINGS,
    PENALTIES_PER,
    RuleSet,
    default_rule_set,
    rule_set,
    rule_set_ids,
)
from engine.rules.tile_set import TileSet, tile_set, tile_set_ids
from engine.rules.time_control import MAX_SECONDS, OVERTIMES, TimeControl

__all__ = [
    "BLANK_FLAG",
    "CHALLENGE_RULES",
    "ENDINGS",
    "MAX_LETTERS",
    "MAX_SECONDS",
    "MAX_SIDE",
    "MIN_SIDE",
    "OVERTIMES",
    "PENALTIES_PER",
    "Alphabet",
    "BoardLayout",
    "RuleSet",
    "TextFault",
    "TileSet",
    "TimeControl",
    "board_layout",
    "board_layout_ids",
    "default_rule_set",
    "rule_set",
    "rule_set_ids",
    "text_faults",
    "tile_set",
    "tile_set_ids",
]
