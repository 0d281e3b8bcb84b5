"""`kibitz bench simulation`: iterations a second, and what of them is overhead."""

from __future__ import annotations

from dataclasses import replace
from typing import IO

import click
import orjson
from rich.console import Console
from rich.table import Table

from engine import SimulationPlan
from service.benchmarks.samples import read_samples
from service.benchmarks.simulation import simulation_rates
from service.cli.lexica import open_lexicon
from service.cli.progress import steps_progress


@click.command("simulation")
@click.option("--lexicon", "lexicon_id", required=True, metavar="ID", help="The lexicon whose words count.")
@click.option(
    "--positions",
    "file",
    type=click.File("r", encoding="utf-8"),
    required=True,
    help="A TSV file with the columns cgp, move_number and game.",
)
@click.option("--games", type=click.IntRange(min=1), help="Take only the first so many games of the file.")
@click.option("--plies", default="0,1,2", show_default=True, metavar="A,B", help="Horizons side by side.")
@click.option("--candidates", type=int, default=15, show_default=True, help="Moves compared.")
@click.option("--iterations", type=int, default=1500, show_default=True, help="Of one position.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="Of a simulation.")
@click.option("--repeat", type=click.IntRange(min=1), default=3, show_default=True, help="Passes to measure.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def simulation_command(
    lexicon_id: str,
    file: IO[str],
    games: int | None,
    plies: str,
    candidates: int,
    iterations: int,
    threads: int,
    repeat: int,
    as_json: bool,
) -> None:
    """Measure simulation: static replies, every candidate the same number of iterations.

    Looking no ply ahead is dealing and judging alone; one ply adds a static move, two plies another and the
    board between. Each position is simulated at every horizon before the next one, and its time is the least
    of the passes.
    """
    lexicon = open_lexicon(lexicon_id)
    samples = [sample for sample in read_samples(file, lexicon, games) if sample.position.rack.tiles]
    plan = SimulationPlan.preset("monte_carlo", candidates=candidates, iterations=iterations)
    plan = replace(plan, confidence=None, play_out=False)
    plans = {}
    for number in plies.split(","):
        if not number.isdecimal():
            raise click.BadParameter(f"{number!r} is no number of plies", param_hint="--plies")
        plans[number] = replace(plan, plies=int(number))
        plans[number].check()
    with steps_progress("Measuring", "positions") as progress:
        figures = simulation_rates(samples, lexicon, plans, threads, repeat, progress)
    if as_json:
        report = {"lexicon": lexicon.id, "positions": len(samples), "threads": threads, "plies": figures}
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
        return
    table = Table(title=f"Simulation of {len(samples)} positions, {threads} threads")
    for name in ("plies", "iterations/s", "median of positions", "us an iteration"):
        table.add_column(name, justify="right")
    for number, row in figures.items():
        rates = (f"{row['iterations_per_second']:,}", f"{row['median_of_positions']:,}")
        table.add_row(number, *rates, f"{row['microseconds']:.2f}")
    Console().print(table)
