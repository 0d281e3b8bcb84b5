"""`kibitz bench simulation`: iterations a second, and what of them is overhead."""

from __future__ import annotations

from dataclasses import replace
from typing import IO, TYPE_CHECKING

import click
import orjson
from rich.table import Table

from benchmarks.commands.positions import games_option, positions_option
from benchmarks.measurements.samples import find_samples
from benchmarks.measurements.simulation import simulation_rates
from benchmarks.measurements.simulation_scaling import thread_ratios
from engine import SIMULATIONS, SimulationPlan
from service.cli.lexicons import lexicon_option, open_lexicon
from service.cli.progress import steps_progress
from service.cli.tables import print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.measurements.samples import Sample
    from engine import Lexicon


@click.command("simulation")
@lexicon_option
@positions_option
@games_option
@click.option("--plies", default="0,1,2", show_default=True, metavar="A,B", help="Horizons side by side.")
@click.option(
    "--candidates", type=click.IntRange(min=1), default=15, show_default=True, help="Moves compared."
)
@click.option(
    "--iterations", type=click.IntRange(min=1), default=1500, show_default=True, help="Of one position."
)
@click.option(
    "--plan",
    "presets",
    metavar="A,B",
    help=f"Presets as they are, instead of horizons: {', '.join(SIMULATIONS)}.",
)
@click.option("--take", type=click.IntRange(min=1), help="Only so many positions, spread over the file.")
@click.option(
    "--scaling",
    metavar="N,N",
    help="Instead: so many threads of one simulation against as many processes, in pairs; two plies.",
)
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="Of a simulation.")
@click.option("--repeat", type=click.IntRange(min=1), default=3, show_default=True, help="Passes to measure.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def simulation_command(
    lexicon_id: str | None,
    file: IO[str] | None,
    games: int | None,
    plies: str,
    candidates: int,
    iterations: int,
    presets: str | None,
    take: int | None,
    scaling: str | None,
    threads: int,
    repeat: int,
    as_json: bool,
) -> None:
    """Measure simulation: static replies, every candidate the same number of iterations.

    Looking no ply ahead is dealing and judging alone; one ply adds a static move, two plies another and the
    board between. Each position is simulated at every horizon before the next one, and its time is the least
    of the passes.

    \b
    kibitz bench simulation --lexicon twl06 --positions greedy_twl06.tsv
    kibitz bench simulation --plan heuri_samp,heuri_sim --take 20         seconds a position
    kibitz bench simulation --take 4 --iterations 15000 --scaling 2,4     threads against processes
    """
    lexicon = open_lexicon(lexicon_id)
    samples = [sample for sample in find_samples(file, lexicon, games) if sample.position.rack.tiles]
    if take is not None:
        samples = samples[:: max(1, len(samples) // take)][:take]
    plan = SimulationPlan.preset("monte_carlo", candidates=candidates, iterations=iterations)
    plan = replace(plan, confidence=None, play_out=False)
    if scaling:
        _measure_scaling(samples, lexicon, plan, _numbers(scaling, "--scaling"), repeat, as_json=as_json)
        return
    if presets:
        plans = {name: SimulationPlan.preset(name) for name in presets.split(",")}
    else:
        plans = {str(number): replace(plan, plies=number) for number in _numbers(plies, "--plies")}
        for each in plans.values():
            each.check()
    with steps_progress("Measuring", "positions") as progress:
        figures = simulation_rates(samples, lexicon, plans, threads, repeat, progress)
    if as_json:
        report = {
            "lexicon": lexicon.id,
            "positions": len(samples),
            "threads": threads,
            "plans" if presets else "plies": figures,
        }
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
        return
    table = Table(title=f"Simulation of {len(samples)} positions, {threads} threads")
    headings = ("iterations/s", "median of positions", "µs an iteration", "s a position", "at most")
    for name in ("plan" if presets else "plies", *headings):
        table.add_column(name, justify="right")
    for name, row in figures.items():
        table.add_row(
            name,
            f"{row['iterations_per_second']:,}",
            f"{row['median_of_positions']:,}",
            f"{row['microseconds']:.2f}",
            f"{row['seconds_a_position']:.3f}",
            f"{row['most_seconds']:.3f}",
        )
    print_table(table)


def _numbers(text: str, option: str) -> list[int]:
    """Read a list of numbers, "1,2"."""
    for number in text.split(","):
        if not number.isdecimal():
            raise click.BadParameter(f"{number!r} is no number", param_hint=option)
    return [int(number) for number in text.split(",")]


def _measure_scaling(
    samples: Sequence[Sample],
    lexicon: Lexicon,
    plan: SimulationPlan,
    counts: list[int],
    repeat: int,
    *,
    as_json: bool,
) -> None:
    """Measure threads against processes and print the ratios."""
    if 0 in counts:
        raise click.BadParameter("0 is no number of threads", param_hint="--scaling")
    with steps_progress("Measuring", "pairs") as progress:
        figures = thread_ratios(samples, lexicon, plan, counts, repeat, progress)
    if as_json:
        report = {"lexicon": lexicon.id, "positions": len(samples), "threads": figures}
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS))
        return
    table = Table(title=f"Threads against processes: {len(samples)} positions, {repeat} pairs of each")
    for name in ("threads", "ratio", "quartiles", "iterations/s", "of processes", "load"):
        table.add_column(name, justify="right")
    for count, row in figures.items():
        low, high = row["ratio_quartiles"]
        table.add_row(
            str(count),
            f"{row['ratio']:.3f}",
            f"{low:.3f} to {high:.3f}",
            f"{row['threads_per_second']:,}",
            f"{row['processes_per_second']:,}",
            f"{row['load'][0]:.1f}",
        )
    print_table(table)
