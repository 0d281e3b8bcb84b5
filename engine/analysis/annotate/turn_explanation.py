"""The explanation of a judged turn: why the best move is better than the one played."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.analysis.explain import TABLE, Contender, Explaining, explain
from engine.analysis.thread_local import thread_evaluator
from engine.position import parse_move
from engine.search.phase import ENDGAME, SIMULATE

if TYPE_CHECKING:
    from engine.analysis.annotate.notes import NotedMove
    from engine.analysis.annotate.options import AnnotationOptions
    from engine.analysis.annotate.turn_judgement import TurnJudgement
    from engine.analysis.explain import Explanation
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Position

EQUITY: Final = "equity"


def explained_turn(
    judged: TurnJudgement,
    position: Position,
    board: LoadedBoard,
    lexicon: Lexicon,
    options: AnnotationOptions,
) -> Explanation | None:
    """Return why the best move is better than the one played; None if that is the best or not judged.

    `position`: as the player sees it, with the own rack.
    """
    best, played = judged.best, judged.played
    if best is None or played is None or judged.evaluator is None or best.move == played.move:
        return None
    values, ranked_by = None, ENDGAME if judged.evaluator == ENDGAME else EQUITY
    if best.win_pct_error is not None:
        ranked_by = SIMULATE
    if position.bag_count():
        evaluator = thread_evaluator(judged.evaluator, lexicon, position.rules, expect_bingos=False)
        values = None if evaluator is None else evaluator.leave_values(board, position)[0]
    case = Explaining(position, board, lexicon, values, ranked_by, options.lang, options.seed)
    first, other = (_contender(one, position, judged.certainty, ranked_by) for one in (best, played))
    return explain(case, first, [other])


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


def _contender(noted: NotedMove, position: Position, certainty: str | None, ranked_by: str) -> Contender:
    by = SIMULATE if ranked_by == SIMULATE else TABLE if position.bag_count() else ENDGAME
    return Contender(
        move=parse_move(noted.move, position.board, position.tile_set, rack=position.rack),
        text=noted.move,
        score=noted.score,
        leave=noted.leave,
        leave_value=noted.leave_value,
        equity=noted.equity,
        win_pct=noted.win_pct,
        win_pct_by=None if noted.win_pct is None else by,
        certainty=certainty if ranked_by == ENDGAME else None,
    )
