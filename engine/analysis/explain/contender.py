"""A move to explain, with the values that an analysis found for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.analysis.explain.explanation import Reply
from engine.position import parse_move
from engine.search.phase import ENDGAME, PREENDGAME, SIMULATE

if TYPE_CHECKING:
    from engine.analysis.report import MoveReport
    from engine.position import Move, Position

TABLE: Final = "table"
"""The win% table, as what estimated a win%; the others are the names of searches."""


@dataclass(frozen=True, slots=True)
class Contender:
    """Hold a move and its values; the fields are those of `ExplainedMove` and `Contrast`.

    `reply`: the opponent's next move in a simulation, None without one.
    """

    move: Move
    text: str
    score: int
    leave: str
    leave_value: float | None
    equity: float | None
    win_pct: float | None
    win_pct_low: float | None
    win_pct_high: float | None
    win_pct_by: str | None
    spread: float | None = None
    line: tuple[str, ...] = ()
    certainty: str | None = None
    phonies: tuple[str, ...] = ()
    endgame_loss: int | None = None
    endgame_loss_high: int | None = None
    reply: Reply | None = None


def reported_contender(report: MoveReport, position: Position) -> Contender:
    """Return a move of an analysis, with what the search found rather than the estimate of the win% table."""
    sim, endgame, preendgame = report.sim, report.endgame, report.preendgame
    win_pct, low, high, by = report.win_pct, report.win_pct_low, report.win_pct_high, TABLE
    spread, reply = None, None
    if preendgame is not None:
        by = PREENDGAME
    elif sim is None and not position.bag_count():
        by, spread = ENDGAME, None if endgame is None else endgame.spread
    elif sim is not None:
        if sim.win_pct is not None:
            win_pct = low = high = sim.win_pct
            by = SIMULATE
        spread = sim.spread
        reply = Reply(sim.opponent_score, sim.opponent_bingos, sim.iterations, "simulation")
    return Contender(
        move=parse_move(report.move, position.board, position.tile_set, rack=position.rack),
        text=report.move,
        score=report.score,
        leave=report.leave,
        leave_value=report.leave_value,
        equity=report.equity,
        win_pct=win_pct,
        win_pct_low=low,
        win_pct_high=high,
        win_pct_by=None if low is None else by,
        spread=spread,
        line=() if endgame is None else endgame.line,
        certainty=None if endgame is None else endgame.certainty,
        reply=reply,
    )
