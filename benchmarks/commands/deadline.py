"""`kibitz bench deadline`: how much later than `max_ms` an answer comes when the deadline cuts its search."""

from __future__ import annotations

import os

import click
import orjson

from benchmarks.commands.positions import count_option
from benchmarks.measurements.deadline import ALL, PLAIN, cases, kinds, overshoots, summary
from engine import make_bingo_files
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table


@click.command("deadline")
@lexicon_option
@count_option("Number of positions of each stage of a game.", 30)
@click.option(
    "--max-ms",
    "limits",
    default="20,100,500",
    show_default=True,
    metavar="A,B",
    help="Deadlines in milliseconds.",
)
@click.option(
    "--neighbours",
    type=click.IntRange(0, 256),
    help="Number of processes that each keep a core busy meanwhile. [default: the number of cores]",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, every answer in it.")
def deadline_command(
    lexicon_id: str | None, count: int, limits: str, neighbours: int | None, as_json: bool
) -> None:
    """Measure by how many milliseconds answers come later than their max_ms, under load.

    The positions are of static self-play, every other one with a blank on the rack. Middle games are
    simulated by every method; with one or two tiles in the bag, pre-endgames are solved against every model
    of the opponent; with three to six they are sampled; endgames are solved. The budgets are endless, so that
    the deadline must cut. The time is that of the whole analysis, with loading the board and encoding the
    answer. "plain" only spins until max_ms and then analyzes without a search: it shows how late any program
    is on this machine at the moment. JSON also lists each kind with each deadline.

    Takes about five minutes with the defaults, one as below.

    \b
    kibitz bench deadline --max-ms 50,200 --count 10
    """
    wanted = [int(text) for text in limits.split(",") if text.isdecimal() and int(text)]
    if len(wanted) != len(limits.split(",")):
        raise click.BadParameter(f"{limits!r} is not a list of milliseconds", param_hint="--max-ms")
    busy = len(os.sched_getaffinity(0)) if neighbours is None else neighbours
    lexicon = open_lexicon(lexicon_id)
    make_bingo_files(lexicon)  # the leaves of Heuri's simulations need them, and no answer waits for them
    with steps_progress("Measuring", "answers") as progress:
        lines = overshoots(lexicon, cases(lexicon, count), wanted, busy, progress)
    lateness = summary(lines)
    if as_json:
        report = {
            "lexicon": lexicon.id,
            "neighbours": busy,
            "load": os.getloadavg()[0],
            "overshoot_ms": lateness,
            "answers": lines,
        }
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
        return
    rows = []
    for name in (PLAIN, *kinds(), ALL, *(f"{ALL} {limit} ms" for limit in wanted)):
        row = lateness[name]
        late = (f"{row[one]:.1f}" for one in ("p50", "p99", "most"))
        rows.append((name, str(row["answers"]), str(row["cut"]), *late))
    title = f"Answers later than max_ms, beside {busy} busy processes, in milliseconds"
    print_table(result_table(title, ("", "answers", "cut", "p50", "p99", "max"), rows))
