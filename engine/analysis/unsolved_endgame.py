"""The best move of an endgame whose search ended before it had proven one.

The move that such a search names is a guess: `best_by_proof` puts it behind a move that is proven to win more
often, and lets its spread contradict no proof.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.analysis.outcomes import win_key, win_range
from engine.analysis.report import EndgameReport
from engine.position import Play, format_move
from engine.search.endgame.move_bounds import UNBOUNDED

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.analysis.findings import Findings
    from engine.analysis.outcomes import Outcomes
    from engine.analysis.ranking import Ranking
    from engine.position import Move, Position
    from engine.search.endgame.move_bounds import Bounds


def best_by_proof(
    findings: Findings,
    ranking: Ranking,
    outcomes: Outcomes,
    position: Position,
    score: Callable[[Play], int],
) -> Findings:
    """Return the findings of an endgame search that has not proven the value, with the best move by proof.

    `ranking`: the one by win%; `outcomes`: what is proven of each move; `score` returns the points of a play.
    """

    def bounds_after(move: Move) -> Bounds:
        return outcomes.bounds_after(move, score(move) if isinstance(move, Play) else 0)

    (guess,) = findings.moves
    first = ranking.best().move
    at_guess, at_first = bounds_after(guess), bounds_after(first)
    report: EndgameReport | None = findings.values_of(guess)["endgame"]
    assert report is not None  # noqa: S101 - for the type checker
    if findings.best_proven or win_key(win_range(at_guess)) >= win_key(win_range(at_first)):
        spread = min(max(report.spread, at_guess.lower), at_guess.upper)
        report = replace(report, spread=spread, certainty=_certainty(spread, at_guess))
        return replace(findings, values_of=lambda _: {"endgame": report})
    report = None
    if at_first.lower > -UNBOUNDED // 2:  # a bound, and not the lack of one
        line = (format_move(first, position.tile_set),)
        report = EndgameReport(at_first.lower, line, _certainty(at_first.lower, at_first))
    return replace(findings, moves=[first], values_of=lambda _: {"endgame": report})


def _certainty(spread: float, bounds: Bounds) -> str:
    if bounds.exact:
        return "exact"
    return "bound" if spread == bounds.lower else "estimate"
