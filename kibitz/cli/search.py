"""`kibitz search`: find words by pattern, tiles and length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import orjson
from rich.table import Table
from rich.text import Text

from engine import WordQuery, read_word, search_words, word_report
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.tables import print_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine import Lexicon, WordPage


@click.command("search")
@click.argument("pattern", required=False)
@click.option("--tiles", metavar="TILES", help="The tiles to form words with; ? is a blank.")
@click.option("--some", is_flag=True, help="Find words of some of the tiles too, not only of all.")
@lexicon_option
@click.option(
    "--min-length", type=click.IntRange(2, 26), default=2, show_default=True, help="In tiles, not letters."
)
@click.option(
    "--max-length", type=click.IntRange(2, 26), default=26, show_default=True, help="In tiles, not letters."
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Number of words to list."
)
@json_option
def search_command(
    pattern: str | None,
    tiles: str | None,
    some: bool,
    lexicon_id: str | None,
    min_length: int,
    max_length: int,
    limit: int,
    as_json: bool,
) -> None:
    """Find words by PATTERN, tiles and length, and list them with their hooks.

    In a pattern ? is any tile, * any number of tiles, and [CH] one tile of two letters. The hooks, in the
    columns before and after a word, are the letters that make another word when added there. A blank of
    --tiles is shown in lower case.

    \b
    kibitz search "?A*E"                       by pattern
    kibitz search --tiles AEINRS?              anagrams
    kibitz search "*ING" --tiles ADEGINR? --some
    """
    lexicon = open_lexicon(lexicon_id)
    query = WordQuery.from_text(
        lexicon.tile_set.alphabet,
        pattern=pattern,
        tiles=tiles,
        use="some" if some else "all",
        min_length=min_length,
        max_length=max_length,
    )
    page = search_words(lexicon, query, limit)
    if as_json:
        found = {"lexicon": lexicon.id, "total": page.total, "words": page.words}
        click.echo(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    else:
        print_table(_table(page, lexicon))


def _table(page: WordPage, lexicon: Lexicon) -> Table:
    title = f"{page.total} word{'' if page.total == 1 else 's'}"
    if len(page.words) < page.total:
        title += f", the first {len(page.words)}"
    table = word_table(f"{title}  ({lexicon.id})")
    for found in page.words:
        report = word_report(lexicon, read_word(found.tiles, lexicon.tile_set.alphabet))
        before, after = letters_text(report.front_hooks), letters_text(report.back_hooks)
        cells = (before, found.tiles, after, str(found.score))
        # Text, because rich would read the brackets around a tile of two characters as markup.
        table.add_row(*map(Text, cells))
    return table


def word_table(title: str, more: Sequence[str] = ()) -> Table:
    """Return an empty table of words with hooks and points, and a column of figures for each of `more`."""
    table = Table(title=title)
    table.add_column("before", justify="right", style="dim")
    table.add_column("word", style="bold")
    table.add_column("after", style="dim")
    for heading in ("points", *more):
        table.add_column(heading, justify="right")
    return table


def letters_text(letters: Iterable[str]) -> str:
    """Return letters joined, those of several characters in brackets."""
    return "".join(letter if len(letter) == 1 else f"[{letter}]" for letter in letters)
