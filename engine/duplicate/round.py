"""A round of duplicate: its rack, the tops, and the slips of the players."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engine.evaluation.leave_table import find_leave_table
from engine.loaded_board import LoadedBoard
from engine.position import BLANK_FLAG, Position
from engine.search.lending import valued_moves

if TYPE_CHECKING:
    from engine.duplicate.slips import JudgedSlip
    from engine.lexicon import Lexicon
    from engine.position import Play, Rack

MAX_LISTED: Final = 20
"""The most tops, and the most plays below them, that a round lists."""


@dataclass(frozen=True, slots=True)
class Round:
    """Hold a round: what was drawn, the best plays, and what the players made of it.

    `position`: the board before the round, with its rack; `tops`: the plays with the most points, the default
    choice first; `sub_tops`: those with the next most points, of both at most MAX_LISTED; `top`: the play
    laid on the board, or to be laid by default; `slips`: judged, none before the round is closed.
    """

    number: int
    position: Position
    tops: tuple[Play, ...]
    sub_tops: tuple[Play, ...]
    top: Play
    slips: tuple[JudgedSlip, ...] = ()

    @property
    def rack(self) -> Rack:
        """The rack that all players have."""
        return self.position.rack


def open_round(number: int, position: Position, lexicon: Lexicon) -> Round | None:
    """Return the round of a position, None if its rack has no play.

    Of its tops, those with the fewest blanks come first, then those with the best leave.
    """
    board = LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)
    evaluator = "greedy" if find_leave_table(lexicon) is None else "static"
    plays = valued_moves(position, board, lexicon, evaluator).plays
    scores = plays.array["score"]
    if not len(scores):
        return None
    top, below = scores == scores.max(), scores[scores < scores.max()]
    order = plays.best(int(top.sum()) + MAX_LISTED).tolist()
    first = [at for at in order if top[at]]
    first.sort(key=lambda at: (int(plays.array["blanks"][at]).bit_count(), -int(plays.array["equity"][at])))
    second = [at for at in order if len(below) and scores[at] == below.max()]
    tops = plays.moves(first[:MAX_LISTED], position)
    return Round(number, position, tuple(tops), tuple(plays.moves(second[:MAX_LISTED], position)), tops[0])


def without_blanks(position: Position, play: Play) -> Position:
    """Return a position with tiles in place of the blanks of a play, as far as tiles are left."""
    board, left = position.board, position.unseen_tiles
    squares = bytearray(board.squares)
    for row, column, code in play.placements():
        letter = code & ~BLANK_FLAG
        if code & BLANK_FLAG and not left.missing(bytes([letter])):
            squares[row * board.side + column] = letter
            left = left.without(bytes([letter]))
    return replace(position, board=replace(board, squares=bytes(squares)))
