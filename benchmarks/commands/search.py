"""`kibitz bench search`: finding words, against a regular expression over the list."""

from __future__ import annotations

import click
import orjson

from benchmarks.commands.positions import repeat_option
from benchmarks.measurements.search import search_times
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table


@click.command("search")
@lexicon_option
@repeat_option(5)
@json_option
def search_command(lexicon_id: str | None, repeat: int, as_json: bool) -> None:
    """Time ten word searches, common ones and difficult ones, beside a simple search.

    The simple search matches a regular expression with every word and counts its letters; both must find
    equally many words. Times are the least of the passes, in milliseconds, for 50 words and their total.

    \b
    kibitz bench search --repeat 9
    """
    lexicon = open_lexicon(lexicon_id)
    with steps_progress("Searching", "queries") as progress:
        rows = search_times(lexicon, repeat, progress)
    if as_json:
        click.echo(orjson.dumps({"lexicon": lexicon.id, "queries": rows}, option=orjson.OPT_INDENT_2))
        return
    table = [
        (
            "  ".join(f"{name} {value}" for name, value in row["query"].items()),
            *(str(row[name]) for name in ("words", "ms", "plain_ms", "ratio")),
        )
        for row in rows
    ]
    title = f"Searches of {lexicon.id} ({lexicon.word_count} words), milliseconds"
    print_table(result_table(title, ("query", "words", "kibitz", "simple", "ratio"), table))
