"""The explanation of a judged turn: why the best move is better than the one played."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.analysis.annotate.turn_judgement import BOUND, EXACT
from engine.analysis.explain import TABLE, Contender, Explaining, explain
from engine.analysis.lending import lent_evaluator
from engine.position import format_move, parse_move
from engine.search.endgame.move_bounds import UNBOUNDED
from engine.search.phase import ENDGAME, SIMULATE

if TYPE_CHECKING:
    from engine.analysis.annotate.endgame_judgement import EndgameValue
    from engine.analysis.annotate.notes import NotedMove
    from engine.analysis.annotate.options import AnnotationOptions
    from engine.analysis.annotate.turn_judgement import TurnJudgement
    from engine.analysis.explain import Explanation
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Position

EQUITY: Final = "equity"

MAX_LOSS: Final = UNBOUNDED // 2
"""Bounds on a loss beyond this are none: no search has bounded one of the two moves."""


def explained_turn(
    judged: TurnJudgement,
    phonies: tuple[str, ...],
    position: Position,
    board: LoadedBoard,
    lexicon: Lexicon,
    options: AnnotationOptions,
) -> Explanation | None:
    """Return why the best move is better than the one played; None if that loses nothing or is not judged.

    `phonies`: the invalid words of the move played, which is explained whatever it loses; `position`: as the
    player sees it, with their own rack.
    """
    best, played = judged.best, judged.played
    if best is None or played is None or judged.evaluator is None or best.move == played.move:
        return None
    if not phonies and not _may_lose(judged):
        return None
    values, ranked_by = None, ENDGAME if judged.evaluator == ENDGAME else EQUITY
    if best.win_pct_error is not None:
        ranked_by = SIMULATE
    if position.bag_count():
        with lent_evaluator(judged.evaluator, lexicon, position.rules, expect_bingos=False) as evaluator:
            values = None if evaluator is None else evaluator.leave_values(board, position)[0]
    case = Explaining(position, board, lexicon, values, ranked_by, options.lang, options.seed)
    first, other = (_contender(one, position, ranked_by) for one in (best, played))
    other = replace(other, phonies=phonies)
    if judged.endgame is not None:
        searched, loss = judged.endgame, judged.endgame.loss
        first = _searched(first, searched.best_value, position)
        other = _searched(other, searched.played_value, position)
        other = replace(
            other, endgame_loss=loss.lower, endgame_loss_high=loss.upper if loss.upper < MAX_LOSS else None
        )
    return explain(case, first, [other])


def _may_lose(judged: TurnJudgement) -> bool:
    """Return whether the move played is worse than the best one, or may be so."""
    if judged.rank == 1:
        return False
    if judged.endgame is not None:
        return judged.endgame.loss.upper > 0
    return bool(judged.equity_loss or judged.win_pct_loss)


def unseen_racks(position: Position) -> Position:
    """Return the position as the player on turn sees it: with the number of tiles on the other racks only."""
    mover, *others = position.players
    full = position.rules.rack_size
    hidden = [
        replace(
            player,
            rack=None,
            known_tiles=None,
            tile_count=len(player.rack) if player.rack else player.tile_count or full,
        )
        for player in others
    ]
    return replace(position, players=(mover, *hidden))


def _contender(noted: NotedMove, position: Position, ranked_by: str) -> Contender:
    by = SIMULATE if ranked_by == SIMULATE else TABLE if position.bag_count() else ENDGAME
    return Contender(
        move=parse_move(noted.move, position.board, position.tile_set, rack=position.rack),
        text=noted.move,
        score=noted.score,
        leave=noted.leave,
        leave_value=noted.leave_value,
        equity=noted.equity,
        win_pct=noted.win_pct,
        win_pct_low=noted.win_pct_low,
        win_pct_high=noted.win_pct_high,
        win_pct_by=None if noted.win_pct_low is None else by,
    )


def _searched(one: Contender, found: EndgameValue, position: Position) -> Contender:
    """Return a move with what an endgame search found: the final spread and the line only if proven."""
    if not found.bounds.exact:
        return replace(one, certainty=BOUND)
    mover, other = position.players
    return replace(
        one,
        certainty=EXACT,
        spread=float(mover.score - other.score + found.value),
        line=tuple([format_move(move, position.tile_set) for move in found.line]),
    )
