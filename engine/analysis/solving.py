"""Searching an endgame: the move that the solver finds best, and what the game comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.analysis.result import Effort, Ending
from engine.analysis.searched import Findings
from engine.errors import InvalidInput, excerpt, quoted
from engine.position import format_move
from engine.search.budget import Budget
from engine.search.deadline import BUDGET, COMPLETE, DEADLINE
from engine.search.endgame import DEFAULT_TABLE_MB, ENDGAME_METHODS, EndgameSolver
from engine.search.phase import ENDGAME

if TYPE_CHECKING:
    from engine.analysis.searched import Case
    from engine.search.endgame import EndgameResult

DEFAULT_NODES: Final = 2_000_000
MOST_TABLE_MB: Final = 65_536


@dataclass(frozen=True, slots=True)
class EndgamePlan:
    """Say how an endgame is solved: the method, the positions searched at most, megabytes of the table.

    The size of the table is part of an answer's name: what a search with so many nodes proves depends on
    what it remembers.
    """

    method: str = ENDGAME_METHODS[0]
    nodes: int = DEFAULT_NODES
    table_mb: int = DEFAULT_TABLE_MB

    def check(self) -> None:
        """Raise InvalidInput naming what is wrong."""
        if self.method not in ENDGAME_METHODS:
            raise InvalidInput(
                f"there is no endgame method {quoted(self.method)}; known: {', '.join(ENDGAME_METHODS)}",
                code="unknown_method",
                field="endgame/method",
                params={"name": excerpt(self.method), "known": list(ENDGAME_METHODS)},
            )
        check_effort(self.nodes, self.table_mb, ENDGAME)


def check_effort(nodes: int, table_mb: int, name: str) -> None:
    """Raise InvalidInput if the work or the table that a plan allows is out of range; `name`: its option."""
    if nodes < 1:
        raise InvalidInput("nodes must be at least 1", code="out_of_range", field=f"{name}/nodes")
    if not 1 <= table_mb <= MOST_TABLE_MB:
        raise InvalidInput(
            f"table_mb must be from 1 to {MOST_TABLE_MB}",
            code="out_of_range",
            field=f"{name}/table_mb",
            params={"most": MOST_TABLE_MB},
        )


def solved(case: Case, plan: EndgamePlan) -> Findings:
    """Solve an endgame; the findings are its one best move, which may be the pass.

    Raises InvalidInput for what is no endgame.
    """
    solver = EndgameSolver(case.lexicon, table_mb=plan.table_mb)
    budget = Budget(plan.nodes, deadline=case.deadline)
    result = solver.solve(case.position, budget, method=plan.method, board=case.board, progress=case.progress)
    line = tuple(format_move(made.move, case.position.tile_set) for made in result.line)
    ending = Ending(result.final_spread, line, _certainty(result))
    return Findings(
        ENDGAME,
        [result.best],
        lambda _: {"endgame": ending},
        budget=Effort(nodes=plan.nodes),
        spent=Effort(nodes=result.nodes),
        stopped_by=_stopped_by(result, budget),
    )


def _certainty(result: EndgameResult) -> str:
    if result.certainty == "exact":
        return "exact"
    return "bound" if result.value == result.lower and result.method != "plans" else "estimate"


def _stopped_by(result: EndgameResult, budget: Budget) -> str:
    proven = result.certainty == "exact" or result.best_proven
    if budget.deadline.passed and not (proven and result.line_complete):
        return DEADLINE  # another time it might have gone further, be it only in the line
    if not proven and budget.nodes is not None and result.nodes >= budget.nodes:
        return BUDGET
    return COMPLETE
