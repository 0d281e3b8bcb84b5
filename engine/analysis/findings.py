"""Findings of a search: the moves that a simulation, a pre-endgame or an endgame search ranks, best first.

`search` runs the search of a plan on a `SearchCase` and returns its `Findings`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from engine.analysis.lending import lent_preendgame_solver
from engine.analysis.plans import EndgamePlan, PreendgamePlan
from engine.analysis.report import BagDraw, Effort, EndgameReport, PreendgameReport
from engine.position import Play, format_move
from engine.search import Candidate, SimulationPlan, simulate
from engine.search.budget import Budget
from engine.search.deadline import BUDGET, COMPLETE, DEADLINE
from engine.search.endgame import EndgameSolver
from engine.search.endgame.move_bounds import Bounds
from engine.search.phase import ENDGAME, PREENDGAME, SIMULATE
from engine.search.preendgame import PreendgameOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.analysis.move_report import RankedMove
    from engine.analysis.plans import SearchPlan
    from engine.analysis.report import Provenance
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Move, Position
    from engine.rules import TileSet
    from engine.search import Simulated, Simulation
    from engine.search.deadline import Deadline
    from engine.search.endgame import EndgameProgress, EndgameResult
    from engine.search.preendgame import PreendgameMove, PreendgameResult

CERTAIN: Final = 100.0
"""The win% of a move that always wins."""


@dataclass(frozen=True, slots=True)
class SimulationProgress:
    """Hold the state of a simulation: the candidates so far, best first, and the iterations spent."""

    found: list[tuple[Move, Simulated]]
    spent: int


SearchProgress: TypeAlias = "SimulationProgress | EndgameProgress | PreendgameResult"
Progress: TypeAlias = "Callable[[SearchProgress], None]"
"""Called now and then with the state of a search."""


@dataclass(frozen=True, slots=True)
class SearchCase:
    """Hold what a search needs: the position, its loaded board, and the moves to search.

    `evaluator`: the name of the one that values leaves; `best` returns the given number of best moves by
    static equity; `named`: the legal moves that the request compares; `score` returns the points of a play.
    """

    position: Position
    board: LoadedBoard
    lexicon: Lexicon
    evaluator: str
    best: Callable[[int], list[RankedMove]]
    named: list[RankedMove]
    score: Callable[[Play], int]
    seed: int
    threads: int
    deadline: Deadline
    progress: Progress | None


@dataclass(frozen=True, slots=True)
class Findings:
    """Hold the result of a search.

    `moves`: the moves that it ranked, best first; `values_of` returns the fields of `MoveValues` that it adds
    to one of them, computed only for moves that are listed; `seed`: None if the search used no random
    numbers; `bounds`: on the final spread of the position, `best_bounds`: after its best move; None unless
    an endgame was searched. `best_proven`: whether an endgame search has proven that no move is better.
    """

    phase: str
    moves: Sequence[Move]
    values_of: Callable[[Move], dict[str, Any]]
    budget: Effort
    spent: Effort
    stopped_by: str
    seed: int | None = None
    bounds: Bounds | None = None
    best_bounds: Bounds | None = None
    best_proven: bool = False

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


def search(case: SearchCase, plan: SearchPlan) -> Findings:
    """Run the search of a plan; `check_search` must have accepted the position."""
    if isinstance(plan, SimulationPlan):
        return _simulation(case, plan)
    if isinstance(plan, PreendgamePlan):
        return _preendgame(case, plan)
    return _endgame(case, plan)


def _simulation(case: SearchCase, plan: SimulationPlan) -> Findings:
    """Compare the best moves and the named ones by win% or spread.

    Moves that the simulation gave up stand behind those that it did not. Raises as `simulate`.
    """
    candidates = list({one.move: one for one in [*case.best(plan.candidates), *case.named]}.values())

    def estimates(result: Simulation) -> list[tuple[Move, Simulated]]:
        found = ((candidates[at].move, result.estimates[at]) for at in result.order)
        return [(move, one.rounded()) for move, one in found if one is not None]

    def report(result: Simulation) -> None:
        if case.progress is not None:
            case.progress(SimulationProgress(estimates(result), result.spent))

    result = simulate(
        case.position,
        case.board,
        [_candidate(case, one) for one in candidates],
        plan,
        seed=case.seed,
        budget=Budget(deadline=case.deadline),
        threads=case.threads,
        progress=report,
    )
    found = dict(estimates(result))
    return Findings(
        SIMULATE,
        list(found),
        lambda move: {"sim": found[move]},
        budget=Effort(iterations=plan.iterations),
        spent=Effort(iterations=result.spent),
        stopped_by=result.stopped_by,
        seed=case.seed,
    )


def _candidate(case: SearchCase, one: RankedMove) -> Candidate:
    score = case.score(one.move) if isinstance(one.move, Play) else 0
    equity = 1000 * score if one.values.equity is None else one.values.equity
    return Candidate(one.move, score, equity - 1000 * score)


def _endgame(case: SearchCase, plan: EndgamePlan) -> Findings:
    """Solve an endgame; the findings are its best move, which may be the pass."""
    # Not lent: idle solvers with a table of 64 MB, the default, are freed at once.
    solver = EndgameSolver(case.lexicon, table_mb=plan.table_mb)
    budget = Budget(plan.nodes, deadline=case.deadline)
    result = solver.solve(case.position, budget, method=plan.method, board=case.board, progress=case.progress)
    line = tuple(format_move(step.move, case.position.tile_set) for step in result.line)
    certainty = _endgame_certainty(result)
    report = EndgameReport(result.final_spread, line, certainty)
    bounds = Bounds(result.lower, result.upper).plus(result.final_spread - result.value)
    return Findings(
        ENDGAME,
        [result.best],
        lambda _: {"endgame": report},
        budget=Effort(nodes=plan.nodes),
        spent=Effort(nodes=result.nodes),
        stopped_by=_endgame_stopped_by(result, budget),
        bounds=bounds,
        best_bounds=Bounds(upper=bounds.upper) if certainty == "estimate" else bounds,
        best_proven=certainty == "exact" or result.best_proven,
    )


def _endgame_certainty(result: EndgameResult) -> str:
    if result.certainty == "exact":
        return "exact"
    return "bound" if result.value == result.lower and result.method != "plans" else "estimate"


def _endgame_stopped_by(result: EndgameResult, budget: Budget) -> str:
    proven = result.certainty == "exact" or result.best_proven
    if budget.deadline.passed and not (proven and result.line_complete):
        return DEADLINE  # with more time the value or the line might be another
    if not proven and budget.nodes is not None and result.nodes >= budget.nodes:
        return BUDGET
    return COMPLETE


def _preendgame(case: SearchCase, plan: PreendgamePlan) -> Findings:
    """Rank the best moves, and the named plays, by how often they win."""
    named = tuple(one.move for one in case.named if isinstance(one.move, Play))
    options = PreendgameOptions(
        plan.opponent,
        candidates=plan.candidates,
        also=named,
        draws=plan.draws,
        seed=case.seed,
        evaluator=case.evaluator,
    )
    nodes = plan.nodes_for(case.position)
    budget = Budget(nodes, deadline=case.deadline)
    with lent_preendgame_solver(case.lexicon, plan.table_mb) as solver:
        result = solver.solve(case.position, budget, options, board=case.board, progress=case.progress)
    result = as_proven(result, case.position)
    found: dict[Move, PreendgameMove] = {one.move: one for one in result.moves}
    return Findings(
        PREENDGAME,
        list(found),
        lambda move: _preendgame_values(preendgame_report(found[move], result, case.position.tile_set)),
        budget=Effort(nodes=nodes),
        spent=Effort(nodes=result.nodes),
        stopped_by=result.stopped_by,
        seed=case.seed if result.opponent == "static" else None,
    )


def as_proven(result: PreendgameResult, position: Position) -> PreendgameResult:
    """Return a result of the pre-endgame solver that claims no more than the search proves.

    The solver considers no exchanges. So its result for a move after which the opponent may exchange becomes
    an estimate, and the best move is proven only if it always wins.
    """
    if not result.exchanges:
        return result
    rules = position.rules
    moves = [
        one
        if result.bag_count - _tiles_played(one) < rules.exchange_limit or one.certainty == "estimate"
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
    if any(one.certainty != "estimate" for one in moves):  # in a sample of draws nothing is proven
        best_lower = max(one.lower for one in moves)
        moves = [replace(one, stopped=one.upper < best_lower) for one in moves]
        moves.sort(key=lambda one: (-one.lower, -one.upper))
    return replace(result, moves=tuple(moves), best_proven=moves[0].lower >= CERTAIN)


def _tiles_played(one: PreendgameMove) -> int:
    return len(one.move.placements()) if isinstance(one.move, Play) else 0


def _preendgame_values(report: PreendgameReport) -> dict[str, Any]:
    """Return the fields of `MoveValues` of a move, with the win% of the search or the range it proves."""
    low = high = report.win_pct
    if report.certainty != "estimate":
        low, high = report.lower, report.upper
    return {"preendgame": report, "win_pct": report.win_pct, "win_pct_low": low, "win_pct_high": high}


def preendgame_report(one: PreendgameMove, result: PreendgameResult, tiles: TileSet) -> PreendgameReport:
    """Return the result of the search for a move as answers show it."""
    error = one.standard_error
    return PreendgameReport(
        win_pct=None if one.certainty == "bounds" else round(one.win_pct, 3),
        lower=round(one.lower, 3),
        upper=round(one.upper, 3),
        win_pct_error=None if error is None else round(error, 3),
        spread=round(one.spread, 3),
        spread_exact=one.spread_exact,
        draws=one.draws,
        settled=one.draws_settled,
        certainty="bound" if one.certainty == "bounds" else one.certainty,
        pruned=one.stopped,
        opponent=result.opponent,
        best_proven=result.best_proven and one is result.best,
        plays_left_out=len(result.pruned),
        exchanges_left_out=result.exchanges,
        by_bag=tuple(
            [BagDraw(_bag_text(draw.bag, tiles), draw.weight, draw.lower, draw.upper) for draw in one.by_draw]
        ),
    )


def _bag_text(bag: bytes, tiles: TileSet) -> str:
    return "".join("?" if code == 0 else tiles.alphabet.text([code]) for code in bag)
