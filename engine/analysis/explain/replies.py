"""The opponent's replies to a move, by a sample of the racks that the opponent may hold.

Every move meets the same racks, so that a difference between two moves is more precise than its parts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.analysis.explain.explanation import Reply
from engine.analysis.move_report import tiles_left, used_tiles
from engine.analysis.valued_moves import ValuedMoves
from engine.evaluation.leave_table import find_leave_table
from engine.position import Play, Rack
from engine.search.outcome import is_over

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen import Plays
    from engine.position import Move, Position

RACKS: Final = 64
"""Racks of a sample. A move of the opponent takes about 0.2 ms for each."""


@dataclass(frozen=True, slots=True)
class Replies:
    """Hold the opponent's best move by equity for each rack: its points, and whether it is a bingo.

    `reach`: for each square the share of the racks that have a play with a tile on it.
    """

    scores: NDArray[np.int64]
    bingos: NDArray[np.bool_]
    reach: NDArray[np.float64]

    @property
    def reply(self) -> Reply:
        """The means."""
        score, bingos = float(self.scores.mean()), float(self.bingos.mean())
        return Reply(round(score, 3), round(bingos, 4), len(self.scores), "sample")

    def difference(self, other: Replies) -> tuple[float, float | None]:
        """Return the mean points less those after another move, and the standard error of that.

        The error is 0 for one rack, which is the opponent's.
        """
        differences = self.scores - other.scores
        count = len(differences)
        error = float(differences.std(ddof=1)) / count**0.5 if count > 1 else 0.0
        return round(float(differences.mean()), 3), round(error, 3)


class ReplySample:
    """Sample the replies to moves of one position."""

    def __init__(self, position: Position, board: LoadedBoard, lexicon: Lexicon, seed: int) -> None:
        """Take the position before the move and its loaded board; `seed`: of the racks."""
        self._position = position
        self._board = board
        self._lexicon = lexicon
        self._evaluator = "greedy" if find_leave_table(lexicon) is None else "static"
        self._racks = opponent_racks(position, seed)

    def after(self, move: Move, score: int) -> Replies | None:
        """Return the replies to a move that scores `score` points, None if it ends the game."""
        position = _position_after(self._position, move, score)
        if is_over(position) or not position.players[-1].tile_count:
            return None
        board = self._board.after(move) if isinstance(move, Play) else self._board
        empty = np.frombuffer(position.board.squares, np.uint8) == 0
        bingo_tiles = position.rules.bingo_tiles
        scores, bingos = [], []
        reach = np.zeros(len(empty), np.int64)
        opponent, *rest = position.players
        for rack in self._racks:
            seated = replace(opponent, rack=rack, known_tiles=None, tile_count=None)
            moves = ValuedMoves(
                replace(position, players=(seated, *rest)), board, self._lexicon, self._evaluator
            )
            best = moves.best()
            scores.append(best.score)
            bingos.append(best.placed == bingo_tiles)
            reach += _covered(moves.plays)
        return Replies(np.array(scores), np.array(bingos), np.where(empty, reach, 0) / len(self._racks))


def opponent_racks(position: Position, seed: int, count: int = RACKS) -> list[Rack]:
    """Return racks that the next player may hold: that rack if it is known, else a sample of `count`.

    The known tiles of the player are in each of them; the others are drawn from the unseen tiles.
    """
    opponent = position.players[1]
    if opponent.rack is not None:
        return [opponent.rack]
    known = opponent.held.tiles
    pool = tiles_left(
        Rack(bytes([code for code, left in enumerate(position.unseen()) for _ in range(left)])), known
    )
    full = position.rules.rack_size if opponent.tile_count is None else opponent.tile_count
    drawn = min(len(pool), full - len(known))
    if drawn == len(pool):
        return [Rack(known + pool)]
    random = Random(seed)  # noqa: S311 - for draws, not for secrets
    return [Rack(known + bytes(random.sample(pool, drawn))) for _ in range(count)]


def _position_after(position: Position, move: Move, score: int) -> Position:
    """Return the position after a move as the next player sees it, whose rack is still as it was."""
    mover, *others = position.players
    used = used_tiles(move)
    board, count = position.board, len(position.rack)
    if isinstance(move, Play):
        board = board.with_tiles(move.placements())
        count -= len(used) - min(len(used), position.bag_count())
    after = replace(mover, score=mover.score + score, rack=None, known_tiles=None, tile_count=count)
    return replace(
        position,
        board=board,
        players=(*others, after),
        zero_turns=0 if score else position.zero_turns + 1,
    )


def _covered(plays: Plays) -> NDArray[np.bool_]:
    """Return for each square whether it lies in the main word of some play."""
    array, side = plays.array, plays.board.kernel.side
    line, start = array["line"].astype(np.int64), array["start"].astype(np.int64)
    first = line * (side + 1) + start
    size = 2 * side * (side + 1)
    edges = np.bincount(first, minlength=size) - np.bincount(first + array["length"], minlength=size)
    within = edges.reshape(2 * side, side + 1).cumsum(axis=1)[:, :side] > 0
    covered = within[:side] | within[side:].T
    if plays.board.board.is_empty and plays.board.layout.symmetric:
        covered |= covered.T  # only plays across are listed
    return covered.ravel()
