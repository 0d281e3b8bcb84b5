"""Score a recorded play, and find out whether it touches tiles of the board."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from engine.rules import BLANK_FLAG

if TYPE_CHECKING:
    from engine.position import Play
    from engine.rules import BoardLayout, RuleSet, TileSet


class ScoringTables(NamedTuple):
    """Hold the value of each tile code (0 for blanks) and the factors of each square, row by row."""

    values: bytes
    letters: bytes
    words: bytes


@lru_cache(maxsize=64)
def scoring_tables(tile_set: TileSet, layout: BoardLayout) -> ScoringTables:
    """Return the tables for a tile set and a layout."""
    values = bytearray(256)
    for code, value in enumerate(tile_set.values):
        values[code] = value
    assert tile_set.alphabet.size < BLANK_FLAG  # noqa: S101 - so the value of blanks is 0
    return ScoringTables(bytes(values), layout.letter_factors.tobytes(), layout.word_factors.tobytes())


class Scored(NamedTuple):
    """Hold the points of a play, the number of tiles placed, and whether it touches a tile of the board."""

    points: int
    placed: int
    touches: bool


def score_play(squares: bytes, side: int, play: Play, tables: ScoringTables, rules: RuleSet) -> Scored:
    """Score a play with its bingo bonus ([Heuri], section 3.2).

    `squares` are the tile codes of the board before the play, `side` x `side` of them. `play` must contain
    its main word completely, as `parse_move` returns it.
    """
    values, letter_factors, word_factors = tables
    step, cross, line = (side, 1, play.column) if play.down else (1, side, play.row)
    at = play.row * side + play.column
    main = crossing = placed = 0
    factor = 1
    touches = False
    for code in play.tiles:
        if code:
            placed += 1
            points = values[code] * letter_factors[at]
            main += points
            factor *= word_factors[at]
            before, room = at - cross, line
            while room > 0 and squares[before]:
                before, room = before - cross, room - 1
            after, room = at + cross, side - 1 - line
            while room > 0 and squares[after]:
                after, room = after + cross, room - 1
            if after - before > 2 * cross:
                touches = True
                lying = sum([values[code] for code in squares[before + cross : after : cross]])
                crossing += (lying + points) * word_factors[at]
        else:
            touches = True
            main += values[squares[at]]
        at += step
    bonus = rules.bingo_bonus if placed == rules.bingo_tiles else 0
    return Scored(main * factor + crossing + bonus, placed, touches)
