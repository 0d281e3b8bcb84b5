"""The opponent's replies to a move, by a sample of the racks that the opponent may hold.

Every move meets the same racks, so that a difference between two moves is more precise than its parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.analysis.explain.explanation import Reply
from engine.evaluation.leave_table import find_leave_table
from engine.position import Rack
from engine.search.lending import valued_moves
from engine.search.outcome import is_over

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen import Plays
    from engine.movegen.legal_moves import ValuedMove
    from engine.position import Move, Position
    from engine.search.deadline import Deadline

RACKS: Final = 64
"""Racks of a sample. A move of the opponent takes about 0.2 ms for each."""

LEAST_RACKS: Final = 2
"""Racks of a sample that a deadline has cut: fewer have no standard error."""


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
        """Return the mean points minus those after another move, and the standard error of the difference.

        The error is 0 for one rack, which is the opponent's.
        """
        differences = self.scores - other.scores
        count = len(differences)
        error = float(differences.std(ddof=1)) / count**0.5 if count > 1 else 0.0
        return round(float(differences.mean()), 3), round(error, 3)


def sampled_replies(
    position: Position,
    board: LoadedBoard,
    lexicon: Lexicon,
    moves: Sequence[Move],
    seed: int,
    deadline: Deadline,
) -> list[Replies | None]:
    """Return the replies to each move, None for one that ends the game.

    `position`, `board`: before the moves; `seed`: of the racks. After `deadline` no further rack is examined,
    but LEAST_RACKS always are.
    """
    evaluator = "greedy" if find_leave_table(lexicon) is None else "static"
    samples = [_Sample(position, board, move) for move in moves]
    for number, rack in enumerate(opponent_racks(position, seed)):
        if number >= LEAST_RACKS and deadline.passed:
            break
        for sample in samples:
            sample.add(rack, lexicon, evaluator)
    return [sample.replies() for sample in samples]


class _Sample:
    """The replies to one move for the racks so far."""

    def __init__(self, position: Position, board: LoadedBoard, move: Move) -> None:
        self._position = position.after(move).seen()
        self._board = board.after(move)
        self._over = is_over(self._position) or not self._position.players[-1].tile_count
        self._best: list[ValuedMove] = []
        self._reach = np.zeros(len(position.board.squares), np.int64)

    def add(self, rack: Rack, lexicon: Lexicon, evaluator: str) -> None:
        """Find the reply with a rack."""
        if self._over:
            return
        moves = valued_moves(self._position.with_rack(rack), self._board, lexicon, evaluator)
        self._best += moves.valued(moves.best(1))
        self._reach += _covered(moves.plays)

    def replies(self) -> Replies | None:
        """Return the replies found, None if the move ends the game."""
        if self._over:
            return None
        empty = np.frombuffer(self._position.board.squares, np.uint8) == 0
        bingo_tiles = self._position.rules.bingo_tiles
        return Replies(
            np.array([best.score for best in self._best]),
            np.array([best.placed == bingo_tiles for best in self._best]),
            np.where(empty, self._reach, 0) / len(self._best),
        )


def opponent_racks(position: Position, seed: int) -> list[Rack]:
    """Return racks that the next player may hold: the rack itself if it is known, else a sample of RACKS.

    The known tiles of the player are in each of them; the others are drawn from the unseen tiles.
    """
    opponent = position.players[1]
    if opponent.rack is not None:
        return [opponent.rack]
    known = opponent.held.tiles
    pool = position.unseen_tiles.without(known).tiles
    full = position.rules.rack_size if opponent.tile_count is None else opponent.tile_count
    drawn = min(len(pool), full - len(known))
    if drawn == len(pool):
        return [Rack(known + pool)]
    random = Random(seed)  # noqa: S311 - for draws, not for secrets
    return [Rack(known + bytes(random.sample(pool, drawn))) for _ in range(RACKS)]


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
