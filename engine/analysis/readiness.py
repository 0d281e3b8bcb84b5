"""Tables that follow from a lexicon alone and may have to be made first: no deadline waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import TableNotReady
from engine.evaluation.bingo_leaves import bingo_tables_within
from engine.evaluation.evaluators import uses_bingos
from engine.search import SimulationPlan

if TYPE_CHECKING:
    from engine.analysis.request import AnalysisOptions
    from engine.analysis.searching import SearchPlan
    from engine.lexicon import Lexicon
    from engine.position import Position
    from engine.search.deadline import Deadline


def check_tables(
    options: AnalysisOptions,
    evaluator: str,
    plan: SearchPlan | None,
    position: Position,
    lexicon: Lexicon,
    deadline: Deadline,
) -> None:
    """Have the bingo tables that an analysis needs at hand by its deadline.

    Raises TableNotReady (code "table_not_ready") if they are not: they are made on beside, for a later call.
    Without a deadline they are made where they are first used.
    """
    leaves = (
        isinstance(plan, SimulationPlan)
        and plan.opponent_model == "seed"
        and len(position.players) > 1
        and bool((position.players[1].last_move or "").strip())
    )
    if not leaves and not uses_bingos(evaluator, expect_bingos=options.wants_bingos):
        return
    seconds = deadline.seconds_left
    if seconds is not None and not bingo_tables_within(lexicon, seconds, leaves=leaves):
        raise TableNotReady(
            f"the bingo tables of {lexicon.id} are being made: ask again in some seconds, or make them "
            f"beforehand: kibitz lexicon build {lexicon.id} --with bingos",
            code="table_not_ready",
            params={"lexicon": lexicon.id},
        )
