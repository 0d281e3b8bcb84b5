"""`kibitz bench capacity`: hosts, Redis and cost of a load, by a simulation fed with measured times."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click
import orjson

import kibitz
from benchmarks.capacity.hit_rates import Caching, Load
from benchmarks.capacity.inputs import SHIPPED, TIERS, Inputs
from benchmarks.capacity.measurement import QUICK, Effort, measure
from benchmarks.capacity.needs import Machines, Prices, need
from benchmarks.capacity.repetition import measure_repetition
from benchmarks.capacity.report import (
    Scenario,
    Table,
    bottleneck_table,
    break_even,
    check_table,
    draw,
    needs_table,
    savings_table,
)
from benchmarks.load.servers import ServerError
from kibitz.cli import Refusal
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.progress import build_progress
from kibitz.cli.tables import print_table, result_table
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.capacity.check import Compared

POSITIVE = click.FloatRange(min=0, min_open=True)


def _loads(_: click.Context, parameter: click.Parameter, text: str) -> list[float]:
    try:
        loads = [float(part) for part in text.split(",")]
    except ValueError:
        loads = [0.0]
    if not all(1 <= load <= 1e9 for load in loads):
        raise click.BadParameter("must be numbers from 1 to 1e9, such as 1000,100000", param=parameter)
    return loads


@click.command("capacity")
@lexicon_option
@click.option(
    "--loads",
    default="1e3,1e5,1e7",
    show_default=True,
    metavar="A,B",
    callback=_loads,
    help="Analyses a minute.",
)
@click.option(
    "--readers",
    type=click.FloatRange(min=1),
    default=1,
    show_default=True,
    help="How often each position of a game is asked for, on average.",
)
@click.option(
    "--revisit",
    type=POSITIVE,
    default=3600,
    show_default=True,
    metavar="SECONDS",
    help="The time within which all readers ask for a position.",
)
@click.option(
    "--searches",
    type=click.FloatRange(0, 1),
    default=0,
    show_default=True,
    help="The share of requests that simulate.",
)
@click.option(
    "--cache",
    "tier",
    type=click.Choice(TIERS),
    default=TIERS[-1],
    show_default=True,
    help="Where answers are cached.",
)
@click.option(
    "--life",
    type=POSITIVE,
    default=86_400,
    show_default=True,
    metavar="SECONDS",
    help="KIBITZ_CACHE_SECONDS.",
)
@click.option(
    "--cores",
    type=click.IntRange(1, 256),
    default=4,
    show_default=True,
    help="Cores of a host, each with a worker.",
)
@click.option(
    "--utilization",
    type=click.FloatRange(0.05, 0.95),
    default=0.6,
    show_default=True,
    help="The share of a core that may be at work on average.",
)
@click.option(
    "--prices",
    type=(float, float, float),
    default=(0.04, 3.0, 0.05),
    show_default=True,
    metavar="CORE GB SENT",
    help="Prices of an hour of a core, a month of a GB in Redis, and a GB sent to clients, in one currency.",
)
@click.option(
    "--measured",
    "file",
    type=click.File("rb"),
    help="Measured inputs, as --save writes them. [default: those of the documentation]",
)
@click.option("--check", "checks", is_flag=True, help="Measure this machine and compare the model with it.")
@click.option(
    "--quick", is_flag=True, help="With --check: measure everything once; the results mean nothing."
)
@click.option(
    "--openings",
    type=click.IntRange(min=2),
    metavar="GAMES",
    help="With --check: number of games whose openings are played to count again how positions repeat.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --check: write what was measured to this file.",
)
@click.option(
    "--plots", type=click.Path(file_okay=False, path_type=Path), help="Draw plots into this folder."
)
@json_option
def capacity_command(
    lexicon_id: str | None,
    loads: list[float],
    readers: float,
    revisit: float,
    searches: float,
    tier: str,
    life: float,
    cores: int,
    utilization: float,
    prices: tuple[float, float, float],
    file: IO[bytes] | None,
    checks: bool,
    quick: bool,
    openings: int | None,
    save: Path | None,
    plots: Path | None,
    as_json: bool,
) -> None:
    """Say what a load needs: cores, memory of Redis, network, and cost a month.

    The inputs are measured: processor time of each kind of answer, sizes, and how often positions of games of
    all levels repeat. A simulation of hosts and Redis gives the times of answers. The prices are round
    figures of no particular provider: give your own. Needs the extra kibitz[capacity].

    --check measures this machine first (six minutes): the services on one core, client and Redis on
    another. It prints measured values of one host, and of two hosts with one Redis, beside those of the
    model, and uses what it measured. The exit status is 1 if the model deviates by more than 15 %. How
    positions repeat does not depend on the machine and is counted only with --openings.

    \b
    kibitz bench capacity
    kibitz bench capacity --loads 20000 --readers 3 --life 3600 --prices 0.03 2 0
    kibitz bench capacity --check --save measured.json
    """
    if (quick or openings or save) and not checks:
        raise click.UsageError("--quick, --openings and --save belong to --check")
    text = SHIPPED.read_bytes() if file is None else file.read()
    inputs = Inputs.from_json(text, SHIPPED.name if file is None else file.name)
    compared: list[Compared] = []
    if checks:
        inputs, compared = _measured(inputs, lexicon_id, QUICK if quick else Effort(), openings)
        if save is not None:
            save.write_bytes(inputs.to_json())
    scenario = Scenario(
        [Load(load, readers, revisit, searches) for load in loads],
        Caching(tier, life=life),
        Machines(cores, utilization),
        Prices(*prices),
    )
    if plots is not None:
        draw(inputs, scenario, plots)
    if as_json:
        report = {
            "inputs": asdict(inputs),
            "check": [asdict(row) | {"deviation": row.deviation, "holds": row.holds} for row in compared],
            "scenario": asdict(scenario),
            "needs": [
                asdict(need(inputs, load, scenario.caching, scenario.machines, scenario.prices))
                for load in scenario.loads
            ],
        }
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    else:
        if compared:
            _print(check_table(compared))
        for table in (needs_table, savings_table, bottleneck_table):
            _print(table(inputs, scenario))
        for sentence in break_even(inputs, scenario.machines, scenario.prices):
            click.echo(sentence)
        click.echo(
            f"Measured on {inputs.machine} with {inputs.lexicon}: {inputs.command}\n"
            f"Other programs used {inputs.others:.2f} cores meanwhile."
        )
    if not all(row.holds for row in compared):
        raise click.exceptions.Exit(1)


def _measured(
    before: Inputs, lexicon_id: str | None, effort: Effort, openings: int | None
) -> tuple[Inputs, list[Compared]]:
    """Measure this machine; how positions repeat is taken from the inputs `before` unless it is counted."""
    data = Settings.from_environment().data
    lexicon = kibitz.Lexicon.open(open_lexicon(lexicon_id).id, data=data)
    command = " ".join(["kibitz", *sys.argv[1:]])
    with build_progress(f"Measuring, lexicon {lexicon.id}") as bars:

        def stage(name: str) -> Callable[[int, int], None]:
            bars(name, 0.0)
            return lambda done, total: bars(name, done / total)

        try:
            repetition = before.repetition
            if openings is not None:
                repetition = measure_repetition(lexicon, openings, stage("Playing openings"))
            return measure(lexicon, data, repetition, effort, command, stage)
        except ServerError as error:
            raise Refusal(str(error)) from None


def _print(table: Table) -> None:
    print_table(result_table(table.title, table.headings, table.rows, text=table.headings[: table.text]))
