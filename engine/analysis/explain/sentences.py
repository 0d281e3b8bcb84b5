"""The sentences of an explanation: the first says what ranks the best move, the second gives the main reason.

A template is an English text of `engine.messages`; its values are figures of the explanation. A percentage is
from 0 to 100. Integers are shown without, other numbers with one decimal, differences with their sign.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.analysis.explain.explanation import Sentence
from engine.messages import message, number, plural, translated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.analysis.explain.explanation import Contrast, ExplainedMove

Value: TypeAlias = str | int | float | list[str]

MIN_REPLY: Final = 2.0
"""The least difference of the opponent's mean points that a sentence mentions, and in standard errors."""
MIN_TILE: Final = 3.0
"""The least share of a tile in the value of a leave that a sentence mentions, in points."""
MIN_REACH: Final = 0.15
"""The least difference of the share of racks with a play on a square that a sentence mentions."""
REACH_POINTS: Final = 30.0
"""About what a play on a triple-word square gains; weighs such a square against other reasons."""

PERCENTAGES: Final = frozenset({"win_pct", "other_win_pct", "bingos", "other_bingos", "share", "other_share"})
"""The values of sentences that are from 0 to 100."""


@dataclass(frozen=True, slots=True)
class Template:
    """Hold a message with named values, of which those in PERCENTAGES are shown with the percent sign.

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
WIN_PCT: Final = Template(
    "win_pct", message("After {best} a player wins {win_pct} of games, after {other} {other_win_pct}.")
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
ENDGAME_LOSS_FOUND: Final = Template(
    "endgame_loss_found",
    message("By the search {best} ends the game {points} points better than {other}, which is not proven."),
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


def sentences(
    ranked_by: str, lang: str, best: ExplainedMove, contrast: Contrast | None = None
) -> tuple[Sentence, ...]:
    """Return one or two sentences about the best move, beside another one unless there is none.

    `ranked_by`: the order in which it is best.
    """
    first = _first(ranked_by, lang, best, contrast)
    if contrast is None:
        return (first,)
    if ranked_by == "score" and contrast.equity is not None:
        return first, _equity(lang, best, contrast)
    reasons = max(_reasons(lang, best, contrast), key=lambda one: one[0], default=None)
    return (first,) if reasons is None else (first, reasons[1])


def _first(ranked_by: str, lang: str, best: ExplainedMove, contrast: Contrast | None) -> Sentence:
    """Return the sentence about what ranks the best move."""
    if best.line and best.spread is not None:
        template = ENDGAME if best.certainty == "exact" else ENDGAME_FOUND
        return template.render(lang, best=best.move, spread=best.spread, line=list(best.line))
    if contrast is None:
        return ONLY.render(lang, best=best.move)
    other = contrast.other
    moves: dict[str, Value] = {"best": best.move, "other": other.move}
    if ranked_by == "endgame" and contrast.equity is not None:
        template = ENDGAME_LOSS if best.certainty == "exact" else ENDGAME_LOSS_FOUND
        return template.render(lang, **moves, points=contrast.equity)
    if best.win_pct is not None and ranked_by in _BY_WIN_PCT:
        both, alone = _BY_WIN_PCT[ranked_by]
        if contrast.win_pct is not None and other.win_pct is not None:
            return both.render(lang, **moves, win_pct=best.win_pct, other_win_pct=other.win_pct)
        if alone is not None:
            return alone.render(lang, **moves, win_pct=best.win_pct)
    if best.spread is not None and other.spread is not None:
        return SPREAD.render(lang, **moves, spread=best.spread, other_spread=other.spread)
    if ranked_by == "score" or contrast.equity is None:
        return SCORE.render(lang, **moves, score=best.score, other_score=other.score)
    return _equity(lang, best, contrast)


_BY_WIN_PCT: Final[dict[str, tuple[Template, Template | None]]] = {
    "win_pct": (WIN_PCT, None),
    "simulate": (SIMULATION, SIMULATION_ALONE),
    "preendgame": (PREENDGAME, PREENDGAME_ALONE),
}
"""The templates for two moves with a win%, and for a best move that alone has one, by order."""


def _equity(lang: str, best: ExplainedMove, contrast: Contrast) -> Sentence:
    assert contrast.equity is not None  # noqa: S101 - the callers have checked
    assert contrast.leave is not None  # noqa: S101
    return EQUITY.render(
        lang,
        best=best.move,
        other=contrast.other.move,
        equity=contrast.equity,
        score=contrast.score,
        leave=contrast.leave,
    )


def _reasons(lang: str, best: ExplainedMove, contrast: Contrast) -> Iterator[tuple[float, Sentence]]:
    """Yield sentences that speak for the best move, each with its weight: about its points."""
    other = contrast.other
    moves: dict[str, Value] = {"best": best.move, "other": other.move}
    values: dict[str, Value]
    reply, other_reply = best.reply, other.reply
    least = MIN_REPLY * max(1.0, contrast.reply_error or 0.0)
    if reply and other_reply and contrast.reply is not None and -contrast.reply >= least:
        values = {"reply": reply.score, "other_reply": other_reply.score, "other": other.move}
        if reply.bingos < other_reply.bingos:
            values |= {"bingos": round(100 * reply.bingos), "other_bingos": round(100 * other_reply.bingos)}
            yield -contrast.reply, REPLY_BINGOS.render(lang, **values)
        else:
            yield -contrast.reply, REPLY.render(lang, **values)
    for square in contrast.squares:
        reached = square.other - square.best
        if square.word_factor >= 3 and reached >= MIN_REACH:
            template = TRIPLE_WORD if square.word_factor == 3 else QUADRUPLE_WORD
            values = {"share": round(100 * square.best), "other_share": round(100 * square.other)}
            yield REACH_POINTS * reached, template.render(lang, **moves, square=square.at, **values)
    if contrast.leave is not None and contrast.leave > 0:
        good = max(best.leave_tiles, key=lambda share: share.value, default=None)
        if good is not None and good.value >= MIN_TILE:
            values = {"leave": best.leave, "tile": good.tile, "value": good.value}
            yield min(contrast.leave, good.value), GOOD_TILE.render(lang, **values)
        bad = min(other.leave_tiles, key=lambda share: share.value, default=None)
        if bad is not None and -bad.value >= MIN_TILE:
            values = {"leave": other.leave, "other": other.move, "tile": bad.tile, "value": bad.value}
            yield min(contrast.leave, -bad.value), BAD_TILE.render(lang, **values)
    if contrast.tiles_used > 0 and not other.move.startswith("-"):
        values = {"tiles": best.tiles_used, "other_tiles": other.tiles_used}
        yield 1.0, TURNOVER.render(lang, **moves, **values)


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
