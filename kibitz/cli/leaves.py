"""`kibitz leaves`: show, export and import the learned values of leaves."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np
import orjson
from rich.console import Console
from rich.table import Table

from engine import (
    LeaveTable,
    Rack,
    learned_path,
    leave_csv,
    leave_graph,
    leave_table,
    read_leave_csv,
    read_leave_graph,
)
from kibitz.cli import Group
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table
from kibitz.cli.terminal import echo_json

if TYPE_CHECKING:
    from engine import Lexicon

GRAPHS = (".klv2", ".klv")
"""The endings of files of leaves of Macondo and Woogles."""

PRINTED = {"EQYZ": -4.68, "EQZ": -4.12, "ER": 4.79, "ERR": 0.39, "ERRR": -9.02}
"""Values in points from another engine's English table, as printed in [Heuri], section 4.2.2."""


def _echo_json(value: Any) -> None:
    echo_json(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS))


@click.group("leaves", cls=Group)
def leaves_command() -> None:
    """Show, export and import the values of leaves.

    A leave is the tiles that stay on the rack after a move; its value is in points.

    \b
    kibitz leaves report                  single tiles, the best and the worst leaves of each size
    kibitz leaves value AEINST QU "?S"    the values of some leaves
    kibitz leaves export leaves.csv       all leaves, in lines "leave,value"
    kibitz leaves import leaves.klv2      use the values of a file from now on
    """


@leaves_command.command("report")
@lexicon_option
@click.option(
    "--count",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="Number of the best and of the worst leaves to list.",
)
@json_option
def report_command(lexicon_id: str | None, count: int, as_json: bool) -> None:
    """Show the values of single tiles, best first, and the best and worst leaves of each size.

    \b
    kibitz leaves report --count 20
    """
    lexicon = open_lexicon(lexicon_id)
    table = leave_table(lexicon)
    report = _report(table, lexicon, count)
    if as_json:
        _echo_json(report)
        return
    click.echo(
        f"{table.name}: {len(table.ranks) - 1} leaves, used for {lexicon.id}"
        + ("" if table.own else " because it has no table of its own")
    )
    console = Console()
    tiles = Table(title="single tiles")
    for heading in ("tile", "value", "standard error", "racks"):
        tiles.add_column(heading, justify="left" if heading == "tile" else "right")
    for row in report["tiles"]:
        tiles.add_row(
            row["leave"], f"{row['value']:+.2f}", *(str(row.get(key, "")) for key in ("error", "racks"))
        )
    print_table(tiles, console)
    for size, both in report["extremes"].items():
        extremes = Table(title=f"leaves of {size}")
        for heading in ("best", "", "worst", " "):
            extremes.add_column(heading, justify="right" if heading.strip() == "" else "left")
        for best, worst in zip(both["best"], both["worst"], strict=True):
            extremes.add_row(best["leave"], f"{best['value']:+.2f}", worst["leave"], f"{worst['value']:+.2f}")
        print_table(extremes, console)
    for row in report["printed"]:
        click.echo(f"{row['leave']}: {row['value']:+.2f} (Heuri thesis: {row['thesis']:+.2f})")


def _report(table: LeaveTable, lexicon: Lexicon, count: int) -> dict[str, Any]:
    ranks = table.ranks
    extremes = {}
    for size in range(2, len(ranks.leaves)):
        first, end = int(ranks.base[size]), int(ranks.base[size + 1])
        order = np.argsort(table.values[first:end], kind="stable")
        extremes[size] = {
            "best": [_row(table, first + int(at)) for at in order[::-1][:count]],
            "worst": [_row(table, first + int(at)) for at in order[:count]],
        }
    printed = []
    if lexicon.tile_set.id == "english":
        for leave, value in PRINTED.items():
            codes = Rack.from_text(leave, lexicon.tile_set.alphabet).tiles
            printed.append({"leave": leave, "value": table.value(codes), "thesis": value})
    return {
        "table": table.name,
        "lexicon": lexicon.id,
        "own": table.own,
        "learned": dict(table.meta),
        "tiles": sorted(
            [_row(table, rank) for rank in range(int(ranks.base[1]), int(ranks.base[2]))],
            key=lambda row: -row["value"],
        ),
        "extremes": extremes,
        "printed": printed,
    }


def _row(table: LeaveTable, rank: int) -> dict[str, Any]:
    ranks = table.ranks
    size = int(np.searchsorted(ranks.base, rank, side="right")) - 1
    leave = ranks.leaves[size][rank - int(ranks.base[size])].tolist()
    row = {"leave": table.tile_set.alphabet.text(leave), "value": int(table.values[rank]) / 100}
    if table.errors is not None:
        row["error"] = int(table.errors[rank]) / 100
    if table.racks is not None:
        row["racks"] = int(table.racks[rank])
    return row


@leaves_command.command("value")
@click.argument("leaves", nargs=-1, required=True)
@lexicon_option
@json_option
def value_command(leaves: tuple[str, ...], lexicon_id: str | None, as_json: bool) -> None:
    """Print the values of LEAVES ("?" is a blank), in points.

    \b
    kibitz leaves value AEINST QU "?S"
    """
    lexicon = open_lexicon(lexicon_id)
    table = leave_table(lexicon)
    values = {}
    for leave in leaves:
        codes = Rack.from_text(leave, lexicon.tile_set.alphabet, "leave").tiles
        try:
            values[leave] = table.value(codes)
        except ValueError:
            raise click.BadParameter(
                f"{leave} is not a leave of one to six tiles of the set {lexicon.tile_set.id}"
            ) from None
    if as_json:
        _echo_json([{"leave": leave, "value": round(value, 2)} for leave, value in values.items()])
        return
    for leave, value in values.items():
        click.echo(f"{leave}\t{value:+.2f}")


@leaves_command.command("export")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True))
@lexicon_option
@json_option
def export_command(file: Path, lexicon_id: str | None, as_json: bool) -> None:
    """Write every leave and its value to FILE, in lines "leave,value"; "-" is standard output.

    A FILE that ends with .klv2 is written in the format of Macondo and Woogles.

    \b
    kibitz leaves export leaves.csv
    kibitz leaves export leaves.klv2
    """
    table = leave_table(open_lexicon(lexicon_id))
    if file.suffix.lower() in GRAPHS:
        file.write_bytes(leave_graph(table))
    elif str(file) == "-":
        sys.stdout.writelines(f"{line}\n" for line in leave_csv(table))
        return
    else:
        with file.open("w", encoding="utf-8") as stream:
            stream.writelines(f"{line}\n" for line in leave_csv(table))
    leaves = len(table.ranks) - 1
    if as_json:
        _echo_json({"path": str(file), "leaves": leaves})
    else:
        click.echo(f"{file}: {leaves} leaves.")


@leaves_command.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@lexicon_option
@json_option
def import_command(file: Path, lexicon_id: str | None, as_json: bool) -> None:
    """Use the values in FILE for a lexicon from now on.

    FILE has lines "leave,value", or is a file of Macondo or Woogles, which ends with .klv2; values have
    hundredths of a point. A running service uses them after a restart. A leave that FILE lacks gets a value
    from the smaller leaves that it contains.

    \b
    kibitz leaves import leaves.csv --lexicon mine
    kibitz leaves import leaves.klv2 --lexicon nwl23
    """
    lexicon = open_lexicon(lexicon_id)
    table, named = _read_file(file, lexicon)
    path = learned_path(lexicon, "leaves")
    table.save(path, lexicon)
    derived = len(table.ranks) - 1 - named
    if as_json:
        _echo_json({"path": str(path), "leaves": named, "derived": derived})
    else:
        click.echo(f"{path}: {named} leaves from the file, {derived} derived.")


def _read_file(file: Path, lexicon: Lexicon) -> tuple[LeaveTable, int]:
    """Return the leave table in a file, and the number of leaves that it names."""
    if file.suffix.lower() in GRAPHS:
        return read_leave_graph(file.read_bytes(), lexicon.tile_set)
    try:
        with (
            file.open(encoding="utf-8", newline="") as stream,
            steps_progress(f"leaves of {lexicon.id}", "leaves") as progress,
        ):
            return read_leave_csv(stream, lexicon.tile_set, progress)
    except UnicodeDecodeError as error:
        raise click.BadParameter(f"{file} is not UTF-8 text: byte {error.start}") from None
