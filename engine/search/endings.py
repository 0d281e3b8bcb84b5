"""The rest of rollouts whose bag is empty: both sides see everything, so the endgame is searched."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final

from engine.movegen import InternalWords
from engine.search.deadline import Deadline
from engine.search.endgame.bounds import Bounds
from engine.search.endgame.move_bounds import MAX_WEIGHED, decide
from engine.search.endgame.problem import ending_after
from engine.search.outcome import limits_of

if TYPE_CHECKING:
    from engine.lexicon import Lexicon
    from engine.loaded_board.board_kernel import BoardKernel
    from engine.position import Position

SEARCHED_BAG: Final = 4
"""The most tiles in the bag of a position whose rollouts end with a search. The positions in which its bag
empties are then few enough to be searched once each."""

NODES: Final = 200_000
"""The most nodes of the endgames of a simulation, about two seconds: shared equally by the racks that the
candidates may lead to."""

FIRST_NODES: Final = 250
"""The nodes after which only an endgame with a close estimate is searched on; where an endgame has fewer, the
estimate with which a search begins is its value. Of 525 such estimates ten had the wrong sign."""

CLOSE: Final = 80
"""Points; an endgame whose estimate lies within them is searched on."""

DOUBTFUL: Final = 20
"""Points; no estimate beyond them had the wrong sign."""

OPEN_DOUBT: Final = 500
"""The doubt of an endgame that remains open after its search: that of a coin."""

ESTIMATE_DOUBT: Final = 100
"""The doubt of an estimate without a search: one in ten is wrong, and many of them count."""

TABLE_MB: Final = 1


def can_search_endings(position: Position) -> bool:
    """Return whether the endgames of rollouts are searched: few tiles in the bag, and turns without points
    count.
    """
    return position.bag_count() <= SEARCHED_BAG and limits_of(position).zero_turns > 0


class Endings:
    """Searches how the rollouts of one position end, each endgame once; one thread may use it at a time."""

    def __init__(
        self,
        position: Position,
        lexicon: Lexicon,
        candidates: int,
        known: dict[tuple[object, ...], tuple[int, int, int]],
        deadline: Deadline | None = None,
    ) -> None:
        """Take the position before the rollouts, the number of its candidates, and what is known.

        Several threads may share what is known. `deadline`: ends the search of an endgame.
        """
        self._kernel = lexicon.kernels.endgame.EndgameKernel(InternalWords(lexicon).kernel, TABLE_MB)
        self._limits, self._rules = limits_of(position), position.rules.kernel
        self._values = position.tile_set.values
        self._nodes = NODES // (candidates * comb(position.unseen_count(), position.bag_count()))
        self._doubt = ESTIMATE_DOUBT if self._nodes < FIRST_NODES else OPEN_DOUBT
        self._known = known
        self._deadline = deadline or Deadline()

    def stop(self) -> None:
        """Stop the search of an endgame; any thread may call it."""
        self._kernel.limit(0, 1)

    def __call__(
        self, board: BoardKernel, own: bytes, other: bytes, spread: int, zeros: int, passes: int
    ) -> tuple[int, int, int]:
        """Return how an endgame ends for the side on turn.

        These are the spread, an estimate within what is proven; 2 for a win, 1 for a tie, 0 for a loss; and
        the doubt of that outcome, 0 if it is proven (FOUND_DOUBT of rollout.h). `own`, `other`: the racks;
        `spread`: before it; `zeros`, `passes`: turns without points, and passes, in a row before.
        """
        key = (board.squares, own, other, spread, zeros, passes)
        found = self._known.get(key)
        if found is None:
            self._known[key] = found = self._search(board, own, other, spread, zeros, passes)
        return found

    def _search(
        self, board: BoardKernel, own: bytes, other: bytes, spread: int, zeros: int, passes: int
    ) -> tuple[int, int, int]:
        kernel, values = self._kernel, self._values
        can_score_zero = any(not code or not values[code] for code in own + other)
        ending = ending_after(self._limits, can_score_zero, zeros, passes)
        deadline = self._deadline
        kernel.start(board, own, other, self._rules, ending, deadline.at, self._nodes, MAX_WEIGHED)
        bounds = Bounds(spread + kernel.lower, spread + kernel.upper)
        if self._nodes >= FIRST_NODES:
            bounds = decide(kernel, spread, FIRST_NODES, deadline)
            if not bounds.decided and abs(spread + kernel.value) <= CLOSE:
                bounds = decide(kernel, spread, self._nodes, deadline)
        final = min(max(spread + kernel.value, bounds.lower), bounds.upper)
        doubt = 0 if bounds.decided or abs(final) > DOUBTFUL else self._doubt
        return final, 1 + (final > 0) - (final < 0), doubt
