"""`kibitz lexicon fetch`: build the lexicon of a language from the dictionary files of the system."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from engine import Catalogue, tile_set
from kibitz.cli import Refusal
from kibitz.cli.language import said
from kibitz.cli.progress import build_progress
from kibitz.cli.tables import print_table
from kibitz.cli.terminal import plain, shown
from lexicons.dictionaries import open_list, open_lists, open_words
from service.settings import Settings


@click.command("fetch")
@click.argument("language", required=False)
@click.option(
    "--from",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path("/"),
    metavar="FOLDER",
    help="Where the dictionary files are: in this folder, or in usr/share/hunspell and usr/share/dict below "
    "it, as in an unpacked package. [default: /]",
)
@click.option("--id", "given_id", metavar="ID", help="The id of the lexicon. [default: the language]")
@click.option(
    "--wide", is_flag=True, help="Support boards of 17 to 26 squares a side; a third slower on all boards."
)
def fetch_command(language: str | None, folder: Path, given_id: str | None, wide: bool) -> None:
    """Build the lexicon of a language from the dictionary files of this system.

    Without LANGUAGE, the languages are listed with their packages and licences. Some lists are bundled with
    kibitz; to build such a language from the files of this system, give the lexicon an id of its own.

    The files belong to packages of Debian and Ubuntu. If they are missing, the message says what to install;
    nothing is downloaded. The dictionary is expanded by its affix file into all inflected forms; names,
    abbreviations, and words with a hyphen, apostrophe or space are left out; accents are dropped as the tile
    set says. Another version of the files than the one listed is built too; kibitz lexicon list --json shows
    the checksums. Most lists take half a minute; Polish and Czech two minutes, and 600 MB of memory.

    \b
    sudo apt-get install hunspell-de-de
    kibitz lexicon fetch german
    kibitz analyze --lexicon german "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0"
    """
    catalogue = Catalogue(Settings.from_environment().data)
    if language is None:
        _print_lists(catalogue)
        return
    wanted = open_list(language)
    if given_id is None and catalogue.manifest(wanted.id) is not None:
        raise Refusal(
            f"{wanted.id} is bundled with kibitz: its tables are built at the first use, or by "
            f"kibitz lexicon build {wanted.id}. To build a list from the files of this system, add --id ID"
        )
    lexicon_id = catalogue.own_id(given_id or wanted.id)  # a fault would otherwise show after minutes
    with build_progress(f"Building {wanted.name}") as progress:
        built = open_words(wanted, folder, progress)
        catalogue.build_from(
            built.word_list,
            tile_set(wanted.tile_set),
            lexicon_id=lexicon_id,
            name=wanted.name,
            wide=wide,
            origin={"language": wanted.language, "source": built.source, "licence": wanted.licence},
            progress=progress,
        )
    entry = next(entry for entry in catalogue.entries() if entry.id == lexicon_id)
    where = f"{entry.table_bytes / 1e6:.1f} MB in {entry.path}"
    click.echo(shown(f"{entry.id}: {entry.word_count:,} words, {where}"))
    for reason, count in built.omitted.items():
        click.echo("  " + said("left out: {count} {reason}", count=f"{count:,}", reason=reason))
    click.echo(shown(f"  from {built.source}"))
    click.echo(f"  licence: {wanted.licence}")
    if not built.measured:
        click.echo(f"  The files are another version than those measured, which give {wanted.words:,} words.")


def _print_lists(catalogue: Catalogue) -> None:
    table = Table()
    for heading in ("language", "name", "packages", "licence"):
        table.add_column(heading, no_wrap=heading == "language")
    table.add_column("words", justify="right")
    table.add_column()
    for wanted in open_lists().values():
        packages = ", ".join(source.package for source in wanted.sources)
        bundled = "bundled" if catalogue.manifest(wanted.id) is not None else ""
        cells = (wanted.id, wanted.name, packages, wanted.licence, f"{wanted.words:,}", bundled)
        table.add_row(*map(plain, cells))
    print_table(table)
