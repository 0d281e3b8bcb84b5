"""`kibitz lexicon`: build, list, verify and describe the tables of lexicons."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import orjson
from rich.console import Console
from rich.table import Table

from engine import (
    Catalogue,
    MissingTable,
    bingo_figures,
    excerpt,
    leave_table,
    lexicon_statistics,
    make_bingo_files,
    message_of,
    tile_set_ids,
    win_pct_table,
    word_graph,
)
from kibitz.cli import Group
from kibitz.cli.files import read_tile_set
from kibitz.cli.language import localized, said
from kibitz.cli.lexicon_diff import diff_command
from kibitz.cli.lexicon_fetch import fetch_command
from kibitz.cli.lexicon_tables import bingo_json, print_bingos, word_tables
from kibitz.cli.lexicons import open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.progress import build_progress
from kibitz.cli.spanish import conjugate_command, generate_command
from kibitz.cli.tables import print_table
from kibitz.cli.terminal import echo_json, plain, shown
from kibitz.cli.word_lists import word_lists_command
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Lexicon, LexiconEntry, WordListReport

LINES_SHOWN = 10


def _catalogue() -> Catalogue:
    return Catalogue(Settings.from_environment().data)


def _echo_json(value: Any) -> None:
    echo_json(orjson.dumps(value, option=orjson.OPT_INDENT_2))


@click.group("lexicon", cls=Group)
def lexicon_command() -> None:
    """Build, list, verify and describe lexicons.

    A lexicon is a word list turned into tables, one file in the data folder (KIBITZ_DATA). Lists of eight
    languages are bundled with kibitz; the tables of each are built at its first use. Build any other with one
    command: a list that you own, such as one of tournaments, or the open list of another language from the
    dictionary files of your system:

    \b
    kibitz lexicon build --words twl06.txt --tiles english --id twl06
    kibitz lexicon fetch german
    """


lexicon_command.add_command(conjugate_command)
lexicon_command.add_command(diff_command)
lexicon_command.add_command(fetch_command)
lexicon_command.add_command(generate_command)
lexicon_command.add_command(word_lists_command)


@lexicon_command.command("build")
@click.argument("bundled_id", metavar="[ID]", required=False)
@click.option(
    "--words",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The word list: a file with one word a line, or a word graph (.kwg).",
)
@click.option(
    "--tiles", metavar="SET", help="The tile set of the list: an id (english, spanish, ...) or a CSV file."
)
@click.option("--id", "given_id", metavar="ID", help="The id of the new lexicon: a-z, 0-9, '_', '.', '-'.")
@click.option("--name", default="", metavar="NAME", help="A name to show. [default: the id]")
@click.option(
    "--encoding",
    metavar="ENCODING",
    help="The encoding of the list (utf-8, cp1250, ...). [default: detected]",
)
@click.option(
    "--wide", is_flag=True, help="Support boards of 17 to 26 squares a side; a third slower on all boards."
)
@click.option(
    "--bingos",
    is_flag=True,
    help="Build the bingo tables too, which Heuri and opponent models would otherwise build when first used "
    "(some seconds).",
)
@click.option("--if-missing", is_flag=True, help="Do nothing if the bundled lexicon is built already.")
@json_option
def build_command(
    bundled_id: str | None,
    words: Path | None,
    tiles: str | None,
    given_id: str | None,
    name: str,
    encoding: str | None,
    wide: bool,
    bingos: bool,
    if_missing: bool,
    as_json: bool,
) -> None:
    """Build the tables of a lexicon.

    With --words, from a list of your own: plain text, .gz or .xz, in upper or lower case, in any encoding;
    accents and digraphs follow the tile set; definitions after the words are skipped. Or from a word graph of
    Macondo or Woogles, whose name ends with .kwg and whose letters are those of the tile set. Words that
    cannot be played are counted, and listed with their lines. Without --words, for the bundled lexicon ID.
    Existing tables are replaced. A list of 200,000 words takes two to four seconds.

    With --bingos and no --words, existing tables stay and the bingo tables are added.

    \b
    kibitz lexicon build club
    kibitz lexicon build --words words.txt --tiles english --id mine
    kibitz lexicon build --words CSW24.kwg --tiles english --id csw24
    kibitz lexicon build club --bingos
    """
    lexicon_id = given_id or bundled_id
    if lexicon_id is None:
        raise click.UsageError("give the ID of a bundled lexicon, or --words FILE --tiles SET --id ID")
    if given_id and bundled_id and given_id != bundled_id:
        raise click.UsageError("give one id: either as argument or with --id")
    catalogue = _catalogue()
    report: WordListReport | None = None
    if words is None:
        foreign = {"--tiles": tiles, "--name": name, "--encoding": encoding}
        if given := [option for option, value in foreign.items() if value]:
            raise click.UsageError(f"{given[0]} needs --words FILE")
        with build_progress(f"Building the tables of {lexicon_id}") as progress:
            if bingos:
                if wide:
                    catalogue.build(lexicon_id, progress, wide=True)
                make_bingo_files(catalogue.ensure(lexicon_id, progress))
            elif if_missing:
                catalogue.ensure(lexicon_id, progress)
                return
            else:
                report = catalogue.build(lexicon_id, progress, wide=wide).report
    elif tiles is None:
        raise click.UsageError(f"--words needs --tiles SET, one of: {', '.join(tile_set_ids())}")
    else:
        tile = read_tile_set(tiles)
        with build_progress(f"Building the tables of {lexicon_id}") as progress:
            report = catalogue.build_from(
                words,
                tile,
                lexicon_id=lexicon_id,
                name=name,
                encoding=encoding,
                wide=wide,
                progress=progress,
            ).report
        if bingos:
            make_bingo_files(catalogue.open(lexicon_id))
    entry = next(entry for entry in catalogue.entries() if entry.id == lexicon_id.lower())
    if as_json:
        _echo_json({**_entry_json(entry), "report": None if report is None else _report_json(report)})
        return
    where = f"{entry.table_bytes / 1e6:.1f} MB in {entry.path}"
    if report is None:
        click.echo(f"{entry.id}: with the bingo tables, {where}")
        return
    click.echo(f"{entry.id}: {report.words:,} words of {report.lines:,} lines ({report.encoding}), {where}")
    for line in (*_complaints(report), *_learned(catalogue.open(lexicon_id))):
        click.echo(shown(line))


def _learned(lexicon: Lexicon) -> Iterable[str]:
    """Yield a line for the leaves and one for the win% of a lexicon: with which words they were learned."""
    for kind, table_of in ((said("leaves"), leave_table), (said("win%"), win_pct_table)):
        try:
            table = table_of(lexicon)
        except MissingTable as error:
            yield "  " + localized(message_of(error))
            continue
        learned_with = table.name.partition("/")[0]
        yield "  " + (
            said("{kind}: learned with these words", kind=kind)
            if table.own
            else said("{kind}: those learned with {lexicon}", kind=kind, lexicon=learned_with)
        )


def _report_json(report: WordListReport) -> dict[str, Any]:
    return {
        **asdict(report),
        "unplayable": {localized(reason): count for reason, count in report.unplayable.items()},
    }


def _complaints(report: WordListReport) -> Iterable[str]:
    """Yield a line for each kind of problem in the word list."""
    if report.definitions:
        yield "  " + said("the lines carry definitions: only their first words were read")
    if report.duplicates:
        yield "  " + said("{count} duplicates", count=f"{report.duplicates:,}")
    if report.too_short:
        yield "  " + said("{count} too short", count=f"{report.too_short:,}")
    if report.too_long:
        yield "  " + said("{count} too long", count=f"{report.too_long:,}")
    for reason, count in report.unplayable.items():
        yield "  " + said("{count} unplayable: {reason}", count=f"{count:,}", reason=reason)
    for found in report.unplayable_lines[:LINES_SHOWN]:
        values = {"line": found.line, "text": excerpt(found.text), "reason": found.reason}
        yield "    " + said("line {line}: '{text}': {reason}", **values)
    if report.dropped > LINES_SHOWN:
        yield "    " + said("and {count} more", count=f"{report.dropped - LINES_SHOWN:,}")


@lexicon_command.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the lexicons: those bundled with kibitz and those built here.

    \b
    kibitz lexicon list --json
    """
    entries = _catalogue().entries()
    if as_json:
        _echo_json([_entry_json(entry) for entry in entries])
        return
    table = Table()
    for heading in ("id", "name", "tiles"):
        table.add_column(heading, no_wrap=heading == "id")
    table.add_column("words", justify="right")
    table.add_column("table")
    for entry in entries:
        state = f"{entry.table_bytes / 1e6:.1f} MB" if entry.built else "not built"
        table.add_row(
            *map(
                plain,
                (
                    entry.id,
                    entry.name,
                    entry.tile_set,
                    f"{entry.word_count:,}",
                    localized(entry.problem) or state,
                ),
            )
        )
    print_table(table)


def _entry_json(entry: LexiconEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "name": entry.name,
        "about": entry.about or None,
        "language": entry.language or None,
        "tile_set": entry.tile_set,
        "word_count": entry.word_count,
        "sha256": entry.sha256,
        "bundled": entry.bundled,
        "built": entry.built,
        "path": str(entry.path) if entry.built else None,
        "table_bytes": entry.table_bytes,
        "table_sha256": entry.table_sha256 or None,
        "source": entry.source or None,
        "licence": entry.licence or None,
        "problem": entry.problem or None,
    }


@lexicon_command.command("export")
@click.argument("lexicon_id", metavar="ID")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True))
@click.option("--kwg", is_flag=True, help="Write a word graph, as if FILE ended with .kwg.")
@json_option
def export_command(lexicon_id: str, file: Path, kwg: bool, as_json: bool) -> None:
    """Write the words of a lexicon to FILE, one a line; "-" is standard output.

    With --kwg, or if FILE ends with .kwg, as a word graph for Macondo, Woogles and the like: the words, and
    the GADDAG, which takes some seconds.

    \b
    kibitz lexicon export mine words.txt
    kibitz lexicon export mine mine.kwg
    """
    lexicon = open_lexicon(lexicon_id)
    if kwg or file.suffix.lower() == ".kwg":
        try:
            data = word_graph(lexicon.words())
        except ValueError as error:
            raise click.ClickException(localized(message_of(error))) from None
    else:
        spelled = lexicon.tile_set.alphabet.word
        data = "".join([f"{spelled(word)}\n" for word in sorted(lexicon.words())]).encode()
    if str(file) == "-":
        click.echo(data, nl=False)
        return
    file.write_bytes(data)
    if as_json:
        _echo_json({"path": str(file), "words": len(lexicon), "bytes": len(data)})
    else:
        click.echo(f"{file}: {len(lexicon):,} words, {len(data) / 1e6:.1f} MB")


@lexicon_command.command("verify")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@json_option
def verify_command(ids: tuple[str, ...], as_json: bool) -> None:
    """Check every byte of the tables of the given lexicons, by default of all that are built.

    The exit code is 2 if a table is damaged; the message names the command that repairs it.

    \b
    kibitz lexicon verify club
    """
    catalogue = _catalogue()
    chosen = ids or tuple(entry.id for entry in catalogue.entries() if entry.built or entry.problem)
    if as_json:
        opened = [catalogue.open(lexicon_id) for lexicon_id in chosen]
        _echo_json([{"id": lexicon.id, "table_sha256": lexicon.table_sha256} for lexicon in opened])
        return
    if not chosen:
        click.echo("no lexicon is built yet")
    for lexicon_id in chosen:
        lexicon = catalogue.open(lexicon_id)
        click.echo(f"{lexicon.id}: all bytes are correct (table {lexicon.table_sha256})")


@lexicon_command.command("report")
@click.argument("lexicon_id", metavar="ID")
@json_option
@click.option(
    "--bingos", is_flag=True, help="Add septets, reduced octets and the best leaves of each size (R_n)."
)
def report_command(lexicon_id: str, as_json: bool, bingos: bool) -> None:
    """Print word counts by length, and the statistics of [Sanchez2025] for a lexicon.

    An internal word is a word or letter inside a longer word; its frequency is the number of places where it
    is found. A placed internal word has a start, from 0, and the length of the words that contain it there;
    its frequency is the number of those words. A word is not internal to itself.

    \b
    kibitz lexicon report club --bingos
    """
    lexicon = open_lexicon(lexicon_id)
    entry = next(entry for entry in _catalogue().entries() if entry.id == lexicon.id)
    counted = lexicon_statistics(lexicon)
    of_bingos = bingo_figures(lexicon) if bingos else None
    if as_json:
        word, start, length = counted.most_frequent
        _echo_json(
            {
                **_entry_json(entry),
                "geometry": lexicon.geometry,
                "words_by_length": {str(n): count for n, count in counted.words_by_length.items()},
                "placed_occurrences": counted.placed_occurrences,
                "placed_internal_words": counted.placed_internal_words,
                "internal_words": counted.internal_words,
                "occurrences_by_length": {
                    str(n): count for n, count in counted.occurrences_by_length.items()
                },
                "most_common": {"word": counted.most_common, "count": counted.most_common_count},
                "common_shares": {str(limit): share for limit, share in counted.common_shares.items()},
                "id_ranges": counted.id_ranges,
                "most_frequent": {
                    "word": word,
                    "start": start,
                    "length": length,
                    "count": counted.most_frequent_count,
                },
                "shares": {str(limit): share for limit, share in counted.shares.items()},
                **(bingo_json(of_bingos) if of_bingos else {}),
            }
        )
        return
    console = Console(highlight=False)
    console.print(plain(f"{entry.id}: {entry.name}", "bold"))
    console.print(f"{entry.word_count:,} words, list sha256 {entry.sha256}", soft_wrap=True)
    squares = 16 if lexicon.geometry == "narrow" else 26
    tables = f"tables for boards up to {squares} squares, {entry.table_bytes / 1e6:.1f} MB in {entry.path}"
    console.print(plain(tables), soft_wrap=True)
    lengths = Table("letters", "words", title="Words by length")
    for column in lengths.columns:
        column.justify = "right"
    for n, count in counted.words_by_length.items():
        lengths.add_row(str(n), f"{count:,}")
    console.print()
    print_table(lengths, console)
    for table in word_tables(counted):
        console.print()
        print_table(table, console)
    if of_bingos:
        print_bingos(console, of_bingos)
