"""An explanation: what is known of the best move and of those that it is compared with.

Values are in points, win% from 0 to 100, shares from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from engine.analysis.judged import EndgameReport
from engine.search import Simulated

if TYPE_CHECKING:
    from engine.analysis.judged import Judged
    from engine.errors import Params
    from engine.position import Move


@dataclass(frozen=True, slots=True)
class Sentence:
    """Hold a sentence of an explanation."""

    code: Annotated[str, "stable code of the message"]
    params: Annotated[Params, "the values in `text`, rounded as it shows them; percentages from 0 to 100"]
    text: Annotated[str, "the sentence, in the language of the explanation"]


@dataclass(frozen=True, slots=True)
class TileShare:
    """Hold the share of one tile in the value of a leave."""

    tile: Annotated[str, "the tile; ? is a blank"]
    value: Annotated[
        float, "Shapley value in points: what the tile adds to a part of the leave, as a mean over all orders"
    ]


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold what the opponent's next move is expected to be."""

    score: Annotated[float, "mean points"]
    bingos: Annotated[float, "share of bingos, 0 to 1"]
    racks: Annotated[int, "number of the opponent's racks: rollouts of a simulation, or racks of a sample"]
    source: Annotated[str, "simulation, or sample: the moves with the most equity of random racks"]


@dataclass(frozen=True, slots=True)
class PremiumSquare:
    """Hold a premium square that a move opens or closes for the opponent."""

    at: Annotated[str, "square, such as 8A"]
    letter_factor: Annotated[int, "factor of the letter, 1 to 4"]
    word_factor: Annotated[int, "factor of the word, 1 to 4"]
    before: Annotated[float, "share of the opponent's racks with a play on it if the player passed, 0 to 1"]
    after: Annotated[float, "the same after the move"]


@dataclass(frozen=True, slots=True)
class SquareContrast:
    """Hold a premium square that the opponent can reach more often after one move than after the other."""

    at: Annotated[str, "square, such as 8A"]
    letter_factor: Annotated[int, "factor of the letter, 1 to 4"]
    word_factor: Annotated[int, "factor of the word, 1 to 4"]
    share_after_best: Annotated[
        float, "share of the opponent's racks with a play on it after the best move, 0 to 1"
    ]
    share_after_other: Annotated[float, "the same after the other move"]


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
    """Hold another move, what the best move has more than it, and the sentences about both."""

    other: ExplainedMove
    score: Annotated[int, "points of the best move minus those of the other"]
    tiles_used: Annotated[int, "tiles used by the best move minus those of the other"]
    leave: Annotated[float | None, "difference of leave_value, in points"]
    equity: Annotated[float | None, "difference of equity, in points"]
    win_pct: Annotated[float | None, "difference of win_pct; null unless both were estimated in one way"]
    endgame_loss: Annotated[
        int | None,
        "points that the other move is proven to lose at least; null unless a turn was judged by an endgame "
        "search",
    ]
    endgame_loss_high: Annotated[int | None, "points that it is proven to lose at most; null if unknown"]
    reply: Annotated[float | None, "difference of the opponent's mean points next turn"]
    reply_error: Annotated[float | None, "its standard error; null unless both come from one sample"]
    squares: Annotated[tuple[SquareContrast, ...], "premium squares that differ, the most valuable first"]
    sentences: Annotated[tuple[Sentence, ...], "one or two sentences about both moves"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Say why the best move is best."""

    lang: Annotated[str, "language of the sentences"]
    ranked_by: Annotated[str, "the order in which the move is best, as `sort`"]
    text: Annotated[str, "the sentences about the best move and the first of the others"]
    best: ExplainedMove
    reply_to_pass: Annotated[Reply | None, "the opponent's next move if the player passed"]
    contrasts: tuple[Contrast, ...]
