"""`perft`: figures of a position that any other engine can compute, to compare generators by.

Chess programs use the name (*performance test, move path enumeration*). As is usual, a play of one tile
counts once, a blank and the letter it stands for are different plays, and an exchange is a multiset of
tiles, no more than the bag holds. With fewer tiles in it than the rules require there are no exchanges.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.movegen.legal_moves import exchange_leaves

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.position import Play, Position
    from engine.rules import Alphabet


@dataclass(frozen=True, slots=True)
class Perft:
    """Hold the figures of one position: counts, points, and a hash of all plays with their scores."""

    plays: int
    exchanges: int
    top_score: int
    sum_of_scores: int
    moves_sha256: str


def perft(position: Position, plays: Iterable[tuple[Play, int]]) -> Perft:
    """Return the figures of a position.

    `plays`: with their scores, in any order. `top_score` is 0 if there is no play. Passes are not counted.
    """
    found = list(plays)
    scores = [score for _, score in found]
    return Perft(
        plays=len(found),
        exchanges=len(exchange_leaves(position)),
        top_score=max(scores, default=0),
        sum_of_scores=sum(scores),
        moves_sha256=moves_sha256(found, position.tile_set.alphabet),
    )


def moves_sha256(plays: Iterable[tuple[Play, int]], alphabet: Alphabet) -> str:
    """Return the SHA-256, in hexadecimal digits, of the sorted lines of the plays, joined by newlines."""
    lines = sorted(move_line(play, score, alphabet) for play, score in plays)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def move_line(play: Play, score: int, alphabet: Alphabet) -> str:
    """Write a play as `row,column=TILE;row,column=TILE;#score`.

    It names the new tiles in reading order, with rows and columns from 0, written as on boards: a designated
    blank in lower case, a tile of several letters in brackets.
    """
    tiles = [f"{row},{column}={alphabet.text([code])};" for row, column, code in play.placements()]
    return f"{''.join(tiles)}#{score}"
