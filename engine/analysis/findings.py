"""Findings of a search: the moves that a simulation, a pre-endgame or an endgame search ranks, best first.

`search` runs the search of a `Case` and returns its `Findings`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from engine.analysis.judged import EndgameReport
from engine.analysis.plans import EndgamePlan, PreendgamePlan
from engine.position import Play
from engine.search import SimulationPlan, simulate
from engine.search.budget import Budget
from engine.search.deadline import BUDGET, COMPLETE, DEADLINE
from engine.search.endgame import EndgameSolver
from engine.search.lending import lent_preendgame_solver
from engine.search.phase import ENDGAME, PREENDGAME, SIMULATE
from engine.search.preendgame import PreendgameOptions
from engine.search.preendgame.result import CERTAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.analysis.judged import Found
    from engine.analysis.report import Provenance
    from engine.analysis.request import Case
    from engine.movegen.legal_moves import LegalMoves
    from engine.position import Move, Position
    from engine.search import Deadline, Simulated, Simulation
    from engine.search.endgame import EndgameProgress, EndgameResult
    from engine.search.endgame_verdicts import EndgameVerdicts
    from engine.search.preendgame import PreendgameResult


@dataclass(frozen=True, slots=True)
class SimulationProgress:
    """Hold the state of a simulation: the candidates so far, best first, and the iterations spent."""

    found: list[tuple[Move, Simulated]]
    spent: int


SearchProgress: TypeAlias = "SimulationProgress | EndgameProgress | PreendgameResult"
Progress: TypeAlias = "Callable[[SearchProgress], None]"
"""Called now and then with the state of a search."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Hold the result of a search.

    `moves`: what it found of each move that it ranked, by its number among the legal moves, the best first;
    None where nothing of a move can be shown; `seed`: None if the search used no random numbers.
    """

    phase: str
    result: Simulation | PreendgameResult | EndgameResult
    moves: dict[int, Found | None]
    budget: Budget
    spent: int
    stopped_by: str
    seed: int | None = None

    def provenance(self, before: Provenance) -> Provenance:
        """Return the provenance of a result with what the search adds to it."""
        return replace(
            before,
            seed=self.seed,
            budget=self.budget,
            spent=self.spent,
            stopped_by=self.stopped_by,
            deterministic=self.stopped_by != DEADLINE,
        )


def search(
    case: Case,
    moves: LegalMoves,
    named: Sequence[int],
    verdicts: EndgameVerdicts | None,
    progress: Progress | None = None,
) -> Findings:
    """Run the search of a case among its legal moves.

    `named`: the numbers of moves that are searched whatever their equity; `verdicts`: those of an endgame.
    Raises as `simulate`.
    """
    if isinstance(case.plan, SimulationPlan):
        return _simulation(case, case.plan, moves, named, progress)
    if isinstance(case.plan, PreendgamePlan):
        return _preendgame(case, case.plan, moves, named, progress)
    assert case.plan is not None  # noqa: S101 - for the type checker
    assert verdicts is not None  # noqa: S101 - `check_search` has accepted the position
    return _endgame(case, case.plan, moves, verdicts, progress)


def _simulation(
    case: Case,
    plan: SimulationPlan,
    moves: LegalMoves,
    named: Sequence[int],
    progress: Progress | None,
) -> Findings:
    """Compare the best moves and the named ones by win% or spread.

    Moves that the simulation gave up stand behind those that it did not.
    """
    numbers = list(dict.fromkeys([*moves.best(plan.candidates), *named]))
    candidates = moves.valued(numbers)

    def estimates(result: Simulation) -> list[tuple[int, Simulated]]:
        found = ((at, result.estimates[at]) for at in result.order)
        return [(at, one.rounded()) for at, one in found if one is not None]

    def report(result: Simulation) -> None:
        if progress is not None:
            found = [(candidates[at].move, one) for at, one in estimates(result)]
            progress(SimulationProgress(found, result.spent))

    options = case.request.options
    result = simulate(
        moves.position,
        moves.plays.board,
        candidates,
        plan,
        seed=options.seed,
        deadline=case.search_ends,
        threads=options.threads,
        progress=report,
    )
    return Findings(
        SIMULATE,
        result,
        {numbers[at]: one for at, one in estimates(result)},
        budget=Budget(iterations=plan.iterations),
        spent=result.spent,
        stopped_by=result.stopped_by,
        seed=options.seed,
    )


def _endgame(
    case: Case,
    plan: EndgamePlan,
    moves: LegalMoves,
    verdicts: EndgameVerdicts,
    progress: Progress | None,
) -> Findings:
    """Solve an endgame; the findings are its best move, which may be the pass."""
    # Not lent: idle solvers with a table of 64 MB, the default, are freed at once.
    solver = EndgameSolver(case.lexicon, table_mb=plan.table_mb)
    budget, ends = Budget(nodes=plan.nodes), case.search_ends
    result = solver.solve(moves.position, budget, deadline=ends, board=moves.plays.board, progress=progress)
    best = verdicts.best(moves, result)
    report = None
    if best.spread is not None:
        report = EndgameReport(best.spread, best.line, best.certainty)
    return Findings(
        ENDGAME,
        result,
        {moves.index(best.move): report},
        budget=budget,
        spent=result.nodes,
        stopped_by=_endgame_stopped_by(result, budget, ends),
    )


def _endgame_stopped_by(result: EndgameResult, budget: Budget, ends: Deadline) -> str:
    proven = result.certainty == "exact" or result.best_proven
    if ends.passed and not (proven and result.line_complete):
        return DEADLINE  # with more time the value or the line might be another
    if not proven and budget.nodes is not None and result.nodes >= budget.nodes:
        return BUDGET
    return COMPLETE


def _preendgame(
    case: Case,
    plan: PreendgamePlan,
    moves: LegalMoves,
    named: Sequence[int],
    progress: Progress | None,
) -> Findings:
    """Rank the best moves, and the named plays, by how often they win."""
    options = PreendgameOptions(
        plan.opponent,
        candidates=plan.candidates_for(moves.position),
        also=tuple([move for move in moves.moves(list(named)) if isinstance(move, Play)]),
        draws=plan.draws,
        seed=case.request.options.seed,
        evaluator=case.learned.evaluator,
    )
    budget, board = Budget(nodes=plan.nodes_for(moves.position)), moves.plays.board
    with lent_preendgame_solver(case.lexicon, plan.table_mb) as solver:
        result = solver.solve(
            moves.position, budget, options, deadline=case.search_ends, board=board, progress=progress
        )
    result = as_proven(result, moves.position)
    return Findings(
        PREENDGAME,
        result,
        {moves.index(one.move): one for one in result.moves},
        budget=budget,
        spent=result.nodes,
        stopped_by=result.stopped_by,
        seed=options.seed if result.is_sample else None,
    )


def as_proven(result: PreendgameResult, position: Position) -> PreendgameResult:
    """Return a result of the pre-endgame solver that claims only what the search proves of all legal moves.

    The solver considers no exchanges. So its result for a move after which the opponent may exchange becomes
    an estimate. With exchanges or moves left out the best move is proven only if it always wins.
    """
    if not result.exchanges:
        proven = result.best_proven and (not len(result.pruned) or result.best.lower >= CERTAIN)
        return replace(result, best_proven=proven)
    rules = position.rules
    moves = [
        one
        if result.bag_count - len(one.move.used) < rules.exchange_limit or one.certainty == "estimate"
        else replace(
            one,
            lower=0.0,
            upper=CERTAIN,
            spread_exact=False,
            draws_settled=0,
            certainty="estimate",
            worlds=(),
            bounds=(),
        )
        for one in result.moves
    ]
    if not result.is_sample:
        best_lower = max(one.lower for one in moves)
        moves = [replace(one, stopped=one.upper < best_lower) for one in moves]
    return replace(result, moves=tuple(moves), best_proven=moves[0].lower >= CERTAIN)
