"""An annotated game as one page of HTML: summary, win% chart, every turn, and the board of each play.

The page stands alone: no script, nothing fetched, and a policy in it forbids both; every text of the record
is escaped.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from engine import InvalidInput, Play, parse_cgp, parse_move, tile_set, turn_sentence
from service.rendering.board_svg import board_svg
from service.rendering.win_pct_svg import win_pct_svg

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Annotation, TurnNote

BOARD_SIZE: Final = 420
"""Pixels of a board's side."""

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"

STYLE: Final = """\
body { font-family: Arial, Helvetica, "DejaVu Sans", sans-serif; color: #1b1b1b; background: #fff;
       max-width: 64rem; margin: 1rem auto; padding: 0 1rem; line-height: 1.4 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #d8d3c4; vertical-align: top }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
code { font-family: "DejaVu Sans Mono", monospace }
svg { max-width: 100%; height: auto }
.none { color: #17694b } .small { color: #7a5900 } .medium { color: #a84300 } .large { color: #b3001b }
.small, .medium, .large, .phony { font-weight: bold }
.phony { color: #6a2c91 } .dim { color: #55524a }
summary { cursor: pointer } details { margin: .3rem 0 }
"""

_NAME = re.compile(r"\bboard-[0-9a-f]{12}\b")


def annotation_page(annotation: Annotation) -> str:
    """Write the page of an annotated game; the same annotation gives the same text."""
    return "\n".join(_page(annotation)) + "\n"


def _page(annotation: Annotation) -> Iterator[str]:
    heading = annotation.heading
    names = " - ".join([player.name or player.nick for player in heading.players])
    title = escape(heading.title or names)
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>"
    yield f"<style>\n{STYLE}</style>"
    yield "</head>"
    yield "<body>"
    yield f"<h1>{title}</h1>"
    yield f"<p>{escape(names)}</p>"
    yield from _summary(annotation)
    chart = win_pct_svg(annotation)
    if chart:
        yield "<h2>Course of the game</h2>"
        yield f"<figure>{chart}</figure>"
    yield "<h2>Turns</h2>"
    yield from _turns(annotation)
    yield from _faults(annotation)
    yield (
        f'<p class="dim">Judged by {escape(heading.evaluator)} with the words of {escape(heading.lexicon)}, '
        f"kibitz {escape(heading.provenance.engine_version)}. "
        "All figures are estimates, but for endgames that are said to be proven. A mistake is small up to 3 "
        "win%, medium up to 7; with an empty bag up to 7 and 15 points.</p>"
    )
    yield "</body>"
    yield "</html>"


def _summary(annotation: Annotation) -> Iterator[str]:
    columns = ["player", "points", "turns", "judged", "accuracy", "equity lost a turn", "win% lost a turn"]
    columns += ["small", "medium", "large mistakes", "bingos", "missed", "phonies"]
    yield "<table>"
    yield _row(columns, "th", range(1, len(columns)))
    for player in annotation.summary.players:
        mistakes = player.mistakes
        cells = [player.nick, player.score, player.turns, player.judged, _number(player.accuracy, 0, " %")]
        cells += [_number(player.average_equity_loss), _number(player.average_win_pct_loss)]
        cells += [mistakes.small, mistakes.medium, mistakes.large]
        cells += [player.bingos, player.missed_bingos, player.phonies]
        yield _row([escape(str(cell)) for cell in cells], "td", range(1, len(cells)))
    yield "</table>"


def _row(cells: list[str], tag: str, figures: range) -> str:
    """Write a row; the cells are HTML already."""
    scope = ' scope="col"' if tag == "th" else ""
    texts = [
        f"<{tag}{scope}{' class=' + chr(34) + 'n' + chr(34) if at in figures else ''}>{cell}</{tag}>"
        for at, cell in enumerate(cells)
    ]
    return f"<tr>{''.join(texts)}</tr>"


def _turns(annotation: Annotation) -> Iterator[str]:
    for note in annotation.turns:
        nick = escape(annotation.heading.players[note.player].nick)
        move = note.recorded if note.played is None or note.challenge == "taken_back" else note.played.move
        label = note.mistake or ("" if note.not_judged is None else "not judged")
        mark = f' <span class="{note.mistake or "dim"}">{escape(label)}</span>' if label != "none" else ""
        if note.phonies:
            mark += ' <span class="phony">phony</span>'
        yield "<details>"
        yield (
            f"<summary>{note.number}. {nick} <code>{escape(note.rack or '?')}</code> "
            f"<code>{escape(move)}</code> {note.score:+} ({note.total}){mark}</summary>"
        )
        said = turn_sentence(note).removeprefix("kibitz: ")
        if said:
            yield f"<p>{escape(said)}.</p>"
        if note.win_pct_after is not None:
            error = "" if note.win_pct_error is None else f" ± {note.win_pct_error:.1f}"
            after = f"{_number(note.win_pct_after)}{error}"
            yield f"<p>Win% {_number(note.win_pct_before)} before, {after} after.</p>"
        if note.note:
            yield f'<p class="dim">{escape(note.note)}</p>'
        yield from _board(note, annotation)
        yield "</details>"
    for event in annotation.notes:
        if not hasattr(event, "rack"):
            who = annotation.heading.players[event.player].nick if event.player >= 0 else "?"
            yield (
                f"<p>{event.number}. {escape(who)} {escape(event.kind.replace('_', ' '))} "
                f"{escape(event.text)} {event.score:+} ({event.total})</p>"
            )


def _board(note: TurnNote, annotation: Annotation) -> Iterator[str]:
    """Yield the board with the play upon it; nothing for a turn without tiles."""
    if note.kind != "play":
        return
    try:
        position = parse_cgp(note.cgp, tile_set=tile_set(annotation.heading.tile_set))
        move = parse_move(note.recorded, position.board, position.tile_set)
    except InvalidInput:
        return
    if isinstance(move, Play):
        drawn = board_svg(position, move, size=BOARD_SIZE)
        yield _NAME.sub(lambda match: f"{match[0]}-{note.number}", drawn)


def _faults(annotation: Annotation) -> Iterator[str]:
    faults = [*annotation.heading.faults, *[fault for note in annotation.notes for fault in note.faults]]
    if faults:
        yield "<h2>What is wrong with the record</h2>"
        yield "<ul>"
        for fault in sorted(faults, key=lambda fault: fault.line):
            yield f"<li>{'warning' if fault.warning else 'fault'}: {escape(fault.detail)}</li>"
        yield "</ul>"


def _number(value: float | None, digits: int = 1, unit: str = "") -> str:
    return "" if value is None else f"{value:.{digits}f}{unit}"
