"""Ranking moves by the endgame solver: the move that it finds best, then all others as they stood."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic_ns
from typing import TYPE_CHECKING, Final

from engine.analysis.ranking import Ranked, Ranking
from engine.analysis.result import Effort, Ending, Provenance
from engine.errors import InvalidInput, quoted
from engine.position import format_move
from engine.search.deadline import BUDGET, COMPLETE, DEADLINE, Deadline
from engine.search.endgame import ENDGAME_METHODS, Budget, EndgameSolver

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.analysis.request import AnalysisOptions
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Move, Position

DEFAULT_NODES: Final = 2_000_000
LEAST_SECONDS: Final = 0.001


@dataclass(frozen=True, slots=True)
class EndgamePlan:
    """Say how an endgame is solved: the method, and the positions searched at most."""

    method: str = ENDGAME_METHODS[0]
    nodes: int = DEFAULT_NODES

    def check(self) -> None:
        """Raise InvalidInput naming what is wrong."""
        if self.method not in ENDGAME_METHODS:
            raise InvalidInput(
                f"there is no endgame method {quoted(self.method)}; known: {', '.join(ENDGAME_METHODS)}",
                code="unknown_method",
                field="endgame/method",
            )
        if self.nodes < 1:
            raise InvalidInput("nodes must be at least 1", code="out_of_range", field="endgame/nodes")


class SolvedRanking:
    """Rank the moves of an endgame: first the solver's, with what it is worth, then the others.

    The calls are those of a `Ranking`.
    """

    def __init__(
        self,
        base: Ranking,
        find: Callable[[Move], Ranked | None],
        options: AnalysisOptions,
        plan: EndgamePlan,
        deadline: Deadline,
        position: Position,
        board: LoadedBoard,
        lexicon: Lexicon,
    ) -> None:
        """Solve; `find` says where a move stands without it.  Raises InvalidInput for what is no endgame."""
        self._base, self._top_n, self._plan = base, options.top_n, plan
        seconds = max(LEAST_SECONDS, (deadline.at - monotonic_ns()) / 1e9) if deadline.at else None
        solver = EndgameSolver(lexicon)
        self._result = result = solver.solve(
            position, Budget(plan.nodes, seconds), method=plan.method, board=board
        )
        self._best = find(result.best)
        certainty = "estimate"
        if result.certainty == "exact":
            certainty = "exact"
        elif result.value == result.lower and result.method != "plans":
            certainty = "bound"
        line = tuple(format_move(made.move, position.tile_set) for made in result.line)
        self._ending = Ending(result.final_spread, line, certainty)
        self._stopped_by = COMPLETE
        if result.certainty != "exact" and not result.best_proven:
            if result.nodes >= plan.nodes:
                self._stopped_by = BUDGET
            elif deadline.passed:
                self._stopped_by = DEADLINE

    def told(self, provenance: Provenance) -> Provenance:
        """Return the provenance with what the solver was given and what it spent."""
        return replace(
            provenance,
            budget=Effort(nodes=self._plan.nodes),
            spent=Effort(nodes=self._result.nodes),
            stopped_by=self._stopped_by,
            deterministic=self._stopped_by != DEADLINE,
        )

    def listed(self) -> list[Ranked]:
        """Return the moves to list, best first; the solver's stands among them even if it is the pass."""
        rest = [one for one in self._base.listed() if self._best is None or one.move != self._best.move]
        chosen = rest if self._best is None else [self._best, *rest]
        return [self._ranked(one) for one in chosen[: self._top_n]]

    def of_play(self, index: int) -> Ranked:
        """Return a play, given by its index, with its rank."""
        return self._ranked(self._base.of_play(index))

    def of_other(self, move: Move) -> Ranked | None:
        """Return an exchange or the pass with its rank, None if it is not legal."""
        found = self._base.of_other(move)
        return None if found is None else self._ranked(found)

    def _ranked(self, one: Ranked) -> Ranked:
        if self._best is None:
            return one
        if one.move == self._best.move:
            return Ranked(1, one.move, replace(one.worth, endgame=self._ending))
        return Ranked(one.rank + (one.rank < self._best.rank), one.move, one.worth)
