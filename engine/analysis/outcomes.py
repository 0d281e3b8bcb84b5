"""Win% with an empty bag: 0, 50 or 100 where a search proves it, else the range that it leaves open.

`Outcomes` bounds the moves of one position, as long as its nodes suffice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.analysis.lending import lent_endgame_solver
from engine.errors import InvalidInput
from engine.position import Exchange
from engine.search.endgame.move_bounds import MOVE_NODES, Bounds, MoveBounds

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Move, Position
    from engine.search.deadline import Deadline

TABLE_MB: Final = 2
"""Megabytes of the transposition table, which suffice for the few thousand nodes of a move."""

MAX_NODES: Final = 10 * MOVE_NODES
"""The most nodes for all moves of a position; usually they suffice for about a hundred moves."""

CERTAIN_FIRST: Final = 0.01
"""Less than any difference between the middles of two ranges, which are multiples of 25."""

START_NODES: Final = 40
"""What the start of a search costs, in nodes, so that very many moves end the work too."""


class WinRange(NamedTuple):
    """Hold a win% from 0 to 100, None while it is not proven, and the range in which it lies.

    An estimate is a range of one number; all are None if there is not even an estimate.
    """

    win_pct: float | None
    low: float | None
    high: float | None


UNKNOWN: Final = WinRange(None, 0.0, 100.0)
"""The win% of which nothing is proven."""


def win_range(bounds: Bounds) -> WinRange:
    """Return the win% for bounds on the final spread; a tie is 50."""
    low, high = (50.0 * (1 + (spread > 0) - (spread < 0)) for spread in (bounds.lower, bounds.upper))
    return WinRange(low if low == high else None, low, high)


def win_key(found: WinRange) -> float:
    """Return what ranks moves by win%: the middle of the range, and of equal ones the certain one first."""
    middle = ((found.low or 0) + (found.high or 0)) / 2
    return middle + (CERTAIN_FIRST if found.win_pct is not None else 0)


class Outcomes:
    """Bound the final spread after the moves of a position with an empty bag.

    Each move is searched once, with at most MOVE_NODES, until MAX_NODES are used up. Moves after that have
    the range from 0 to 100, so ask for the most interesting ones first.
    """

    def __init__(self, moves: MoveBounds, lexicon: Lexicon, deadline: Deadline) -> None:
        self._moves, self._lexicon, self._deadline = moves, lexicon, deadline
        self._known: dict[Move, Bounds] = {}
        self._learned: dict[Move, Bounds] = {}
        self._nodes_left = MAX_NODES
        self._position = Bounds()
        self.cut = False
        """Whether the deadline has cut a search."""

    @classmethod
    def of(
        cls, position: Position, board: LoadedBoard, lexicon: Lexicon, deadline: Deadline
    ) -> Outcomes | None:
        """Return the outcomes of a position, None unless it is an endgame of two players."""
        if position.bag_count() or len(position.players) != 2:
            return None
        try:
            return cls(MoveBounds(position, board, deadline), lexicon, deadline)
        except InvalidInput:  # the game is over
            return None

    def learn(self, position: Bounds, move: Move, bounds: Bounds) -> None:
        """Take proven bounds on the final spread of the position and after one move."""
        self._position = self._position.meet(position)
        self._learned[move] = bounds

    @property
    def spent(self) -> bool:
        """Whether no further move is searched."""
        return self._nodes_left <= 0

    def win_range_after(self, move: Move, points: int) -> WinRange:
        """Return the win% after a legal move that scores `points`."""
        return win_range(self.bounds_after(move, points))

    def bounds_after(self, move: Move, points: int) -> Bounds:
        """Return proven bounds on the final spread after a legal move that scores `points`."""
        assert not isinstance(move, Exchange)  # noqa: S101 - the bag is empty
        learned = self._learned.get(move, Bounds()).meet(Bounds(upper=self._position.upper))
        if learned.decided:
            return learned
        bounds = self._known.get(move)
        if bounds is None:
            bounds = Bounds()
            if not self.spent:
                most = min(MOVE_NODES, self._nodes_left)
                with lent_endgame_solver(self._lexicon, TABLE_MB) as solver:
                    bounds, nodes = self._moves.bounds_after(move, points, solver, most)
                self._nodes_left -= nodes + START_NODES
                self.cut = self.cut or (not bounds.decided and self._deadline.passed)
            self._known[move] = bounds
        return bounds.meet(learned)
