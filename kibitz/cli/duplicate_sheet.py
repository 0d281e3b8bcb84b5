"""What `kibitz duplicate` shows of a game: rounds, slips and ranking, as text and as a page of HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import click
from markupsafe import Markup
from rich.console import Console

from engine import Text, __version__, board_svg, message, rendered
from engine import number as number_text
from kibitz.cli.board import board_text
from kibitz.cli.language import localized, reader_language, said
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.terminal import shown
from service.annotation_report import STATIC, STYLE, page_environment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import DuplicateGame, Entry, JudgedSlip

VERDICTS: Final = {
    "top": message("top"),
    "valid": message("valid"),
    "invalid": message("not valid"),
    "misplaced": message("misplaced"),
    "unclear": message("unclear"),
    "pass": message("pass"),
}
_REASONS: Final = {
    "no_rack": message("The game is over: no rack is allowed any more."),
    "no_play": message("The game is over: the last rack has no play."),
}


class SheetTable(NamedTuple):
    """A table of the sheet: its title, its headings, those of columns of words, and the cells."""

    title: Text
    headings: Sequence[str]
    words: Sequence[str]
    rows: Sequence[Sequence[str]]


def standings_table(game: DuplicateGame, language: str) -> SheetTable:
    """Return the ranking of the players."""
    headings = [
        message("rank"), message("player"), message("points"), message("bonus"), message("warnings"),
        message("penalty"), message("total"), "%", message("tops"), message("solos"),
    ]  # fmt: skip
    rows = [
        [
            str(one.rank), one.player, str(one.points), _unless_zero(one.bonus), _unless_zero(one.warnings),
            _unless_zero(one.penalty), str(one.total), number_text(one.percent, language, digits=2),
            str(one.tops), str(one.solos),
        ]
        for one in game.standings
    ]  # fmt: skip
    title = Text(
        "Ranking (rounds: {count}; all tops: {points})", count=len(game.rounds), points=game.top_total
    )
    return SheetTable(title, headings, ["player"], rows)


def rounds_table(game: DuplicateGame) -> SheetTable:
    """Return the closed rounds with their tops."""
    headings = [
        message("round"), message("rack"), message("top"), message("points"), message("next best"),
        message("found by"),
    ]  # fmt: skip
    rows = [
        [
            str(one.number),
            str(one.rack),
            one.top.text,
            str(one.top.score),
            str(one.sub_tops[0].score) if one.sub_tops else "",
            f"{sum([entry.judged.verdict == 'top' for entry in group])} / {len(group)}",
        ]
        for one, group in zip(game.rounds, game.entries, strict=True)
    ]
    return SheetTable(Text("Rounds"), headings, ["rack", "top"], rows)


def slips_table(game: DuplicateGame, number: int, language: str) -> SheetTable:
    """Return the slips of a closed round, by its number."""
    one = game.rounds[number - 1]
    before = {judged.slip.player for earlier in game.rounds[: number - 1] for judged in earlier.slips}
    headings = [
        message("player"), message("slip"), message("verdict"), message("points"), message("bonus"),
        message("penalty"), message("total"), message("why"),
    ]  # fmt: skip
    title = Text(
        "Round {number}, {rack}: {top} for {points}",
        number=one.number,
        rack=str(one.rack),
        top=one.top.text,
        points=one.top.score,
    )
    rows = [
        _slip_cells(entry, language, is_new=number > 1 and entry.player not in before)
        for entry in game.entries[number - 1]
    ]
    return SheetTable(title, headings, ["slip", "verdict", "why"], rows)


def _slip_cells(entry: Entry, language: str, *, is_new: bool) -> list[str]:
    judged = entry.judged
    why = [judged.fault.detail] if judged.fault is not None else []
    why += [Text("warned")] if entry.is_warned else []
    why += [Text("new player")] if is_new else []
    return [
        entry.player,
        judged.slip.move,
        rendered(Text(VERDICTS[judged.verdict]), language),
        str(judged.points),
        _unless_zero(entry.bonus),
        _unless_zero(entry.penalty),
        str(entry.total),
        "; ".join([rendered(text, language) for text in why]),
    ]


def _unless_zero(points: int) -> str:
    return str(points) if points else ""


def sheet_page(game: DuplicateGame, language: str) -> str:
    """Return the sheet as one self-contained page; the template escapes names, control characters too."""
    slips = [slips_table(game, number, language) for number in range(1, game.number)]
    return (
        page_environment(language)
        .get_template("report/duplicate.html")
        .render(
            reason=_REASONS.get(game.reason or ""),
            tables=[standings_table(game, language), rounds_table(game)],
            slips=slips,
            board=Markup(board_svg(game.position)),  # noqa: S704 - it escapes what it draws
            lexicon=game.lexicon.id,
            rules=game.rules.id,
            version=__version__,
            language=language,
            style=Markup((STATIC / STYLE).read_text("utf-8")),  # noqa: S704 - a file of the service
        )
    )


def echo_sheet(game: DuplicateGame) -> None:
    """Print the rounds and the ranking, and why the game is over."""
    _print(rounds_table(game))
    click.echo()
    _print(standings_table(game, reader_language()))
    if game.reason is not None:
        click.echo(f"\n{said(_REASONS[game.reason])}")


def echo_closed_round(game: DuplicateGame, number: int) -> None:
    """Print the slips of a closed round."""
    _print(slips_table(game, number, reader_language()))
    click.echo()


def echo_open_round(game: DuplicateGame) -> None:
    """Print the board and the rack of the open round."""
    Console(highlight=False).print(board_text(game.position), soft_wrap=True)
    click.echo(
        "\n" + said("Round {number}. Tiles: {tiles}", number=game.number, tiles=str(game.position.rack))
    )


def slip_sentence(judged: JudgedSlip) -> str:
    """Return the verdict on a slip in the language of the command."""
    verdict = said(VERDICTS[judged.verdict])
    sentence = said(
        "{player}: {points} ({verdict})", player=judged.slip.player, points=judged.points, verdict=verdict
    )
    return sentence if judged.fault is None else f"{sentence}: {localized(judged.fault.detail)}"


def _print(table: SheetTable) -> None:
    headings = [said(heading) for heading in table.headings]
    words = [said(heading) for heading in table.words]
    rows = [[shown(cell) for cell in row] for row in table.rows]
    print_table(result_table(localized(table.title), headings, rows, text=words))
