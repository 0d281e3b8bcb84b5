"""The proof of a generator in one line: numbers and a hash that any other engine can compute.

The name is chess's (*performance test, move path enumeration*). Conventions of the field: a play of one
tile counts once; a blank and the letter it stands for are different plays; an exchange is a different
multiset of tiles, and there are none while the bag holds fewer tiles than the rules ask for.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.position import Play, Position
    from engine.rules import Alphabet


@dataclass(frozen=True, slots=True)
class Perft:
    """Hold the figures of one position: counts, points, and the hash of every play with its score."""

    plays: int
    exchanges: int
    top_score: int
    sum_of_scores: int
    moves_sha256: str


def perft(position: Position, plays: Iterable[tuple[Play, int]]) -> Perft:
    """Count and hash the plays found in a position, given with their scores in any order.

    `top_score` is 0 where there is no play. Passes are never counted.
    """
    found = list(plays)
    scores = [score for _, score in found]
    return Perft(
        plays=len(found),
        exchanges=exchange_count(position),
        top_score=max(scores, default=0),
        sum_of_scores=sum(scores),
        moves_sha256=moves_sha256(found, position.tile_set.alphabet),
    )


def exchange_count(position: Position) -> int:
    """Count the different multisets of tiles that the player on turn may exchange."""
    if position.bag_count() < position.rules.exchange_limit:
        return 0
    tiles = position.rack.tiles
    return prod(tiles.count(code) + 1 for code in set(tiles)) - 1


def moves_sha256(plays: Iterable[tuple[Play, int]], alphabet: Alphabet) -> str:
    """Return the SHA-256, in hexadecimal digits, of the sorted lines of the plays, joined by newlines."""
    lines = sorted(move_line(play, score, alphabet) for play, score in plays)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def move_line(play: Play, score: int, alphabet: Alphabet) -> str:
    """Write a play as `row,column=TILE;row,column=TILE;#score`.

    Only new tiles, in reading order, rows and columns from 0; a tile as boards write it, so a designated
    blank is in lower case and a tile of several letters in brackets.
    """
    tiles = [f"{row},{column}={alphabet.text([code])};" for row, column, code in play.placements()]
    return f"{''.join(tiles)}#{score}"
