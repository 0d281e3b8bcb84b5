"""`kibitz bench search`: finding words, against a regular expression over the list."""

from __future__ import annotations

import click
import orjson
from rich.table import Table

from benchmarks.measurements.search import search_times
from service.cli.lexicons import lexicon_option, open_lexicon
from service.cli.progress import steps_progress
from service.cli.tables import print_table


@click.command("search")
@lexicon_option
@click.option("--repeat", type=click.IntRange(min=1), default=5, show_default=True, help="Passes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def search_command(lexicon_id: str | None, repeat: int, as_json: bool) -> None:
    """Time ten searches, everyday and hostile, beside the plain way, in one run.

    The plain way is a regular expression over the list and a count of each word's letters; both must find
    equally many words. Times are the least of the passes, in milliseconds, of a page of 50 with its total.

    \b
    kibitz bench search --repeat 9
    """
    lexicon = open_lexicon(lexicon_id)
    with steps_progress("Searching", "queries") as progress:
        rows = search_times(lexicon, repeat, progress)
    if as_json:
        click.echo(orjson.dumps({"lexicon": lexicon.id, "queries": rows}, option=orjson.OPT_INDENT_2))
        return
    table = Table(title=f"Searches of {lexicon.id} ({lexicon.word_count} words), milliseconds")
    table.add_column("query")
    for name in ("words", "kibitz", "plain", "ratio"):
        table.add_column(name, justify="right")
    for row in rows:
        query = "  ".join(f"{name} {value}" for name, value in row["query"].items())
        table.add_row(query, *(str(row[name]) for name in ("words", "ms", "plain_ms", "ratio")))
    print_table(table)
