"""`kibitz bench deadline`: how late a search ends that `max_ms` cuts."""

from __future__ import annotations

import os

import click
import orjson
from rich.table import Table

from benchmarks.measurements.deadline import ALL, PLAIN, cases, kinds, overshoots, summary
from service.cli.lexicons import lexicon_option, open_lexicon
from service.cli.progress import steps_progress
from service.cli.tables import print_table


@click.command("deadline")
@lexicon_option
@click.option(
    "--positions", type=click.IntRange(min=1), default=30, show_default=True, help="Of each stage of a game."
)
@click.option("--max-ms", "limits", default="20,100,500", show_default=True, metavar="A,B", help="Deadlines.")
@click.option(
    "--neighbours",
    type=click.IntRange(0, 256),
    help="Processes that keep a core busy meanwhile. [default: one a core]",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, every answer in it.")
def deadline_command(
    lexicon_id: str | None, positions: int, limits: str, neighbours: int | None, as_json: bool
) -> None:
    """Measure by how many milliseconds answers come later than their max_ms, under load.

    Positions of static self-play, every other one with a blank on the rack: middle games by every method of
    simulation, one or two tiles in the bag by every model of the other side, three to six (static), and
    endgames by every method; with budgets that never end, so that the deadline must cut. The time is that of
    the whole analysis, the board loaded and the answer encoded in it. "plain" only spins for so long, then
    analyzes without a search: so late is everybody on this machine just now. JSON has a line for each kind
    and deadline too.

    \b
    kibitz bench deadline --max-ms 50,200 --positions 20
    """
    wanted = [int(text) for text in limits.split(",") if text.isdecimal() and int(text)]
    if len(wanted) != len(limits.split(",")):
        raise click.BadParameter(f"{limits!r} are no milliseconds", param_hint="--max-ms")
    busy = len(os.sched_getaffinity(0)) if neighbours is None else neighbours
    lexicon = open_lexicon(lexicon_id)
    with steps_progress("Measuring", "answers") as progress:
        lines = overshoots(lexicon, cases(lexicon, positions), wanted, busy, progress)
    figures = summary(lines)
    if as_json:
        report = {
            "lexicon": lexicon.id,
            "neighbours": busy,
            "load": os.getloadavg()[0],
            "overshoot_ms": figures,
            "answers": lines,
        }
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
        return
    table = Table(title=f"Answers later than max_ms, beside {busy} busy processes, in milliseconds")
    for name in ("", "answers", "cut", "p50", "p99", "most"):
        table.add_column(name, justify="right" if name else "left")
    shown = [PLAIN, *kinds(), ALL, *(f"{ALL} {limit} ms" for limit in wanted)]
    for name in shown:
        row = figures[name]
        late = (f"{row[one]:.1f}" for one in ("p50", "p99", "most"))
        table.add_row(name, str(row["answers"]), str(row["cut"]), *late)
    print_table(table)
