"""An annotated game as one page of HTML: summary, win% chart, every turn with the moves played and best.

The page stands alone: no script, nothing fetched, and a policy in it forbids both; every text of the record
is escaped.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from engine import InvalidInput, Play, TurnNote, board_svg, parse_cgp, parse_move, tile_set, turn_sentence
from service.rendering.annotation_text import INFERRED, judged_by, rack_text
from service.rendering.win_pct_svg import LEGEND, win_pct_svg

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Annotation, EventNote

BOARD_SIZE: Final = 440
"""Pixels of a board's side: two stand beside each other."""

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
summary { cursor: pointer } details { margin: .3rem 0; padding: .1rem 0 }
details[open] { border-left: .25rem solid #d8d3c4; padding-left: .8rem }
.moves { width: auto; margin: .5rem 0 }
.boards { display: flex; flex-wrap: wrap; gap: 1rem }
figure { margin: .5rem 0; min-width: 0; max-width: 100% } .scroll { overflow-x: auto }
figcaption { font-size: .9rem; color: #55524a }
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
    if heading.title:
        yield f"<p>{escape(names)}</p>"
    yield from _summary(annotation)
    chart = win_pct_svg(annotation)
    if chart:
        yield "<h2>Course of the game</h2>"
        yield f"<figure>{chart}<figcaption>{escape(LEGEND)}</figcaption></figure>"
    yield "<h2>Turns</h2>"
    for note in annotation.notes:
        yield from _turn(note, annotation) if isinstance(note, TurnNote) else _event(note, annotation)
    if any(note.rack_known == "inferred" for note in annotation.turns):
        yield f'<p class="dim">{INFERRED}.</p>'
    yield from _faults(annotation)
    yield (
        f'<p class="dim">Judged {escape(judged_by(annotation))}; '
        f"kibitz {escape(heading.provenance.engine_version)}. "
        "All figures are estimates, but for endgames that are said to be proven. A mistake is small up to 3 "
        "win%, medium up to 7; with an empty bag up to 7 and 15 points.</p>"
    )
    yield "</body>"
    yield "</html>"


def _summary(annotation: Annotation) -> Iterator[str]:
    columns = ["player", "points", "turns", "judged", "accuracy", "equity lost a turn", "win% lost a turn"]
    columns += ["small mistakes", "medium", "large", "bingos", "missed", "phonies"]
    yield '<div class="scroll"><table>'
    yield _row(columns, "th", range(1, len(columns)))
    for player in annotation.summary.players:
        mistakes = player.mistakes
        cells = [player.nick, player.score, player.turns, player.judged, _number(player.accuracy, 0, " %")]
        cells += [_number(player.average_equity_loss), _number(player.average_win_pct_loss)]
        cells += [mistakes.small, mistakes.medium, mistakes.large]
        cells += [player.bingos, player.missed_bingos, player.phonies]
        yield _row([escape(str(cell)) for cell in cells], "td", range(1, len(cells)))
    yield "</table></div>"


def _row(cells: list[str], tag: str, figures: range) -> str:
    """Write a row; the cells are HTML already."""
    scope = ' scope="col"' if tag == "th" else ""
    texts = [
        f"<{tag}{scope}{' class=' + chr(34) + 'n' + chr(34) if at in figures else ''}>{cell}</{tag}>"
        for at, cell in enumerate(cells)
    ]
    return f"<tr>{''.join(texts)}</tr>"


def _turn(note: TurnNote, annotation: Annotation) -> Iterator[str]:
    nick = escape(annotation.heading.players[note.player].nick)
    move = note.recorded if note.played is None or note.challenge == "taken_back" else note.played.move
    label = note.mistake or ("" if note.not_judged is None else "not judged")
    mark = f' <span class="{note.mistake or "dim"}">{escape(label)}</span>' if label != "none" else ""
    if note.win_pct_loss is not None and note.win_pct_loss >= 0.05:
        mark += f" \N{MINUS SIGN}{note.win_pct_loss:.1f} win%"
    if note.phonies:
        mark += ' <span class="phony">phony</span>'
    yield "<details>"
    yield (
        f"<summary>{note.number}. {nick} <code>{escape(rack_text(note))}</code> "
        f"<code>{escape(move)}</code> {note.score:+} ({note.total}){mark}</summary>"
    )
    said = turn_sentence(note).removeprefix("kibitz: ")
    if said:
        yield f"<p>{escape(said)}.</p>"
    yield from _moves(note)
    if note.win_pct_before is not None:
        yield f'<p class="dim">Who is on turn with this spread wins {note.win_pct_before:.1f} %.</p>'
    if note.note:
        yield f'<p class="dim">{escape(note.note)}</p>'
    yield from _boards(note, annotation)
    yield "</details>"


def _event(note: EventNote, annotation: Annotation) -> Iterator[str]:
    who = annotation.heading.players[note.player].nick if note.player >= 0 else "?"
    yield (
        f"<p>{note.number}. {escape(who)} {escape(note.kind.replace('_', ' '))} "
        f"<code>{escape(note.text)}</code> {note.score:+} ({note.total})</p>"
    )


def _moves(note: TurnNote) -> Iterator[str]:
    """Yield a table of the move played and of the best one, as far as they are known."""
    moves = [("played", note.played), ("best", note.best)]
    known = [(name, move) for name, move in moves if move is not None]
    if not known:
        return
    columns = ["", "move", "points", "leave", "equity", "win%"]
    yield '<div class="scroll"><table class="moves">'
    yield _row(columns, "th", range(2, 6))
    for name, move in known:
        error = f" ± {move.win_pct_error:.1f}" if move.win_pct_error else ""
        cells = [name, f"<code>{escape(move.move)}</code>", str(move.score)]
        cells += [f"<code>{escape(move.leave)}</code>", _number(move.equity), _number(move.win_pct) + error]
        yield _row(cells, "td", range(2, 6))
    yield "</table></div>"


def _boards(note: TurnNote, annotation: Annotation) -> Iterator[str]:
    """Yield the board with the move played upon it, and beside it with the best one if that is another."""
    try:
        position = parse_cgp(note.cgp, tile_set=tile_set(annotation.heading.tile_set))
    except InvalidInput:  # what a referee let pass need not make a position
        return
    placed = note.recorded if note.kind == "play" and note.points is not None else None
    shown = [(placed, "played, and taken back" if note.challenge == "taken_back" else "played")]
    if note.best is not None and note.best.kind == "play" and note.rank != 1:
        best = (note.best.move, "best")
        shown = [*shown, best] if placed else [best]
    yield '<div class="boards">'
    for at, (text, caption) in enumerate(shown):
        move = None if text is None else parse_move(text, position.board, position.tile_set)
        drawn = board_svg(position, move if isinstance(move, Play) else None, size=BOARD_SIZE)
        named = _NAME.sub(lambda match: f"{match[0]}-{note.number}-{at}", drawn)  # noqa: B023 - used at once
        told = "before this turn" if text is None else f"{caption}: <code>{escape(text)}</code>"
        yield f"<figure>{named}<figcaption>{told}</figcaption></figure>"
    yield "</div>"


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
