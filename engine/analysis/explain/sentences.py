"""The sentences of an explanation: the first says what ranks the best move, the second gives the main reason.

A template is an English text of `engine.messages`; its values are figures of the explanation. A percentage is
from 0 to 100. Integers are shown without, other numbers with one decimal, differences with their sign.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.analysis.explain.explanation import Sentence
from engine.messages import message, number, plural, translated
from engine.position import Play, format_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.analysis.explain.explanation import Contrast, ExplainedMove, TileShare
    from engine.analysis.judged import Judged

Value: TypeAlias = str | int | float | list[str]

MIN_REPLY: Final = 2.0
"""The least difference of the opponent's mean points that a sentence mentions, and in standard errors."""
MIN_TILE: Final = 3.0
"""The least share of a tile in the value of a leave that a sentence mentions, in points."""
MIN_REACH: Final = 0.15
"""The least difference of the share of racks with a play on a square that a sentence mentions."""
REACH_POINTS: Final = 30.0
"""About what a play on a triple-word square gains; weighs such a square against other reasons."""

EXACT: Final = "exact"
"""The certainty of a spread that is proven."""

PERCENTAGES: Final = frozenset(
    {
        "win_pct",
        "other_win_pct",
        "win_pct_low",
        "win_pct_high",
        "other_win_pct_low",
        "other_win_pct_high",
        "bingos",
        "other_bingos",
        "share",
        "other_share",
    }
)
"""The values of sentences that are from 0 to 100."""


@dataclass(frozen=True, slots=True)
class Template:
    """Hold a message with named values; those in PERCENTAGES are shown with the percent sign.

    `plural`: the text for another number than one of the value `count`; `signed`: the values shown with
    their sign.
    """

    code: str
    text: str
    plural: str | None = None
    count: str = ""
    signed: tuple[str, ...] = ()

    def render(self, lang: str, **values: Value) -> Sentence:
        """Return the sentence in a language; numbers are rounded as they are shown."""
        params = {name: _rounded(value) for name, value in values.items()}
        counted = params.get(self.count, 1)
        text = translated(
            self.text, lang, plural=self.plural, count=int(counted) if isinstance(counted, int | float) else 1
        )
        shown = {
            name: _shown(value, lang, signed=name in self.signed, percent=name in PERCENTAGES)
            for name, value in params.items()
        }
        sentence = text.format(**shown)
        return Sentence(self.code, params, sentence[:1].upper() + sentence[1:])


A_PASS: Final = message("a pass")
AN_EXCHANGE: Final = message("an exchange of {tiles}")

ONLY: Final = Template("only_move", message("{best} is the only legal move."))
ONLY_PLAY: Final = Template("only_play", message("{best} is the only legal play."))
NO_PLAY: Final = Template("no_play", message("There is no play."))
NOT_VALID: Final = Template("not_valid", message("{other} is not valid; the best legal move is {best}."))
SCORE: Final = Template(
    "score",
    *plural(
        "{best} scores {score} point, {other} {other_score}.",
        "{best} scores {score} points, {other} {other_score}.",
    ),
    count="score",
)
EQUITY: Final = Template(
    "equity",
    message(
        "Equity of {best} against {other}: {equity} points, {score} by the score and {leave} by the leave."
    ),
    signed=("equity", "score", "leave"),
)
EQUITY_ON_BOARD: Final = Template(
    "equity_on_board",
    message(
        "Equity of {best} against {other}: {equity} points, {score} by the score, {leave} by the leave and "
        "{board} by the squares that they open."
    ),
    signed=("equity", "score", "leave", "board"),
)
WIN_PCT: Final = Template(
    "win_pct", message("After {best} a player wins {win_pct} of games, after {other} {other_win_pct}.")
)
PROVEN_WIN: Final = Template("proven_win", message("{best} is proven to win; {other} is not."))
WIN_PCT_RANGE: Final = Template(
    "win_pct_range",
    message(
        "Proven of the win%: from {win_pct_low} to {win_pct_high} for {best}, from {other_win_pct_low} to "
        "{other_win_pct_high} for {other}."
    ),
)
SIMULATION: Final = Template(
    "simulation", message("In simulation {best} wins {win_pct} of games, {other} {other_win_pct}.")
)
SIMULATION_ALONE: Final = Template(
    "simulation_alone", message("In simulation {best} wins {win_pct} of games; {other} was not simulated.")
)
SPREAD: Final = Template(
    "spread",
    message("In simulation {best} leads to a mean spread of {spread} points, {other} to {other_spread}."),
    signed=("spread", "other_spread"),
)
PREENDGAME: Final = Template(
    "preendgame",
    message("Over the draws of the last tiles {best} wins {win_pct}, {other} {other_win_pct}."),
)
PREENDGAME_ALONE: Final = Template(
    "preendgame_alone",
    message("Over the draws of the last tiles {best} wins {win_pct}; how often {other} wins is not known."),
)
ENDGAME: Final = Template(
    "endgame",
    message("{best} is proven best: the game ends with a spread of {spread} points after {line}."),
    signed=("spread",),
)
ENDGAME_FOUND: Final = Template(
    "endgame_found",
    message("The search found nothing better than {best}: a spread of {spread} points after {line}."),
    signed=("spread",),
)
ENDGAME_LOSS: Final = Template(
    "endgame_loss", message("{best} ends the game {points} points better than {other}, which is proven.")
)
ENDGAME_LOSS_RANGE: Final = Template(
    "endgame_loss_range",
    message(
        "{other} is proven to lose from {points} to {most_points} points; the best move found is {best}."
    ),
)
ENDGAME_LOSS_UNKNOWN: Final = Template(
    "endgame_loss_unknown", message("The best move found is {best}; what {other} loses is not known.")
)
ENDGAME_LOSS_LEAST: Final = Template(
    "endgame_loss_least",
    message("{other} is proven to lose at least {points} points; the best move found is {best}."),
)
REPLY: Final = Template(
    "reply",
    message("The opponent then scores {reply} points on average, after {other} {other_reply}."),
)
REPLY_BINGOS: Final = Template(
    "reply_bingos",
    message(
        "The opponent then scores {reply} points on average with {bingos} bingos, after {other} "
        "{other_reply} with {other_bingos}."
    ),
)
TRIPLE_WORD: Final = Template(
    "triple_word",
    message(
        "After {other} the opponent reaches the triple-word square {square} with {other_share} of racks, "
        "after {best} with {share}."
    ),
)
QUADRUPLE_WORD: Final = Template(
    "quadruple_word",
    message(
        "After {other} the opponent reaches the quadruple-word square {square} with {other_share} of racks, "
        "after {best} with {share}."
    ),
)
GOOD_TILE: Final = Template(
    "good_tile", message("Of the leave {leave}, {tile} adds the most: {value} points."), signed=("value",)
)
BAD_TILE: Final = Template(
    "bad_tile",
    message("Of the leave {leave} after {other}, {tile} costs the most: {value} points."),
    signed=("value",),
)
TURNOVER: Final = Template(
    "turnover",
    *plural(
        "{best} plays {tiles} tile, {other} {other_tiles}.",
        "{best} plays {tiles} tiles, {other} {other_tiles}.",
    ),
    count="tiles",
)


@dataclass(frozen=True, slots=True)
class Setting:
    """Hold what sentences need besides the figures.

    `ranked_by`: the order in which the best move is best; `empty_bag`: whether the opponent's rack is known,
    so that nothing is said of averages over racks; `has_exchanges`: whether exchanges are legal.
    """

    ranked_by: str
    lang: str
    empty_bag: bool
    has_exchanges: bool


def sentences(
    setting: Setting, best: ExplainedMove, contrast: Contrast | None = None
) -> tuple[Sentence, ...]:
    """Return one or two sentences about the best move, beside another one unless there is none."""
    if contrast is None:
        return (_alone(setting, best),)
    if contrast.other.phonies:
        return (NOT_VALID.render(setting.lang, best=best.judged.text, other=contrast.other.judged.text),)
    first = _first(setting, best, contrast)
    if contrast.endgame_loss is not None:
        return (first, _line(setting.lang, best)) if _has_line(best) and best.certainty == EXACT else (first,)
    if setting.ranked_by == "score" and contrast.equity is not None:
        return first, _equity(setting.lang, best, contrast)
    reasons = max(_reasons(setting, best, contrast), key=lambda one: one[0], default=None)
    return (first,) if reasons is None else (first, reasons[1])


def _alone(setting: Setting, best: ExplainedMove) -> Sentence:
    """Return the sentence about a best move without another one."""
    if _has_line(best):
        return _line(setting.lang, best)
    if isinstance(best.judged.move, Play):
        return ONLY_PLAY.render(setting.lang, best=best.judged.text)
    return (
        NO_PLAY.render(setting.lang)
        if setting.has_exchanges
        else ONLY.render(setting.lang, best=best.judged.text)
    )


def _has_line(best: ExplainedMove) -> bool:
    return bool(best.line) and best.spread is not None


def _line(lang: str, best: ExplainedMove) -> Sentence:
    """Return the sentence about the moves that an endgame search found."""
    assert best.spread is not None  # noqa: S101 - the callers have checked
    template = ENDGAME if best.certainty == EXACT else ENDGAME_FOUND
    return template.render(
        lang,
        best=best.judged.text,
        spread=best.spread,
        line=[format_move(move, best.judged.position.tile_set) for move in best.line],
    )


def _first(setting: Setting, best: ExplainedMove, contrast: Contrast) -> Sentence:
    """Return the sentence about what ranks the best move."""
    lang, ranked_by, other = setting.lang, setting.ranked_by, contrast.other
    win_pct, other_win_pct = best.judged.win_pct, other.judged.win_pct
    moves: dict[str, Value] = {"best": best.judged.text, "other": other.judged.text}
    if contrast.endgame_loss is not None:
        return _loss(lang, moves, contrast.endgame_loss, contrast.endgame_loss_high)
    if _has_line(best):
        return _line(lang, best)
    both_known = best.judged.win is not None and other.judged.win is not None
    if ranked_by in ("win_pct", "preendgame") and both_known and None in (win_pct, other_win_pct):
        return _win_range(lang, moves, best.judged, other.judged)
    if win_pct is not None and ranked_by in _BY_WIN_PCT:
        both, alone = _BY_WIN_PCT[ranked_by]
        if contrast.win_pct is not None and other_win_pct is not None:
            return both.render(lang, **moves, win_pct=win_pct, other_win_pct=other_win_pct)
        if alone is not None:
            return alone.render(lang, **moves, win_pct=win_pct)
    if ranked_by == "simulate" and best.spread is not None and other.spread is not None:
        return SPREAD.render(lang, **moves, spread=best.spread, other_spread=other.spread)
    if ranked_by == "score" or contrast.equity is None:
        return SCORE.render(lang, **moves, score=best.judged.score, other_score=other.judged.score)
    return _equity(lang, best, contrast)


def _loss(lang: str, moves: dict[str, Value], least: int, most: int | None) -> Sentence:
    """Return the sentence about the points that the other move is proven to lose."""
    if least == most:
        return ENDGAME_LOSS.render(lang, **moves, points=float(least))
    if most is None and not least:
        return ENDGAME_LOSS_UNKNOWN.render(lang, **moves)
    if most is None:
        return ENDGAME_LOSS_LEAST.render(lang, **moves, points=float(least))
    return ENDGAME_LOSS_RANGE.render(lang, **moves, points=float(least), most_points=float(most))


def _win_range(lang: str, moves: dict[str, Value], best: Judged, other: Judged) -> Sentence:
    """Return the sentence about two win%, at least one of which is known only as a range."""
    if best.win_pct == 100:
        return PROVEN_WIN.render(lang, **moves)
    assert best.win is not None  # noqa: S101 - a move ranked by win% has one
    assert other.win is not None  # noqa: S101
    return WIN_PCT_RANGE.render(
        lang,
        **moves,
        win_pct_low=best.win.low,
        win_pct_high=best.win.high,
        other_win_pct_low=other.win.low,
        other_win_pct_high=other.win.high,
    )


_BY_WIN_PCT: Final[dict[str, tuple[Template, Template | None]]] = {
    "win_pct": (WIN_PCT, None),
    "simulate": (SIMULATION, SIMULATION_ALONE),
    "preendgame": (PREENDGAME, PREENDGAME_ALONE),
}
"""The templates for two moves with a win%, and for a best move that alone has one, by order."""


def _equity(lang: str, best: ExplainedMove, contrast: Contrast) -> Sentence:
    assert contrast.equity is not None  # noqa: S101 - the callers have checked
    assert contrast.leave is not None  # noqa: S101
    values: dict[str, Value] = {
        "best": best.judged.text,
        "other": contrast.other.judged.text,
        "equity": contrast.equity,
        "score": contrast.score,
        "leave": contrast.leave,
    }
    board = contrast.equity - contrast.score - contrast.leave
    if abs(board) < 0.05:  # it would be shown as 0.0
        return EQUITY.render(lang, **values)
    return EQUITY_ON_BOARD.render(lang, **values, board=board)


def _reasons(setting: Setting, best: ExplainedMove, contrast: Contrast) -> Iterator[tuple[float, Sentence]]:
    """Yield sentences that speak for the best move, each with its weight: about its points."""
    lang, other = setting.lang, contrast.other
    moves: dict[str, Value] = {"best": best.judged.text, "other": other.judged.text}
    values: dict[str, Value]
    if not setting.empty_bag:
        yield from _replies(lang, best, contrast)
    if contrast.leave is not None and contrast.leave > 0:
        good = max(_not_in(best.leave_tiles, other.leave_tiles), key=lambda share: share.value, default=None)
        if good is not None and good.value >= MIN_TILE:
            values = {"leave": str(best.judged.leave), "tile": good.tile, "value": good.value}
            yield min(contrast.leave, good.value), GOOD_TILE.render(lang, **values)
        bad = min(_not_in(other.leave_tiles, best.leave_tiles), key=lambda share: share.value, default=None)
        if bad is not None and -bad.value >= MIN_TILE:
            values = {
                "leave": str(other.judged.leave),
                "other": other.judged.text,
                "tile": bad.tile,
                "value": bad.value,
            }
            yield min(contrast.leave, -bad.value), BAD_TILE.render(lang, **values)
    if contrast.tiles_used > 0 and isinstance(other.judged.move, Play):
        values = {"tiles": best.judged.tiles_used, "other_tiles": other.judged.tiles_used}
        yield 1.0, TURNOVER.render(lang, **moves, **values)


def _replies(lang: str, best: ExplainedMove, contrast: Contrast) -> Iterator[tuple[float, Sentence]]:
    """Yield sentences about what the opponent can do less often or for fewer points, each with its weight."""
    other = contrast.other
    moves: dict[str, Value] = {"best": best.judged.text, "other": other.judged.text}
    values: dict[str, Value]
    reply, other_reply = best.reply, other.reply
    least = MIN_REPLY * max(1.0, contrast.reply_error or 0.0)
    if reply and other_reply and contrast.reply is not None and -contrast.reply >= least:
        values = {"reply": reply.score, "other_reply": other_reply.score, "other": other.judged.text}
        if reply.bingos < other_reply.bingos:
            values |= {"bingos": round(100 * reply.bingos), "other_bingos": round(100 * other_reply.bingos)}
            yield -contrast.reply, REPLY_BINGOS.render(lang, **values)
        else:
            yield -contrast.reply, REPLY.render(lang, **values)
    for square in contrast.squares:
        reached = square.share_after_other - square.share_after_best
        if square.word_factor >= 3 and reached >= MIN_REACH:
            template = TRIPLE_WORD if square.word_factor == 3 else QUADRUPLE_WORD
            values = {
                "share": round(100 * square.share_after_best),
                "other_share": round(100 * square.share_after_other),
            }
            yield REACH_POINTS * reached, template.render(lang, **moves, square=square.at, **values)


def _not_in(shares: tuple[TileShare, ...], others: tuple[TileShare, ...]) -> list[TileShare]:
    """Return the shares of the tiles of one leave that another leave lacks or holds fewer of."""
    more = Counter([share.tile for share in shares]) - Counter([share.tile for share in others])
    return [share for share in shares if share.tile in more]


def _named(text: str, lang: str) -> str:
    """Return a move as a sentence names it: an exchange and a pass in words, another text as it is."""
    if text == "-":
        return translated(A_PASS, lang)
    if text.startswith("-"):
        return translated(AN_EXCHANGE, lang).format(tiles=text[1:])
    return text


def _rounded(value: Value) -> Value:
    return round(value, 1) or 0.0 if isinstance(value, float) else value


def _shown(value: Value, lang: str, *, signed: bool, percent: bool) -> str:
    if isinstance(value, str):
        return _named(value, lang)
    if isinstance(value, list):
        return ", ".join([_named(move, lang) for move in value])
    return number(value, lang, digits=0 if isinstance(value, int) else 1, signed=signed, percent=percent)
