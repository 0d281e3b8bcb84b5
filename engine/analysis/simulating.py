"""Searching by simulation: the best moves, and those that the request names, compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.analysis.result import Effort, Notice
from engine.analysis.searched import Findings, SimulationProgress
from engine.position import Play
from engine.search import Candidate, SimulationPlan, simulate
from engine.search.budget import Budget
from engine.search.opponent import lacks_last_move
from engine.search.phase import SIMULATE

if TYPE_CHECKING:
    from engine.analysis.ranking import Ranked
    from engine.analysis.searched import Case
    from engine.position import Move, Position
    from engine.search import Simulated, Simulation


def simulated(case: Case, plan: SimulationPlan) -> Findings:
    """Compare moves by simulation, by win% (or spread); moves named twice count once.

    A candidate that was given up as worse stands behind those that were not. Raises what `simulate` raises.
    """
    candidates = list({one.move: one for one in [*case.best(plan.candidates), *case.named]}.values())

    def estimates(result: Simulation) -> list[tuple[Move, Simulated]]:
        found = ((candidates[at].move, result.estimates[at]) for at in result.order)
        return [(move, one.rounded()) for move, one in found if one is not None]

    def tell(result: Simulation) -> None:
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
        progress=tell,
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


def simulation_warnings(plan: object, position: Position) -> tuple[Notice, ...]:
    """Return a warning if the opponent model of a simulation has no last move to infer a rack from."""
    if not isinstance(plan, SimulationPlan) or not lacks_last_move(position, plan.opponent_model):
        return ()
    model = plan.opponent_model
    detail = (
        f"the position names no last move of the opponent (lm in a CGP), so the opponent model {model} "
        "infers nothing: the result is that of the model off"
    )
    return (Notice("no_last_move", {"opponent_model": model}, detail),)


def _candidate(case: Case, one: Ranked) -> Candidate:
    score = case.score(one.move) if isinstance(one.move, Play) else 0
    equity = 1000 * score if one.worth.equity is None else one.worth.equity
    return Candidate(one.move, score, equity - 1000 * score)
