"""`kibitz bench cluster`: how much faster several workers are, and whether their results are the same."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

import click
import orjson

from benchmarks.measurements.cluster_scaling import cluster_rows
from benchmarks.measurements.machine import processor_name
from engine import GameSetup
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.workers import say

if TYPE_CHECKING:
    from rich.table import Table

    from benchmarks.measurements.cluster_scaling import ScalingRow


def _counts(_: click.Context, parameter: click.Parameter, text: str) -> list[int]:
    numbers = text.split(",")
    if not all(number.isascii() and number.isdecimal() and 1 <= int(number) <= 256 for number in numbers):
        raise click.BadParameter("must be numbers from 1 to 256, such as 1,2,4", param=parameter)
    return list(map(int, numbers))


@click.command("cluster")
@lexicon_option
@click.option(
    "--players",
    type=(str, str),
    default=("static", "greedy"),
    show_default=True,
    metavar="FIRST SECOND",
    help="The players of the match, as for kibitz match.",
)
@click.option(
    "--games", type=int, default=10_000, show_default=True, help="Number of games of the match; must be even."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the order of the tiles.")
@click.option(
    "--workers",
    "counts",
    default="1,2,4",
    show_default=True,
    metavar="N,N",
    callback=_counts,
    help="Numbers of worker processes.",
)
@json_option
def cluster_command(
    lexicon_id: str | None,
    players: tuple[str, str],
    games: int,
    seed: int,
    counts: list[int],
    as_json: bool,
) -> None:
    """Play one match in a thread and on local clusters, and compare times and results.

    The workers are processes of this machine, so with fewer processors than workers the clock shows no
    speed-up. The column `by processor` is the one to expect with a processor for each worker: the processor
    time of one thread over that of the busiest worker. The exit status is 1 if the results differ.

    \b
    kibitz bench cluster --games 4000
    kibitz bench cluster --players level4 static --games 400 --workers 1,2,4,8
    """
    lexicon = open_lexicon(lexicon_id)
    setup = GameSetup.of(lexicon)
    with steps_progress(" - ".join(players), "games") as progress:
        rows = list(cluster_rows(setup, players, games, seed, counts, progress, say))
    same = len({row.sha256 for row in rows}) == 1
    if as_json:
        report = {
            "lexicon": lexicon.id,
            "players": players,
            "processor": processor_name(),
            "processors": os.cpu_count(),
            "load": [round(load, 1) for load in os.getloadavg()],
            "same_results": same,
            "runs": [asdict(row) for row in rows],
        }
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    else:
        print_table(_table(rows, players, lexicon.id))
        click.echo(
            f"{os.cpu_count()} processors ({processor_name()}), load {os.getloadavg()[0]:.1f}; "
            f"the results are {'the same' if same else 'NOT the same'}."
        )
    if not same:
        raise click.exceptions.Exit(1)


def _table(rows: list[ScalingRow], players: tuple[str, str], lexicon_id: str) -> Table:
    alone = rows[0]
    first = next(row for row in rows if row.workers)
    cells = [
        (
            f"{row.workers} workers" if row.workers > 1 else "1 worker" if row.workers else "one thread",
            f"{row.seconds:.1f}",
            f"{row.games / row.seconds:,.0f}",
            f"{first.seconds / row.seconds:.2f}",
            f"{row.workers_seconds:.1f}",
            f"{row.busiest_seconds:.1f}",
            f"{row.command_seconds:.1f}",
            f"{alone.workers_seconds / row.busiest_seconds:.2f}",
            row.sha256[:16],
        )
        for row in rows
    ]
    headings = (
        "seconds", "games/s", "speed-up", "processor s", "busiest worker", "command", "by processor",
        "sha256 of the results",
    )  # fmt: skip
    title = f"{alone.games:,} games of {players[0]} - {players[1]} on {lexicon_id}"
    return result_table(title, ("", *headings), cells)
