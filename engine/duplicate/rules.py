"""The rules in which federations differ in duplicate."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from engine.errors import NotFound, check_known
from engine.messages import Text
from engine.rules.data_files import data_text

BY_POINTS: Final = "points"
BY_PERCENT: Final = "percent"
DEFAULT_ID: Final = "french"


@dataclass(frozen=True)
class DuplicateRules:
    """Hold the rules of duplicate of a federation; immutable.

    A rack needs `early_least` vowels and as many consonants in the first `early_rounds` rounds, later
    `least`. The letters `either`, and blanks, count as what is lacking; after the early rounds blanks do only
    if `blanks_count`. `last_rack`: whether that also holds for the rack that empties the bag.

    `keeps_leave`: whether the leave of the top stays, or all tiles are drawn anew; `full_racks`: whether the
    game ends when the tiles left do not fill a rack; `blanks_return`: whether the tile of its letter, if one
    is left, replaces a blank on the board, which goes back into the bag.

    `solo_bonus`: points for the only player who finds the top; `best_bonus`: for the only player with the
    best play below it, if nobody finds it; both need `solo_players` players, and a player gets at most
    `most_bonus` points in a game. Each warning after the first `free_warnings` costs `penalty` points;
    0: nothing is warned. `ranking`: by BY_POINTS, the total, or BY_PERCENT, the mean percentage of the tops.
    """

    id: str
    federation: str = ""
    language: str = ""
    early_rounds: int = 0
    early_least: int = 1
    least: int = 1
    either: tuple[str, ...] = ()
    blanks_count: bool = True
    last_rack: bool = True
    keeps_leave: bool = True
    full_racks: bool = False
    blanks_return: bool = False
    solo_bonus: int = 0
    best_bonus: int = 0
    most_bonus: int = 1_000
    solo_players: int = 2
    free_warnings: int = 0
    penalty: int = 0
    ranking: str = BY_POINTS


def duplicate_rules(id: str) -> DuplicateRules:  # noqa: A002 - the public name of the field
    """Return the rules of duplicate by their name, such as "french"; raise NotFound naming the known ones."""
    check_known(
        Text("rule set"),
        id,
        duplicate_rule_ids(),
        code="unknown_rule_set",
        field="rules",
        error=NotFound,
    )
    values = {name: value for name, value in _data()[id].items() if name not in ("default_for", "note")}
    return DuplicateRules(id, **{**values, "either": tuple(values.get("either", ()))})


@lru_cache(maxsize=1)
def duplicate_rule_ids() -> tuple[str, ...]:
    """List the names of the rules of duplicate, sorted."""
    return tuple(sorted(_data()))


def default_duplicate_rules(tile_set_id: str) -> DuplicateRules:
    """Return the default rules of duplicate of a tile set, those of french for a set without any."""
    named = [name for name, values in _data().items() if tile_set_id in values["default_for"]]
    return duplicate_rules(named[0] if named else DEFAULT_ID)


@lru_cache(maxsize=1)
def _data() -> dict[str, dict[str, Any]]:
    return tomllib.loads(data_text("duplicate.toml"))
