"""What is proven of the moves of an endgame, and in which order they stand.

`EndgameVerdicts` bounds the final spread after single moves of one position, each by a short search, as long
as its nodes suffice. The order goes by the win% as far as it is proven: so a move that a longer search only
guesses to be best stands behind one that is proven to win more often.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.errors import InvalidInput
from engine.position import Exchange, Pass, Play
from engine.search.deadline import Deadline
from engine.search.endgame.bounds import UNBOUNDED, Bounds
from engine.search.endgame.move_bounds import after_move, outcome_bounds
from engine.search.endgame.problem import ending, known_racks
from engine.search.lending import lent_endgame_solver
from engine.search.verdict import UNPROVEN, Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.movegen.legal_moves import LegalMoves
    from engine.position import Move, Position
    from engine.search.endgame import EndgameResult

TABLE_MB: Final = 2
"""Megabytes of the transposition table, which suffice for the few thousand nodes of a move."""

MOVE_NODES: Final = 2_000
"""The most nodes of one move; they suffice for 97 of 100 moves of self-play endgames, on average 0.7 ms."""

MAX_NODES: Final = 10 * MOVE_NODES
"""Default nodes of all moves of a position; usually they suffice for about a hundred moves."""

PLAIN_NODES: Final = 200
"""Nodes of all moves of an answer that need not prove much: a millisecond, for one or two moves."""

START_NODES: Final = 40
"""Nodes that starting a search counts as, so that the nodes also limit how many moves are searched."""


@dataclass(frozen=True, slots=True)
class EndgameMove:
    """Hold the best move of an endgame as far as it is known.

    `bounds`: proven ones on the final spread; `spread`: an estimate within them, None without one; `line`:
    the moves that lead to it.
    """

    move: Move
    bounds: Bounds
    spread: int | None
    line: tuple[Move, ...]

    @property
    def certainty(self) -> str:
        """Return "exact", "bound" (the spread is at least this) or "estimate"."""
        if self.bounds.exact:
            return "exact"
        return "bound" if self.spread == self.bounds.lower else "estimate"


class EndgameVerdicts:
    """Bound the final spread after the moves of a position with an empty bag.

    Each move is searched once, with at most MOVE_NODES, until the nodes of the position are used up. Moves
    after that have no bounds unless they end the game, so ask for the most interesting ones first. Equal
    questions have equal answers, whatever else was searched before, unless the deadline passes.
    """

    def __init__(
        self,
        position: Position,
        board: LoadedBoard,
        lexicon: Lexicon,
        deadline: Deadline | None = None,
        nodes: int = MAX_NODES,
    ) -> None:
        """Take the position and its loaded board; `nodes`: the most for all its moves.

        Raises InvalidInput for a position that is not an endgame, as `known_racks` and `ending` do.
        """
        self._racks = known_racks(position)
        ending(position, self._racks)
        self._position, self._board, self._lexicon = position, board, lexicon
        self._deadline, self._nodes_left = deadline or Deadline(), nodes
        self._searched: dict[Move, Bounds] = {}
        self._learned: dict[Move, Bounds] = {}
        self.bounds = Bounds()
        """Proven bounds on the final spread of the position."""
        self.cut = False
        """Whether the deadline has cut a search."""

    @classmethod
    def of(
        cls,
        position: Position,
        board: LoadedBoard,
        lexicon: Lexicon,
        deadline: Deadline | None = None,
        nodes: int = MAX_NODES,
    ) -> EndgameVerdicts | None:
        """Return the verdicts of a position, None unless it is an endgame of two players."""
        if position.bag_count() or len(position.players) != 2:
            return None
        try:
            return cls(position, board, lexicon, deadline, nodes)
        except InvalidInput:  # the game is over
            return None

    def learn(self, bounds: Bounds) -> None:
        """Take proven bounds on the final spread of the position."""
        self.bounds = self.bounds.meet(bounds)

    def learn_after(self, move: Move, bounds: Bounds) -> None:
        """Take proven bounds on the final spread after a move."""
        self._learned[move] = self._learned.get(move, Bounds()).meet(bounds)

    def after(self, move: Move, points: int) -> Verdict:
        """Return the win% after a legal move that scores `points`."""
        return Verdict.of_bounds(self.bounds_after(move, points))

    def bounds_after(self, move: Move, points: int) -> Bounds:
        """Return proven bounds on the final spread after a legal move that scores `points`.

        An exchange, which is illegal with an empty bag, counts as a pass.
        """
        if isinstance(move, Exchange):
            move = Pass()
        learned = self._learned.get(move, Bounds()).meet(Bounds(upper=self.bounds.upper))
        if learned.decided:
            return learned
        if move not in self._searched:
            bounds, nodes = self._search(move, points)
            self._nodes_left -= nodes + START_NODES
            self._searched[move] = bounds
        return self._searched[move].meet(learned)

    def _search(self, move: Move, points: int) -> tuple[Bounds, int]:
        """Return the bounds after a move, and the nodes searched for them."""
        if isinstance(move, Play) and not points and len(move.placements()) < len(self._racks[0]):
            # A position does not say how many of its turns without points were passes. Such plays use blanks
            # only, or letters without points.
            return Bounds(), 0
        following = after_move(self._position, self._racks, move, points)
        if isinstance(following, int):
            return Bounds(following, following), 0
        if self._nodes_left <= 0:
            return Bounds(), 0
        board = self._board.after(move)
        most = min(MOVE_NODES, self._nodes_left)
        with lent_endgame_solver(self._lexicon, TABLE_MB) as solver:
            bounds, nodes = outcome_bounds(solver, following, most, board, self._deadline)
        self.cut = self.cut or (not bounds.decided and self._deadline.passed)
        return bounds.of_other_side(), nodes

    def keys(self, moves: LegalMoves) -> NDArray[np.float64]:
        """Return what ranks the moves of the position, the highest first: `Verdict.key`.

        Those with the most equity are searched first. Once all are, they bound the position.
        """
        keys, lower, upper = np.full(len(moves), UNPROVEN.key), -UNBOUNDED, -UNBOUNDED
        for number in moves.order().tolist():
            if self._nodes_left <= 0:
                return keys
            bounds = self.bounds_after(moves[number], int(moves.score[number]))
            keys[number] = Verdict.of_bounds(bounds).key
            lower, upper = max(lower, bounds.lower), max(upper, bounds.upper)
        self.learn(Bounds(lower, upper))
        return keys

    def better(self, moves: LegalMoves, guess: Move) -> Move:
        """Return the guess of a search that proved no best move, or one that is proven to win more often."""
        known = self.after(guess, moves.position.score(guess))
        if known.low >= Verdict.of_bounds(self.bounds).high:
            return guess
        keys = self.keys(moves)
        first = int(moves.order(keys)[0])
        return guess if known.key >= keys[first] else moves[first]

    def best(self, moves: LegalMoves, result: EndgameResult) -> EndgameMove:
        """Return the best of all moves after a search of the position.

        A move that is proven to win more often is better than a guess, and no spread contradicts a proof.
        """
        guess, before = result.best, result.final_spread - result.value
        bounds = Bounds(result.lower, result.upper).plus(before)
        self.learn(bounds)
        if result.value == result.lower:
            self.learn_after(guess, bounds)
        if bounds.exact:
            line = tuple([step.move for step in result.line])
            return EndgameMove(guess, bounds, result.final_spread, line)
        best = guess if result.best_proven else self.better(moves, guess)
        after = self.bounds_after(best, moves.position.score(best))
        if best == guess:
            spread = min(max(result.final_spread, after.lower), after.upper)
            return EndgameMove(guess, after, spread, tuple([step.move for step in result.line]))
        return EndgameMove(best, after, after.lower if after.lower > -UNBOUNDED // 2 else None, (best,))
