"""`kibitz report`: the players of an archive, from the turns that `kibitz batch --parquet` wrote."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import orjson

from engine import printable
from kibitz.archives.player_reports import archive_report
from kibitz.archives.report_texts import METHOD, figure_text, report_columns
from kibitz.cli.files import write_atomically
from kibitz.cli.language import lang_option, reader_language, said
from kibitz.cli.options import json_option
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.terminal import echo_json, shown

if TYPE_CHECKING:
    from kibitz.archives.player_reports import ArchiveReport, Ratio

STANDARD_OUTPUT: Final = Path("-")
_COUNTS: Final = ("games", "turns", "judged", "bingos_found", "bingos_missed")
_RATIOS: Final = ("accuracy", "mistake_index", "equity_lost", "bingos", "luck", "words_lost", "choice_lost")
_FORMULA: Final = ("=", "+", "-", "@")
_File = click.Path(dir_okay=False, allow_dash=True, path_type=Path)


@click.command("report")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--min-games",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Leave out the players with fewer games.",
)
@click.option("--html", type=_File, metavar="FILE", help='Write a web page with a plot; "-": print it.')
@click.option(
    "--csv", "csv_file", type=_File, metavar="FILE", help='Write the figures as CSV; "-": print them.'
)
@json_option
@lang_option
def report_command(
    path: Path, min_games: int, html: Path | None, csv_file: Path | None, as_json: bool
) -> None:
    """Report on the players of an archive: accuracy, equity lost, bingos, luck and time.

    PATH is the output folder of kibitz batch --parquet, or a Parquet file from it. Each figure has a 95 %
    interval over games. Luck needs kibitz batch --explain; times need records that have them. The players
    who lose the least equity a turn come first. Needs the extra: pip install 'kibitz[parquet]'; --html also
    needs 'kibitz[plots]'. For one game see kibitz annotate.

    \b
    kibitz batch games.zip --output annotated --parquet
    kibitz report annotated
    kibitz report annotated --min-games 20 --html report.html --csv report.csv
    """
    report = archive_report(path).of_games(min_games)
    if html is not None:
        from kibitz.archives.report_page import archive_page  # only the page needs jinja

        _write(html, archive_page(report, reader_language()))
    if csv_file is not None:
        _write(csv_file, _csv(report))
    if as_json:
        echo_json(orjson.dumps(_as_json(report), option=orjson.OPT_INDENT_2))
    elif STANDARD_OUTPUT not in (html, csv_file):
        print_report(report)


def _write(path: Path, text: str) -> None:
    if path == STANDARD_OUTPUT:
        click.echo(text.encode(), nl=False)
    else:
        write_atomically(path, text.encode())


def _as_json(report: ArchiveReport) -> dict[str, Any]:
    """Return the figures as JSON values; those with an interval are objects."""
    players = []
    for player in report.players:
        ratios = {name: getattr(player, name)._asdict() for name in _RATIOS}
        seconds = {phase: ratio._asdict() for phase, ratio in player.seconds.items()}
        counts = {name: getattr(player, name) for name in ("player", *_COUNTS)}
        players.append({**counts, **ratios, "seconds": seconds})
    return {"games": report.games, "turns": report.turns, "lexicons": report.lexicons, "players": players}


def _csv(report: ArchiveReport) -> str:
    """Return a line for each player; an interval has three columns: value, low and high."""
    phases = list(report.players[0].seconds) if report.players else []
    ratios = [*_RATIOS, *[f"seconds_{phase}" for phase in phases]]
    file = io.StringIO()
    lines = csv.writer(file, lineterminator="\n")
    lines.writerow(
        ["player", *_COUNTS, *[f"{name}{end}" for name in ratios for end in ("", "_low", "_high")]]
    )
    for player in report.players:
        figures = [getattr(player, name) for name in _RATIOS] + [player.seconds[phase] for phase in phases]
        cells = [cell for ratio in figures for cell in _interval(ratio)]
        lines.writerow([_csv_text(player.player), *[getattr(player, name) for name in _COUNTS], *cells])
    return file.getvalue()


def _csv_text(name: str) -> str:
    """Return a name that spreadsheets take for a text: those that begin as a formula get an apostrophe."""
    return f"'{printable(name)}" if name.startswith(_FORMULA) else printable(name)


def _interval(ratio: Ratio) -> list[str]:
    return ["" if value is None else f"{value:.4f}" for value in ratio]


def print_report(report: ArchiveReport) -> None:
    """Print the table of a report, and how to read it."""
    language = reader_language()
    columns = report_columns(report)
    rows = [
        [
            shown(player.player),
            *[figure_text(column.figure(player), column.digits, language) or None for column in columns],
        ]
        for player in report.players
    ]
    title = said("Archive: {games} games", games=report.games)
    print_table(result_table(title, [said("player"), *[said(column.heading) for column in columns]], rows))
    click.echo()
    click.echo(said(METHOD))
