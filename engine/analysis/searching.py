"""Choosing the search: what the options ask for, or what the position calls for."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from engine.analysis.presolving import PreendgamePlan, presolved
from engine.analysis.simulating import simulated
from engine.analysis.solving import EndgamePlan, solved
from engine.errors import InvalidInput
from engine.search import SimulationPlan, check_simulation
from engine.search.endgame.problem import ending, known_racks
from engine.search.phase import AUTO, ENDGAME, PREENDGAME, PREENDGAME_BAG, SIMULATE, phase_of
from engine.search.preendgame.worlds import hidden_tiles

if TYPE_CHECKING:
    from engine.analysis.request import AnalysisOptions
    from engine.analysis.searched import Case, Findings
    from engine.position import Position

SearchPlan: TypeAlias = SimulationPlan | PreendgamePlan | EndgamePlan


def chosen_search(options: AnalysisOptions, position: Position) -> SearchPlan | None:
    """Return the plan of the search that a position gets, None if none is asked for.

    With the phase "auto" the tiles in the bag decide, and a plan given says how its phase is searched.
    """
    phase = options.phase
    if phase is None:
        return options.simulate or options.preendgame or options.endgame
    if phase == AUTO:
        wanted = options.preendgame
        most = PREENDGAME_BAG if wanted is None or wanted.bag is None else wanted.bag
        phase = phase_of(position.bag_count(), most)
    if phase == SIMULATE:
        return options.simulate or SimulationPlan()
    if phase == PREENDGAME:
        return options.preendgame or PreendgamePlan()
    return options.endgame or EndgamePlan()


def check_searches(options: AnalysisOptions) -> None:
    """Raise InvalidInput if a plan is wrong, or more than one search is asked for at a time."""
    asked = {
        name: plan
        for name, plan in (
            (SIMULATE, options.simulate),
            (PREENDGAME, options.preendgame),
            (ENDGAME, options.endgame),
        )
        if plan is not None
    }
    for plan in asked.values():
        plan.check()
    if options.phase is None and len(asked) > 1:
        first, *_, last = asked
        raise InvalidInput(
            f"ask for {first} or for {last}, not for both; or say phase: auto, and the bag decides",
            code="exclusive",
            field=last,
            params={"first": first, "last": last},
        )
    if options.phase is not None and options.phase != AUTO:
        for name in asked:
            if name != options.phase:
                raise InvalidInput(
                    f"the phase is {options.phase}, so there can be no {name} beside it",
                    code="exclusive",
                    field=name,
                    params={"phase": options.phase, "name": name},
                )


def check_search(plan: SearchPlan, position: Position) -> None:
    """Raise InvalidInput for a position that is none of the plan's phase."""
    if isinstance(plan, SimulationPlan):
        check_simulation(plan, position)
    elif isinstance(plan, PreendgamePlan):
        plan.check_bag(position)
        hidden_tiles(position)
    else:
        ending(position, known_racks(position))


def search(case: Case, plan: SearchPlan) -> Findings:
    """Search by a plan a position that `check_search` has let pass."""
    if isinstance(plan, SimulationPlan):
        return simulated(case, plan)
    if isinstance(plan, PreendgamePlan):
        return presolved(case, plan)
    return solved(case, plan)
