"""The rules of the games: letters, tile sets, board layouts and rule sets.

All of it is data, read from the files under `data/` or given by a caller; nothing here knows a
position. Tile codes (`Alphabet`) are the common language of everything above.
"""

from engine.rules.alphabet import BLANK_FLAG, MAX_LETTERS, Alphabet
from engine.rules.board_layout import MAX_SIDE, MIN_SIDE, BoardLayout, board_layout, board_layout_ids
from engine.rules.rule_set import (
    CHALLENGE_RULES,
    ENDINGS,
    RuleSet,
    default_rule_set,
    rule_set,
    rule_set_ids,
)
from engine.rules.tile_set import TileSet, tile_set, tile_set_ids

__all__ = [
    "BLANK_FLAG",
    "CHALLENGE_RULES",
    "ENDINGS",
    "MAX_LETTERS",
    "MAX_SIDE",
    "MIN_SIDE",
    "Alphabet",
    "BoardLayout",
    "RuleSet",
    "TileSet",
    "board_layout",
    "board_layout_ids",
    "default_rule_set",
    "rule_set",
    "rule_set_ids",
    "tile_set",
    "tile_set_ids",
]
