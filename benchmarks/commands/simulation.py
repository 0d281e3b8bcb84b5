"""`kibitz bench simulation`: rollouts a second, by the number of plies they look ahead."""

from __future__ import annotations

from dataclasses import replace
from typing import IO, TYPE_CHECKING

import click
import orjson

from benchmarks.commands.positions import count_option, games_option, positions_option, repeat_option
from benchmarks.measurements.simulation import simulation_rates
from benchmarks.measurements.simulation_scaling import thread_ratios
from engine import SIMULATIONS, SimulationPlan
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from lab.measurements.samples import find_samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Lexicon
    from lab.measurements.samples import Sample


@click.command("simulation")
@lexicon_option
@positions_option
@games_option
@click.option(
    "--plies", default="0,1,2", show_default=True, metavar="A,B", help="Numbers of plies to compare."
)
@click.option(
    "--candidates",
    type=click.IntRange(min=1),
    default=15,
    show_default=True,
    help="Number of moves compared.",
)
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=1500,
    show_default=True,
    help="Rollouts for one position.",
)
@click.option(
    "--plan",
    "presets",
    metavar="A,B",
    help=f"Measure these methods as they are instead: {', '.join(SIMULATIONS)}.",
)
@count_option("Number of positions, spread over all of them. [default: all]")
@click.option(
    "--scaling",
    metavar="N,N",
    help="Compare this many threads of one simulation with as many processes instead.",
)
@click.option(
    "--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="Threads of a simulation."
)
@repeat_option(3)
@json_option
def simulation_command(
    lexicon_id: str | None,
    file: IO[str] | None,
    games: int | None,
    plies: str,
    candidates: int,
    iterations: int,
    presets: str | None,
    count: int | None,
    scaling: str | None,
    threads: int,
    repeat: int,
    as_json: bool,
) -> None:
    """Measure rollouts with static replies, equally many for every candidate.

    With no ply, a rollout only deals racks and evaluates; one ply adds a static move; two plies add the
    update of the board and another static move. Each position is simulated with every number of plies before
    the next one; its time is the least of its passes. Takes about three minutes for 20 games.

    \b
    kibitz bench simulation --lexicon twl06 --positions greedy_twl06.tsv
    kibitz bench simulation --plan heuri_samp,heuri_sim --count 20         seconds a position
    kibitz bench simulation --count 4 --iterations 15000 --scaling 2,4     threads against processes
    """
    lexicon = open_lexicon(lexicon_id)
    samples = [sample for sample in find_samples(file, lexicon, games) if sample.position.rack.tiles]
    if count is not None:
        samples = samples[:: max(1, len(samples) // count)][:count]
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
        rates = simulation_rates(samples, lexicon, plans, threads, repeat, progress)
    if as_json:
        report = {
            "lexicon": lexicon.id,
            "positions": len(samples),
            "threads": threads,
            "plans" if presets else "plies": rates,
        }
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
        return
    rows = [
        (
            name,
            f"{row['iterations_per_second']:,}",
            f"{row['median_of_positions']:,}",
            f"{row['microseconds']:.2f}",
            f"{row['seconds_a_position']:.3f}",
            f"{row['max_seconds']:.3f}",
        )
        for name, row in rates.items()
    ]
    headings = ("rollouts/s", "median of positions", "µs a rollout", "s a position", "max s")
    title = f"Simulation of {len(samples)} positions, {threads} threads"
    print_table(result_table(title, ("plan" if presets else "plies", *headings), rows))


def _numbers(text: str, option: str) -> list[int]:
    """Read a list of numbers, "1,2"."""
    for number in text.split(","):
        if not number.isdecimal():
            raise click.BadParameter(f"{number!r} is not a number", param_hint=option)
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
    """Compare threads with processes and print the ratios."""
    if 0 in counts:
        raise click.BadParameter("0 is not a number of threads", param_hint="--scaling")
    with steps_progress("Measuring", "pairs") as progress:
        rates = thread_ratios(samples, lexicon, plan, counts, repeat, progress)
    if as_json:
        report = {"lexicon": lexicon.id, "positions": len(samples), "threads": rates}
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS))
        return
    rows = []
    for number, row in rates.items():
        low, high = row["ratio_quartiles"]
        rows.append(
            (
                str(number),
                f"{row['ratio']:.3f}",
                f"{low:.3f} to {high:.3f}",
                f"{row['threads_per_second']:,}",
                f"{row['processes_per_second']:,}",
                f"{row['load'][0]:.1f}",
            )
        )
    title = f"Threads against processes: {len(samples)} positions, {repeat} pairs of each"
    headings = ("threads", "ratio", "quartiles", "rollouts/s of threads", "of processes", "load")
    print_table(result_table(title, headings, rows))
