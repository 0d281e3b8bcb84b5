"""The explanation of a best move: its figures beside those of other moves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import factorial
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.analysis.explain.explanation import (
    Contrast,
    ExplainedMove,
    Explanation,
    PremiumSquare,
    SquareContrast,
    TileShare,
)
from engine.analysis.explain.replies import sampled_replies
from engine.analysis.explain.sentences import Setting, sentences
from engine.position import Pass, Rack, format_square
from engine.search.deadline import Deadline
from engine.search.endgame.bounds import UNBOUNDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from engine.analysis.explain.replies import Replies
    from engine.lexicon import Lexicon
    from engine.loaded_board import LoadedBoard
    from engine.position import Move, Position
    from engine.search.endgame.bounds import Bounds
    from engine.search.verdict import Verdict

MAX_LOSS: Final = UNBOUNDED // 2
"""A larger bound on a loss is no bound: no search has bounded one of the two moves."""

SHARE_STEP: Final = 0.1
"""How much the share of racks with a play on a square must change for the square to be listed."""


@dataclass(frozen=True, slots=True)
class Explaining:
    """Hold what an explanation needs besides the moves.

    `leave_values`: those of the rack, None if the evaluator values no leaves; `ranked_by`: the order in
    which the best move is best, one of SORTS or PHASES; `lang`: the language of the sentences; `seed`: of the
    racks that the opponent may hold; `exchange_count`: how many exchanges are legal; `deadline`: after which
    no further rack is examined.
    """

    position: Position
    board: LoadedBoard
    lexicon: Lexicon
    leave_values: NDArray[np.int32] | None
    ranked_by: str
    lang: str
    seed: int = 1
    exchange_count: int = 0
    deadline: Deadline = field(default_factory=Deadline)

    @property
    def setting(self) -> Setting:
        """What the sentences need of it."""
        return Setting(self.ranked_by, self.lang, not self.position.bag_count(), self.exchange_count > 0)


class _Explained(NamedTuple):
    """A move with its figures, and the sampled replies to it, None if it ends the game."""

    figures: ExplainedMove
    replies: Replies | None


def explain(
    case: Explaining, best: ExplainedMove, others: Sequence[ExplainedMove], loss: Bounds | None = None
) -> Explanation:
    """Return why a move is best, beside other moves of the same position.

    `best`, `others`: without what the replies of the opponent and the values of leaves add, but with `reply`
    if a search has found it. `loss`: the points that the others are proven to lose, None without an endgame
    search.
    """
    moves = [Pass(), *(one.judged.move for one in (best, *others))]
    passed, *replies = sampled_replies(
        case.position, case.board, case.lexicon, moves, case.seed, case.deadline
    )
    first, *explained = (
        _Explained(_completed(one, case, found, passed), found)
        for one, found in zip((best, *others), replies, strict=True)
    )
    contrasts = tuple([_contrast(case, first, other, loss) for other in explained])
    shown = contrasts[0].sentences if contrasts else sentences(case.setting, first.figures)
    return Explanation(
        lang=case.lang,
        ranked_by=case.ranked_by,
        text=" ".join([one.text for one in shown]),
        best=first.figures,
        reply_to_pass=None if passed is None else passed.reply,
        contrasts=contrasts,
    )


def _completed(
    one: ExplainedMove, case: Explaining, replies: Replies | None, passed: Replies | None
) -> ExplainedMove:
    """Return the figures of a move with those of its leave, of the replies and of the premium squares."""
    opened: list[PremiumSquare] = []
    closed: list[PremiumSquare] = []
    if replies is not None and passed is not None:
        for square, before, after in _changes(case.position, passed, replies):
            premium = PremiumSquare(*_premium(case.position, square), before, after)
            (opened if after > before else closed).append(premium)
    return replace(
        one,
        reply=one.reply or (None if replies is None else replies.reply),
        leave_tiles=_tile_shares(case, one.judged.move),
        opened=tuple(opened),
        closed=tuple(closed),
    )


def _contrast(case: Explaining, best: _Explained, other: _Explained, loss: Bounds | None) -> Contrast:
    one, two = best.figures, other.figures
    reply, error = None, None
    if one.reply is not None and two.reply is not None and one.reply.source == two.reply.source:
        reply = round(one.reply.score - two.reply.score, 3)
    squares: list[SquareContrast] = []
    if best.replies is not None and other.replies is not None:
        if reply is not None and one.reply is not None and one.reply.source == "sample":
            reply, error = best.replies.difference(other.replies)
        squares = [
            SquareContrast(*_premium(case.position, square), after_best, after_other)
            for square, after_other, after_best in _changes(case.position, other.replies, best.replies)
        ]
    score = one.judged.score - two.judged.score
    equity = _difference(one.judged.equity, two.judged.equity)
    contrast = Contrast(
        other=two,
        score=score,
        tiles_used=one.judged.tiles_used - two.judged.tiles_used,
        leave=_difference(one.judged.leave_value, two.judged.leave_value),
        equity=equity,
        win_pct=_win_pct_gained(one.judged.win, two.judged.win),
        endgame_loss=None if loss is None else loss.lower,
        endgame_loss_high=None if loss is None or loss.upper >= MAX_LOSS else loss.upper,
        reply=reply,
        reply_error=error,
        squares=tuple(squares),
        sentences=(),
    )
    return replace(contrast, sentences=sentences(case.setting, one, contrast))


def _win_pct_gained(one: Verdict | None, other: Verdict | None) -> float | None:
    """Return the difference of two win% that were found in the same way, else None."""
    if one is None or other is None or one.by != other.by:
        return None
    return _difference(one.win_pct, other.win_pct)


def _difference(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else round(one - other, 3)


def _tile_shares(case: Explaining, move: Move) -> tuple[TileShare, ...]:
    """Return the Shapley value of each tile of the leave, in the order of the rack, blanks last."""
    position, values = case.position, case.leave_values
    if values is None or not position.bag_count():
        return ()
    leave = position.rack.without(move.used).tiles
    count = len(leave)
    parts = []
    for chosen in range(2**count):
        part = bytes([code for at, code in enumerate(leave) if chosen >> at & 1])
        parts.append(int(values[position.rack.leave_number(position.rack.without(part).tiles)]))
    orders = [factorial(size) * factorial(count - size - 1) / factorial(count) for size in range(count)]
    shares = []
    for at, code in enumerate(leave):
        without = [chosen for chosen in range(2**count) if not chosen >> at & 1]
        value = sum(
            [orders[chosen.bit_count()] * (parts[chosen | 1 << at] - parts[chosen]) for chosen in without]
        )
        shares.append(TileShare(Rack(bytes([code])).text(position.tile_set.alphabet), round(value / 1000, 3)))
    blanks = leave.count(0)
    return (*shares[blanks:], *shares[:blanks])


def _changes(position: Position, before: Replies, after: Replies) -> Iterator[tuple[int, float, float]]:
    """Yield each premium square whose share of racks changes by SHARE_STEP: square, share before, after.

    The most valuable premium comes first, of equal ones the one that changes most.
    """
    layout = position.layout
    words, letters = layout.word_factors.ravel().tolist(), layout.letter_factors.ravel().tolist()
    old, new = before.reach.round(4).tolist(), after.reach.round(4).tolist()
    changed = [
        at
        for at in range(len(words))
        if (words[at] > 1 or letters[at] > 1) and abs(new[at] - old[at]) >= SHARE_STEP
    ]
    changed.sort(key=lambda at: (-words[at], -letters[at], -abs(new[at] - old[at])))
    for at in changed:
        yield at, old[at], new[at]


def _premium(position: Position, square: int) -> tuple[str, int, int]:
    """Return name, letter factor and word factor of a square."""
    row, column = divmod(square, position.layout.side)
    layout = position.layout
    factors = int(layout.letter_factors[row, column]), int(layout.word_factors[row, column])
    return format_square(row, column), *factors
