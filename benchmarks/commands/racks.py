"""`kibitz bench seed-racks`: the six positions whose times the Heuri papers print."""

from __future__ import annotations

import click
import orjson

from benchmarks.commands.positions import repeat_option
from engine import InternalWords, simd_paths
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.tables import print_table, result_table
from lab.measurements.seed_racks import seed_rack_times


@click.command("seed-racks")
@lexicon_option
@click.option(
    "--generators",
    "names",
    default=InternalWords.name,
    show_default=True,
    metavar="A,B",
    help="Generators to time.",
)
@click.option(
    "--simd", "paths", default="", metavar="A,B", help=f"Vector paths, of: {', '.join(simd_paths())}."
)
@repeat_option(25)
@json_option
def seed_racks_command(lexicon_id: str | None, names: str, paths: str, repeat: int, as_json: bool) -> None:
    """Time six positions beside the times published for them in 2018.

    Three racks with AENR (with two blanks, one, none), each on an empty board and beside 8F ANEROID. Times
    are medians in milliseconds. The published times of Heuri and Quackle are from the machine of the paper
    and another word list.

    \b
    kibitz bench seed-racks --lexicon twl06
    """
    lexicon = open_lexicon(lexicon_id)
    rows = seed_rack_times(lexicon, names.split(","), paths.split(",") if paths else (), repeat)
    if as_json:
        click.echo(orjson.dumps({"lexicon": lexicon.id, "racks": rows}, option=orjson.OPT_INDENT_2))
        return
    table = [
        (
            row["board"],
            row["rack"],
            str(row["plays"]),
            *(f"{us / 1000:.3f}" for us in row["us"].values()),
            f"{row['heuri_ms']:.1f}",
            f"{row['quackle_ms']:.1f}",
        )
        for row in rows
    ]
    headings = ("board", "rack", "plays", *rows[0]["us"], "Heuri 2018", "Quackle 2018")
    print_table(result_table("Every play of six positions, milliseconds", headings, table, text=("rack",)))
