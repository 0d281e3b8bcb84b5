"""`kibitz search`: find words by pattern, tiles and other conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import orjson
from rich.table import Table
from rich.text import Text

from engine import read_word, search_words, word_report
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.query_options import query_options, read_query
from kibitz.cli.tables import print_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine import Lexicon, WordPage


@click.command("search")
@query_options
@lexicon_option
@click.option(
    "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Number of words to list."
)
@json_option
def search_command(lexicon_id: str | None, limit: int, as_json: bool, **asked: Any) -> None:
    """Find the words that meet every condition, and list them with their hooks.

    In a PATTERN ? is any tile, * any number of tiles, [AEIOU] one of these tiles, [^U] any tile but these,
    and [CH] one tile of two letters. The hooks, in the columns before and after a word, are the letters that
    make another word when added there. A blank of --tiles is shown in lower case.

    \b
    kibitz search "?A*E"                       by pattern
    kibitz search --tiles AEINRS?              anagrams
    kibitz search "*ING" --tiles ADEGINR? --some
    kibitz search "[^AEIOU]*" --includes QA --excludes U
    kibitz search --max-rank 100 --min-length 7 --max-length 7 --sort probability
    kibitz search --not-in-lexicon words.txt --min-points 30
    """
    lexicon = open_lexicon(lexicon_id)
    query = read_query(lexicon, asked)
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
