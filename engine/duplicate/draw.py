"""Draw the racks of a game of duplicate: seeded, and by the minimum of vowels and consonants."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from engine.position.drawing import shuffled
from engine.position.rack import Rack

if TYPE_CHECKING:
    from engine.duplicate.rules import DuplicateRules
    from engine.rules import TileSet


def draw_rack(
    left: Rack, leave: Rack, size: int, number: int, seed: int, tiles: TileSet, rules: DuplicateRules
) -> Rack:
    """Return the rack of a round, where `can_draw` says that there is one.

    `left`: all tiles that are not on the board; `leave`: those of them that stay on the rack; `size`: of a
    full rack; `number`: that of the round, from 1. If the leave and the tiles drawn for it lack vowels or
    consonants, all tiles go back, and a whole rack is drawn until it has enough.
    """
    stays = leave if rules.keeps_leave else Rack()
    for attempt in count():
        bag = left.without(stays.tiles).tiles
        order = shuffled(bag, f"duplicate 1 {seed} {number} {attempt}")
        rack = Rack(stays.tiles + order[: size - len(stays)], tiles.alphabet)
        if is_allowed(rack, left, number, tiles, rules):
            return rack
        stays = Rack()
    raise AssertionError  # `count` has no end


def is_allowed(rack: Rack, left: Rack, number: int, tiles: TileSet, rules: DuplicateRules) -> bool:
    """Return whether a rack has enough vowels and consonants; `left`: all tiles not on the board."""
    if len(rack) == len(left) and not rules.last_rack:
        return True
    return _has_least(rack, number, tiles, rules)


def can_draw(left: Rack, size: int, number: int, tiles: TileSet, rules: DuplicateRules) -> bool:
    """Return whether the tiles left hold a rack that the rules allow."""
    if not len(left) or (rules.full_racks and len(left) < size):
        return False
    if len(left) <= size:
        return is_allowed(left, left, number, tiles, rules)
    return size >= 2 * _least(number, rules) and _has_least(left, number, tiles, rules)


def _least(number: int, rules: DuplicateRules) -> int:
    return rules.early_least if number <= rules.early_rounds else rules.least


def _has_least(rack: Rack, number: int, tiles: TileSet, rules: DuplicateRules) -> bool:
    """Return whether tiles hold enough vowels and consonants, and what counts as either for those lacking."""
    letters = [code for code in rack.tiles if code]
    either = [code for code in letters if tiles.alphabet.letter(code) in rules.either]
    vowels = [code for code in letters if tiles.is_vowel[code] and code not in either]
    consonants = len(letters) - len(either) - len(vowels)
    spare = len(either)
    if rules.blanks_count or number <= rules.early_rounds:
        spare += len(rack) - len(letters)
    least = _least(number, rules)
    return max(0, least - len(vowels)) + max(0, least - consonants) <= spare
