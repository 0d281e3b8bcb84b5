"""What a running search has found so far, in the form of an answer: `search_state`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engine.analysis.findings import SimulationProgress, as_proven, preendgame_report
from engine.analysis.report import Effort, EndgameReport
from engine.position import format_move
from engine.search import EndgameProgress
from engine.search.phase import ENDGAME, PREENDGAME, SIMULATE

if TYPE_CHECKING:
    from engine.analysis.findings import SearchProgress
    from engine.analysis.report import PreendgameReport
    from engine.position import Position
    from engine.search import Simulated

MAX_MOVES: Final = 20
"""The most moves of a state, which is small enough to be sent several times a second."""


@dataclass(frozen=True, slots=True)
class MoveState:
    """Hold what a running search has found of a move; two of the three results are None."""

    move: str
    sim: Simulated | None = None
    endgame: EndgameReport | None = None
    preendgame: PreendgameReport | None = None


@dataclass(frozen=True, slots=True)
class SearchState:
    """Hold the state of a search: `phase` names it, `spent` is the work so far, `moves` are best first."""

    phase: str
    spent: Effort
    moves: tuple[MoveState, ...]


def search_state(progress: SearchProgress, position: Position) -> SearchState:
    """Return the state of a search of `position`, at most MAX_MOVES moves without the results by draw."""
    tiles = position.tile_set
    if isinstance(progress, SimulationProgress):
        found = [MoveState(format_move(move, tiles), sim=one) for move, one in progress.found[:MAX_MOVES]]
        return SearchState(SIMULATE, Effort(iterations=progress.spent), tuple(found))
    if isinstance(progress, EndgameProgress):
        own, other = [player.score for player in position.players[:2]]
        best = format_move(progress.best, tiles)
        report = EndgameReport(own - other + progress.value, (best,), "estimate")
        return SearchState(ENDGAME, Effort(nodes=progress.nodes), (MoveState(best, endgame=report),))
    result = as_proven(progress, position)
    moves = [
        MoveState(
            format_move(one.move, tiles), preendgame=replace(preendgame_report(one, result, tiles), by_bag=())
        )
        for one in result.moves[:MAX_MOVES]
    ]
    return SearchState(PREENDGAME, Effort(nodes=result.nodes), tuple(moves))
