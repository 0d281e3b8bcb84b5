"""An explanation: what is known of the best move and of those that it is compared with.

Values are in points, win% from 0 to 100, shares from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.analysis.judged import EndgameReport
from engine.search import Simulated

if TYPE_CHECKING:
    from engine.analysis.judged import Judged
    from engine.errors import Params
    from engine.position import Move


@dataclass(frozen=True, slots=True)
class Sentence:
    """Hold a sentence: a stable code, the values in it as it shows them, and its text."""

    code: str
    params: Params
    text: str


@dataclass(frozen=True, slots=True)
class TileShare:
    """Hold the share of one tile in the value of a leave: its Shapley value.

    That is what the tile adds to the value of a part of the leave, as a mean over all orders in which the
    leave can be put together.
    """

    tile: str
    value: float


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold what the opponent's next move is expected to be.

    `score`: mean points; `bingos`: share of moves that are bingos. `source`: "simulation", or "sample" for
    the moves with the most equity of `racks` racks that the opponent may hold.
    """

    score: float
    bingos: float
    racks: int
    source: str


@dataclass(frozen=True, slots=True)
class PremiumSquare:
    """Hold a premium square that a move opens or closes for the opponent.

    `letter_factor`, `word_factor`: from 1 to 4. `before`, `after`: the share of the opponent's racks with a
    play on the square if the player passed, and after the move.
    """

    at: str
    letter_factor: int
    word_factor: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class SquareContrast:
    """Hold a premium square that the opponent can reach more often after one move than after the other.

    The shares are those of the opponent's racks with a play on it.
    """

    at: str
    letter_factor: int
    word_factor: int
    share_after_best: float
    share_after_other: float


@dataclass(frozen=True, slots=True)
class ExplainedMove:
    """Hold the figures of a move.

    `spread`: the mean at the end of rollouts, or after an endgame search at the end of the game, which the
    moves of `line` lead to; `certainty`: that of the endgame search. `phonies`: the invalid words that the
    move forms. `reply`: the opponent's next move, None if the game ends before. `leave_tiles`: the share of
    each tile of the leave in its value; they add up to the value of the leave minus that of an empty leave;
    none with an empty bag. `opened`, `closed`: premium squares that the move opens and closes, the most
    valuable first.
    """

    judged: Judged
    spread: float | None = None
    line: tuple[Move, ...] = ()
    certainty: str | None = None
    phonies: tuple[str, ...] = ()
    reply: Reply | None = None
    leave_tiles: tuple[TileShare, ...] = ()
    opened: tuple[PremiumSquare, ...] = ()
    closed: tuple[PremiumSquare, ...] = ()


def explained_move(judged: Judged) -> ExplainedMove:
    """Return the figures of a move of an analysis."""
    found = judged.found
    if isinstance(found, Simulated):
        reply = Reply(found.opponent_score, found.opponent_bingos, found.iterations, "simulation")
        return ExplainedMove(judged, found.spread, reply=reply)
    if isinstance(found, EndgameReport):
        return ExplainedMove(judged, found.spread, found.line, found.certainty)
    return ExplainedMove(judged)


@dataclass(frozen=True, slots=True)
class Contrast:
    """Hold another move, what the best move has more than it, and the sentences about both.

    Differences are those of the best move minus the other: `score`, `tiles_used`, `equity`; `leave`, the
    value of the leave; `win_pct`, None unless both were estimated in the same way; `reply`, the
    mean points of the opponent's next move, with its standard error `reply_error` if both come from the same
    sample. `endgame_loss`, `endgame_loss_high`: how many points the other move is proven to lose at least and
    at most, None unless an endgame search has judged it; the most is None too if it is not known.
    """

    other: ExplainedMove
    score: int
    tiles_used: int
    leave: float | None
    equity: float | None
    win_pct: float | None
    endgame_loss: int | None
    endgame_loss_high: int | None
    reply: float | None
    reply_error: float | None
    squares: tuple[SquareContrast, ...]
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Say why the best move is best.

    `lang`: the language of the sentences; `ranked_by`: the order in which it is best; `text`: the sentences
    about the best move and the first of the others; `reply_to_pass`: the opponent's next move if the
    player passed.
    """

    lang: str
    ranked_by: str
    text: str
    best: ExplainedMove
    reply_to_pass: Reply | None
    contrasts: tuple[Contrast, ...]
