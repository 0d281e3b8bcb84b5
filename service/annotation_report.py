"""An annotated game as one self-contained page of HTML, with boards and a win% chart.

The page has no script and fetches nothing; its Content-Security-Policy forbids both. The templates escape
every text of the record, control characters included.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from engine import (
    InvalidInput,
    Play,
    board_svg,
    parse_cgp,
    parse_move,
    printable,
    tile_set,
    turn_sentence,
    win_range_text,
)
from service import annotation_text

if TYPE_CHECKING:
    from engine import Annotation, TurnNote

BOARD_SIZE: Final = 440
"""Width of a board in pixels, so that two fit side by side."""


class Point(NamedTuple):
    """One turn of the chart: its number, the first player's win% and its range, its mistake, and a label.

    `win_pct` is None if only the range is proven.
    """

    number: int
    win_pct: float | None
    low: float
    high: float
    mistake: str | None
    label: str


class Board(NamedTuple):
    """One board of a turn: the picture, its caption, and the move on it, None before the turn."""

    picture: Markup
    caption: str
    move: str | None


def annotation_page(annotation: Annotation) -> str:
    """Return the page of an annotated game; the same annotation gives the same text."""
    return _environment().get_template("annotation.html").render(annotation=annotation, **_chart(annotation))


def win_pct_svg(annotation: Annotation) -> str:
    """Draw the first player's win% before every turn, with a mark for each mistake; empty without win%.

    Title and description of the picture repeat it in words.
    """
    return _environment().get_template("win_pct.svg").render(**_chart(annotation))


def course(annotation: Annotation) -> list[Point]:
    """Return a point for every turn whose win%, or its range, is known, seen from the first player."""
    points = []
    for note in annotation.turns:
        low, high = note.win_pct_before_low, note.win_pct_before_high
        if low is None or high is None:
            continue
        if note.player != 0:
            low, high = 100 - high, 100 - low
        win_pct = None if note.win_pct_before is None else round(low, 2)
        nick = annotation.heading.players[note.player].nick
        label = f"turn {note.number}, {nick}: {win_range_text(low, high)} %"
        if note.mistake not in (None, "none"):
            label += f", {note.mistake} mistake"
        points.append(Point(note.number, win_pct, round(low, 2), round(high, 2), note.mistake, label))
    return points


def boards(note: TurnNote, annotation: Annotation) -> list[Board]:
    """Draw the board with the move played, and another with the best move if it differs."""
    try:
        position = parse_cgp(note.cgp, tile_set=tile_set(annotation.heading.tile_set))
    except InvalidInput:  # a record with uncorrected faults may have impossible positions
        return []
    played = note.recorded if note.kind == "play" and note.points is not None else None
    moves = [(played, "played, and taken back" if note.challenge == "taken_back" else "played")]
    if note.best is not None and note.best.kind == "play" and note.rank != 1:
        best = (note.best.move, "best")
        moves = [*moves, best] if played else [best]
    drawn = []
    for at, (text, caption) in enumerate(moves):
        move = None if text is None else parse_move(text, position.board, position.tile_set)
        play = move if isinstance(move, Play) else None
        picture = board_svg(position, play, size=BOARD_SIZE, name=f"board-{note.number}-{at}")
        drawn.append(Board(Markup(picture), caption, text))  # noqa: S704 - board_svg escapes its texts
    return drawn


def _chart(annotation: Annotation) -> dict[str, Any]:
    return {"points": course(annotation), "first_player": annotation.heading.players[0].nick}


@cache
def _environment() -> Environment:
    """Return the environment of the templates; without Flask, because the command line uses it too."""
    environment = Environment(
        loader=PackageLoader("service"),
        autoescape=True,
        finalize=_printable,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        texts=annotation_text, boards=boards, sentence=turn_sentence, wins=win_range_text
    )
    environment.filters["number"] = _number
    environment.filters["prose"] = _prose
    return environment


def _printable(value: Any) -> Any:
    """Escape the control characters of a text in a template, except in markup."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _prose(text: str) -> Markup:
    """Return a text of kibitz as markup: its no-break spaces are not escaped as control characters."""
    return escape(text)


def _number(value: float | None, digits: int = 1) -> str:
    return "" if value is None else f"{value:.{digits}f}"
