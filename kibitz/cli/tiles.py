"""`kibitz tiles`: tile sets for languages that have none."""

from __future__ import annotations

from pathlib import Path

import click
import orjson

from engine import letters_of, suggest_tiles
from kibitz.cli import Group
from kibitz.cli.files import write_atomically
from kibitz.cli.options import json_option
from kibitz.cli.terminal import shown


@click.group("tiles", cls=Group)
def tiles_command() -> None:
    """Suggest the tiles of a language that has none.

    \b
    kibitz tiles suggest --words words.txt --output tiles.csv
    """


@tiles_command.command("suggest")
@click.option(
    "--words",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="The word list, one word a line: plain text, .gz or .xz.",
)
@click.option(
    "--letters",
    metavar="LETTERS",
    help='The letters with blanks between them, such as "A B C CH D"; other accents then count as the plain '
    "letter. [default: every letter that occurs]",
)
@click.option("--count", type=click.IntRange(2, 400), default=100, show_default=True, help="Tiles in all.")
@click.option("--blanks", type=click.IntRange(0, 63), default=2, show_default=True, help="Blanks of these.")
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write the CSV here."
)
@json_option
def suggest_command(
    words: Path, letters: str | None, count: int, blanks: int, output: Path | None, as_json: bool
) -> None:
    """Suggest how many tiles of each letter a game needs, and their values.

    By how often the letters occur in the words of 2 to 8 letters. For eight languages with official tiles the
    suggestion has 6 to 12 of 100 tiles elsewhere. The CSV is what `kibitz lexicon build --tiles` and `kibitz
    play --tiles` read.

    \b
    kibitz tiles suggest --words words.txt --output tiles.csv
    kibitz lexicon build --words words.txt --tiles tiles.csv --id mine
    """
    suggested = suggest_tiles(words, letters.split() if letters else letters_of(words), count, blanks)
    text = suggested.csv
    if output:
        write_atomically(output, text.encode())
        click.echo(f"The tile set is in {shown(str(output))}", err=True)
    if as_json:
        rows = zip(
            ("?", *suggested.letters), suggested.counts, suggested.values, suggested.is_vowel, strict=True
        )
        names = ("letter", "count", "value", "is_vowel")
        click.echo(orjson.dumps({"tiles": [dict(zip(names, row, strict=True)) for row in rows]}))
    elif not output:
        click.echo(shown(text), nl=False)
