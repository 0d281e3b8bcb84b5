"""The endgame solver: the best play of both sides, proven if the budget allows it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.errors import InvalidInput
from engine.loaded_board import LoadedBoard
from engine.messages import Text
from engine.movegen import InternalWords
from engine.search.budget import DEFAULT_BUDGET, Budget
from engine.search.deadline import Deadline
from engine.search.endgame.bounds import SharedBounds
from engine.search.endgame.spread_search import ABOVE, BELOW, SIDES, SpreadSearch

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.search.endgame.endgame_kernel import EndgameKernel
    from engine.search.endgame.result import EndgameResult
    from engine.search.endgame.spread_search import Progress

DEFAULT_TABLE_MB: Final = 64
SHARES: Final = {1: (SIDES,), 2: ((ABOVE,), (BELOW,))}
"""By the number of threads: which bounds each of them improves."""


class EndgameSolver:
    """Solves endgames of one lexicon; holds transposition tables, so it solves one endgame at a time.

    The search is alpha-beta with null windows (principal variation search) and a transposition table. The
    plays of both sides are updated as squares fill, and plays that go out cut the search. Three kinds of
    searches alternate, each deeper than before, until the bounds meet. One estimates the value beyond its
    depth; the two others bound it from above and from below, by granting one side all that it could score
    alone beyond the depth. If that takes long, a fourth kind asks, to the end of the game, whether the value
    lies near the estimate. Source: [Heuri], section 4.5; [Sanchez2025], introduction.
    """

    def __init__(self, lexicon: Lexicon, *, table_mb: int = DEFAULT_TABLE_MB, threads: int = 1) -> None:
        """Take the lexicon and the size of a transposition table in megabytes, from 1 to 65536.

        `threads`: 1, or 2 to search for the lower and the upper bound at the same time, each with a table of
        its own; a proven value is the same, but of equally good moves another may be found. Raises
        InvalidInput for another size.
        """
        if not 1 <= table_mb <= 65536:
            raise InvalidInput(
                Text("the table takes 1 to 65536 megabytes"), code="bad_table_size", field="options/table_mb"
            )
        self.lexicon = lexicon
        self._kernels: list[EndgameKernel] = [
            lexicon.kernels.endgame.EndgameKernel(InternalWords(lexicon).kernel, table_mb)
            for _ in SHARES[threads]
        ]
        self.kernel = self._kernels[0]

    def solve(
        self,
        position: Position,
        budget: Budget = DEFAULT_BUDGET,
        *,
        deadline: Deadline | None = None,
        board: LoadedBoard | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> EndgameResult:
        """Return the best play of both sides to the end, proven if the budget allows it.

        `deadline`: instead of that of the budget; `board`: the loaded board of the position, if there is one;
        `progress`: called after each search. Raises InvalidInput for a position that is not an endgame (see
        `known_racks` and `ending`).
        """
        ends = deadline or budget.deadline()
        loaded = board or LoadedBoard.load(position.board, position.layout, position.tile_set, self.lexicon)
        if len(self._kernels) == 1:
            search = SpreadSearch(self.kernel, position, loaded, budget.nodes, ends, progress)
            search.run()
            return search.result()
        return self._solve_in_threads(position, loaded, budget.nodes, ends, progress)

    def _solve_in_threads(
        self,
        position: Position,
        board: LoadedBoard,
        nodes: int | None,
        deadline: Deadline,
        progress: Callable[[Progress], None] | None,
    ) -> EndgameResult:
        """Search for each bound in a thread of its own; the first that proves the value ends the others."""
        shares, known, ends = SHARES[len(self._kernels)], SharedBounds(), Deadline(deadline.at)
        most = None if nodes is None else max(1, nodes // len(shares))
        searches = [
            SpreadSearch(
                kernel, position, board, most, ends, progress if kernel is self.kernel else None, sides, known
            )
            for kernel, sides in zip(self._kernels, shares, strict=True)
        ]

        def run(search: SpreadSearch) -> None:
            search.run()
            if known.bounds.exact:
                ends.cut()

        with ThreadPoolExecutor(len(searches)) as pool, deadline.stopping(ends.cut):
            if deadline.passed:  # perhaps it was cut before the line above
                ends.cut()
            list(pool.map(run, searches))
        found = max(
            searches, key=lambda search: (search.kernel.lower == known.bounds.lower, search.depth)
        ).result()
        return replace(
            found,
            nodes=sum(search.nodes for search in searches),
            table_entries=sum(search.kernel.tables_filled for search in searches),
            table_capacity=sum(search.kernel.table_entries for search in searches),
        )
