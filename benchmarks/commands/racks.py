"""`kibitz bench seed-racks`: the six positions whose times the Heuri papers print."""

from __future__ import annotations

import click
import orjson
from rich.table import Table

from benchmarks.measurements.seed_racks import seed_rack_times
from engine import GENERATOR_NAMES, simd_paths
from service.cli.lexicons import lexicon_option, open_lexicon
from service.cli.tables import print_table


@click.command("seed-racks")
@lexicon_option
@click.option(
    "--generators", "names", default=GENERATOR_NAMES[0], show_default=True, metavar="A,B", help="Of which."
)
@click.option(
    "--simd", "paths", default="", metavar="A,B", help=f"Vector paths, of: {', '.join(simd_paths())}."
)
@click.option("--repeat", type=click.IntRange(min=1), default=25, show_default=True, help="Passes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def seed_racks_command(lexicon_id: str | None, names: str, paths: str, repeat: int, as_json: bool) -> None:
    """Time six racks, with and without 8F ANEROID on the board, beside the times published in 2018.

    Three of them hold AENR: with two blanks, with one, with none. Times are medians; the published ones (of
    Heuri and of Quackle, on the machine of the paper, another word list) stand beside them in milliseconds.

    \b
    kibitz bench seed-racks --lexicon twl06
    """
    lexicon = open_lexicon(lexicon_id)
    rows = seed_rack_times(lexicon, names.split(","), paths.split(",") if paths else (), repeat)
    if as_json:
        click.echo(orjson.dumps({"lexicon": lexicon.id, "racks": rows}, option=orjson.OPT_INDENT_2))
        return
    table = Table(title="Every play of six positions, milliseconds")
    for name in ("board", "rack"):
        table.add_column(name)
    for name in ("plays", *rows[0]["us"], "Heuri 2018", "Quackle 2018"):
        table.add_column(name, justify="right")
    for row in rows:
        ours = [f"{us / 1000:.3f}" for us in row["us"].values()]
        table.add_row(
            row["board"],
            row["rack"],
            str(row["plays"]),
            *ours,
            f"{row['heuri_ms']:.1f}",
            f"{row['quackle_ms']:.1f}",
        )
    print_table(table)
