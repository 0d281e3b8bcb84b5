"""The explanation of a judged turn: why the best move is better than the one played."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.analysis.explain import Explaining, explain, explained_move
from engine.search.lending import lent_evaluator
from engine.search.phase import ENDGAME
from engine.search.verdict import TABLE

if TYPE_CHECKING:
    from engine.analysis.annotate.notes import Loss, TurnJudgement
    from engine.analysis.annotate.options import AnnotationOptions
    from engine.analysis.explain import Explanation
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Position
    from engine.search.deadline import Deadline

EQUITY: Final = "equity"


def explained_turn(
    judged: TurnJudgement,
    phonies: tuple[str, ...],
    position: Position,
    board: LoadedBoard,
    lexicon: Lexicon,
    options: AnnotationOptions,
    deadline: Deadline,
) -> Explanation | None:
    """Return why the best move is better than the one played; None if that loses nothing or is not judged.

    `phonies`: the invalid words of the move played, which is explained whatever it loses; `position`: as the
    player sees it, with their own rack; `deadline`: shortens the explanation.
    """
    best, played, loss = judged.best, judged.played, judged.loss
    if best is None or played is None or loss is None or best.move == played.move:
        return None
    if not phonies and not _may_lose(judged, loss):
        return None
    values, ranked_by = None, ENDGAME if judged.evaluator == ENDGAME else EQUITY
    if best.win is not None and played.win is not None and best.win.by == played.win.by != TABLE:
        ranked_by = best.win.by
    if position.bag_count():
        with lent_evaluator(
            judged.evaluator or "", lexicon, position.rules, expect_bingos=False
        ) as evaluator:
            values = None if evaluator is None else evaluator.leave_values(board, position)[0].array
    case = Explaining(
        position, board, lexicon, values, ranked_by, options.lang, options.seed, deadline=deadline
    )
    first, other = explained_move(best), replace(explained_move(played), phonies=phonies)
    if loss.bounds is None:
        return explain(case, first, [other])
    first, other = (replace(one, certainty=one.certainty or "bound") for one in (first, other))
    return explain(case, first, [other], loss.bounds)


def _may_lose(judged: TurnJudgement, loss: Loss) -> bool:
    """Return whether the move played is worse than the best one, or may be so."""
    if judged.rank == 1:
        return False
    if loss.bounds is not None:
        return loss.bounds.upper > 0
    return bool(loss.equity or loss.win_pct)
