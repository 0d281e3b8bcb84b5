"""An annotated game as one self-contained page of HTML, with a board that steps through it and a win% chart.

The page fetches nothing, and its Content-Security-Policy allows only its own two scripts, by their hashes;
without scripts only the board is missing. The templates escape every text of the record, control characters
included.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from engine import (
    DEFAULT_LANGUAGE,
    NOTE_PREFIX,
    InvalidInput,
    Position,
    Text,
    format_cgp,
    format_square,
    message,
    number,
    parse_cgp,
    printable,
    rendered,
    turn_sentence,
)
from service import annotation_text

if TYPE_CHECKING:
    from engine import Annotation, TurnNote

_MISTAKES: Final = {
    "small": message("small mistake"),
    "medium": message("medium mistake"),
    "large": message("large mistake"),
}

STATIC: Final = Path(__file__).parent / "static"
STYLE: Final = "report/report.css"


class Point(NamedTuple):
    """One turn of the chart: its number, the first player's win% and its range, its mistake, and a label.

    `win_pct` is None if only the range is proven.
    """

    number: int
    win_pct: float | None
    low: float
    high: float
    mistake: str | None
    label: Text


class Chart(NamedTuple):
    """The measures of the chart in pixels, and the number of its last turn."""

    last: int
    width: int = 720
    left: int = 44
    right: int = 12

    def x(self, number: int) -> float:
        """Return the horizontal place of a turn."""
        room = self.width - self.left - self.right
        return round(self.left + room * (number - 1) / max(1, self.last - 1), 1)


class Shown(NamedTuple):
    """What the board shows of a turn: the position before it, the play made and the best play, if any."""

    cgp: str
    played: str | None
    best: str | None


def annotation_page(annotation: Annotation, language: str = DEFAULT_LANGUAGE) -> str:
    """Return the page of an annotated game in a language; the same annotation gives the same text."""
    template = page_environment(language).get_template("report/annotation.html")
    positions = [note.position for note in annotation.turns if _is_possible(note)]
    return template.render(
        annotation=annotation,
        language=language,
        scripts=_scripts(),
        style=Markup((STATIC / STYLE).read_text("utf-8")),  # noqa: S704 - a file of the service
        equipment=_equipment(positions[0]) if positions else {},
        **_chart(annotation),
    )


def course(annotation: Annotation) -> list[Point]:
    """Return a point for every turn whose win%, or its range, is known, seen from the first player."""
    points = []
    for note in annotation.turns:
        if note.win_before is None:
            continue
        win = note.win_before if note.player == 0 else note.win_before.of_other_side()
        win_pct = None if win.win_pct is None else round(win.win_pct, 2)
        nick = annotation.heading.players[note.player].nick
        label = Text(
            "turn {number}, {player}: {win_pct} %",
            number=note.number,
            player=nick,
            win_pct=win.text(),
        )
        if note.mistake in _MISTAKES:
            label = Text("{turn}, {mistake}", turn=label, mistake=Text(_MISTAKES[note.mistake]))
        points.append(Point(note.number, win_pct, round(win.low, 2), round(win.high, 2), note.mistake, label))
    return points


def shown(note: TurnNote) -> Shown | None:
    """Return what the board shows of a turn, None if the record gives no possible position."""
    if not _is_possible(note):
        return None
    played = note.recorded if note.kind == "play" and note.points is not None else None
    best = note.best if note.best is not None and note.best.kind == "play" and note.judged.rank != 1 else None
    return Shown(format_cgp(note.position), played, None if best is None else best.text)


def _is_possible(note: TurnNote) -> bool:
    """Return whether a position can be read again; that of a record with faults may be impossible."""
    try:
        parse_cgp(format_cgp(note.position), tile_set=note.position.tile_set)
    except InvalidInput:
        return False
    return True


def _equipment(position: Position) -> dict[str, str]:
    """Return the board and the points of the tiles as attributes of <kibitz-board>."""
    layout, tiles = position.layout, position.tile_set
    starts = [format_square(row, column) for row, column in layout.starts]
    values = zip(tiles.alphabet.letters, tiles.values[1:], strict=True)
    return {
        "layout": " ".join(["/".join(layout.rows()), *starts]),
        "values": " ".join(f"{letter}{value}" for letter, value in values),
    }


@cache
def element_script() -> str:
    """Return the custom element <kibitz-board> as one module, with the notations that its file imports."""
    notation, element = ((STATIC / name).read_text("utf-8") for name in ("notation.js", "kibitz-board.js"))
    return notation + re.sub(r"^import .*\n", "", element, flags=re.MULTILINE)


@cache
def _scripts() -> list[tuple[Markup, str]]:
    """Return the text of each script of the page, and its hash for the Content-Security-Policy."""
    texts = [element_script(), (STATIC / "report/report.js").read_text("utf-8")]
    return [
        (Markup(text), f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}")  # noqa: S704 - our own
        for text in texts
    ]


def _chart(annotation: Annotation) -> dict[str, Any]:
    points = course(annotation)
    chart = Chart(points[-1].number if points else 1)
    return {"points": points, "chart": chart, "first_player": annotation.heading.players[0].nick}


@cache
def page_environment(language: str) -> Environment:
    """Return the environment of the templates of reports in a language, which needs no application."""
    environment = Environment(
        loader=PackageLoader("service"),
        autoescape=True,
        finalize=_printable,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        _=lambda template, **values: rendered(Text(template, **values), language),
        texts=annotation_text,
        shown=shown,
        sentence=lambda note: turn_sentence(note, language).removeprefix(NOTE_PREFIX),
    )
    environment.filters["number"] = lambda value, digits=1: _number(value, language, digits)
    environment.filters["signed"] = lambda value: number(value, language, signed=True)
    environment.filters["say"] = lambda text: rendered(text, language)
    environment.filters["prose"] = _prose
    return environment


def _printable(value: Any) -> Any:
    """Escape the control characters of a text in a template, except in markup."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _prose(text: str) -> Markup:
    """Return a text of kibitz as markup: its no-break spaces are not escaped as control characters."""
    return escape(text)


def _number(value: float | None, language: str, digits: int) -> str:
    return "" if value is None else number(value, language, digits=digits)
