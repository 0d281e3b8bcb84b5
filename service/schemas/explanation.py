"""The explanation of a best move in the answers of /analyze and /games/annotate."""

from __future__ import annotations

from engine import ExplainedMove, Explanation
from service.schemas import answer_fields as field
from service.schemas.answer_fields import answer, win_pct_fields

answer(
    ExplainedMove,
    judged=None,
    move=field.string("the move"),
    tiles_used=field.integer("tiles played or exchanged"),
    score=field.integer("points"),
    leave=field.string("tiles that stay on the rack"),
    leave_value=field.number("value of the leave, in points", null=True),
    equity=field.number(
        "score plus the value of the leave, in points; heuri1 subtracts what the play opens", null=True
    ),
    **win_pct_fields("chance to win after the move, 0 to 100; null if only a range is proven"),
    line=field.strings("best moves for both sides that an endgame search found"),
)
ExplanationSchema = answer(Explanation)
