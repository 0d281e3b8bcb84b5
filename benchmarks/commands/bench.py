"""`kibitz bench`: how fast the engine is. Contenders run in turns in one process, so that ratios hold."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

import click
import orjson
from rich.console import Console

from benchmarks.commands.board import board_command
from benchmarks.commands.cache import cache_command
from benchmarks.commands.capacity import capacity_command
from benchmarks.commands.choices import choices_command
from benchmarks.commands.cluster import cluster_command
from benchmarks.commands.compare import compare_command
from benchmarks.commands.deadline import deadline_command
from benchmarks.commands.endgame import endgame_bench_command
from benchmarks.commands.multisets import multisets_command
from benchmarks.commands.positions import games_option, positions_option, repeat_option
from benchmarks.commands.preendgame import preendgame_bench_command
from benchmarks.commands.racks import seed_racks_command
from benchmarks.commands.search import search_command
from benchmarks.commands.simulation import simulation_command
from benchmarks.measurements.machine import peak_memory_bytes, processor_name
from engine import InternalWords, simd_paths
from kibitz.cli import Group
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from lab.generators import ALL_GENERATORS
from lab.measurements.movegen import COUNTS, TASKS, contenders, measure, ratios, summary
from lab.measurements.samples import find_samples

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.group("bench", cls=Group)
def bench_command() -> None:
    """Measure the engine's speed. Compare the ratios of one run rather than times of different runs.

    Times in brackets are those of the defaults, on one core.

    \b
    kibitz bench movegen      generators, tasks and vector paths over positions of games (5 s)
    kibitz bench board        loading a board, and updating it after a play (5 s)
    kibitz bench cache        answers computed, from process memory, and from Redis (1 min)
    kibitz bench capacity     hosts, Redis and cost of a load, by simulation (10 s)
    kibitz bench choices      how much win% players lose on positions of games (30 min)
    kibitz bench cluster      a match on 1, 2 and 4 worker processes (1 min)
    kibitz bench compare      two commits or two builds of kibitz (1 to 10 min)
    kibitz bench deadline     how much later than max_ms answers come, under load (5 min)
    kibitz bench endgame      endgames of self-play games: how many are solved, and how fast (10 min)
    kibitz bench preendgame   pre-endgames of self-play games: how many best moves are proven (2 min)
    kibitz bench seed-racks   the positions whose times the Heuri papers print (10 s)
    kibitz bench multisets    representations of letter multisets in one integer (10 s)
    kibitz bench simulation   rollouts a second (3 min)
    kibitz bench search       finding words by pattern and tiles (10 s)
    """


for command in (
    board_command,
    cache_command,
    capacity_command,
    choices_command,
    cluster_command,
    compare_command,
    deadline_command,
    endgame_bench_command,
    multisets_command,
    preendgame_bench_command,
    search_command,
    seed_racks_command,
    simulation_command,
):
    bench_command.add_command(command)


@bench_command.command("movegen")
@lexicon_option
@positions_option
@click.option(
    "--generators",
    "names",
    default=InternalWords.name,
    show_default=True,
    metavar="A,B",
    help=f"The generators to compare, of: {', '.join(ALL_GENERATORS)}.",
)
@click.option(
    "--task",
    "tasks",
    default=TASKS[0],
    show_default=True,
    metavar="A,B",
    help=f"Tasks, of: {', '.join(TASKS)} (best: the best play alone; leaves: with leave values).",
)
@click.option(
    "--simd",
    "paths",
    default="",
    metavar="A,B",
    help=f"Vector paths of internal_words side by side, of: {', '.join(simd_paths())}. [default: the best]",
)
@games_option
@repeat_option(3)
@json_option
def movegen_command(
    lexicon_id: str | None,
    file: IO[str] | None,
    names: str,
    tasks: str,
    paths: str,
    games: int | None,
    repeat: int,
    as_json: bool,
) -> None:
    """Measure move generation, scores included, by move number and by blanks on the rack.

    A contender is a generator, task and vector path. Boards are loaded before the clock starts, which counts
    processor time. The contenders take turns game by game, in a rotating order, so that other load on the
    machine disturbs all of them alike; longer turns would leave more of a contender's data in the processor's
    caches. The time of a position is the median of its passes; ratios are to the first contender.

    \b
    kibitz bench movegen --games 100 --task all,best
    kibitz bench movegen --lexicon twl06 --positions greedy_twl06.tsv --simd avx2,plain
    """
    lexicon = open_lexicon(lexicon_id)
    chosen = contenders(lexicon, names.split(","), tasks.split(","), paths.split(",") if paths else ())
    samples = find_samples(file, lexicon, games)
    with steps_progress("Measuring", "games") as progress:
        measure(samples, lexicon, chosen, repeat, progress)
    labels = [contender.label for contender in chosen]
    report = {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256, "words": lexicon.word_count},
        "processor": processor_name(),
        "vector_paths": list(simd_paths()),
        "positions": len(samples),
        "games": len({sample.game for sample in samples}),
        "passes": repeat,
        "clock": "processor",
        "block": "game",
        "generators": {label: summary(samples, label) for label in labels},
        "ratios": ratios(samples, labels),
        "peak_memory_bytes": peak_memory_bytes(),
    }
    if as_json:
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    else:
        print_report(report)


def print_report(report: dict[str, Any]) -> None:
    """Print times by move number and by blanks, and what the generators counted."""
    generators: dict[str, dict[str, Any]] = report["generators"]
    alone = len(generators) == 1
    console = Console(emoji=False)  # ":leaves" is none

    def row(name: str, positions: int, rows: Sequence[dict[str, Any]]) -> list[str | None]:
        times = [f"{row['mean_us']:.1f}" for row in rows]
        return [name, str(positions), *times, *(counts(rows[0]) if alone else ())]

    table: list[list[str | None] | None] = [
        row(str(rows[0]["move"]), rows[0]["positions"], rows)
        for rows in zip(*(found["per_move"] for found in generators.values()), strict=True)
    ]
    table.append(None)
    for rows in zip(*(found["by_blanks"] for found in generators.values()), strict=True):
        blanks = rows[0]["blanks"]
        name = "no blank" if blanks == 0 else "1 blank" if blanks == 1 else f"{blanks} blanks"
        table.append(row(name, rows[0]["positions"], rows))
    table += [None, row("all", report["positions"], list(generators.values()))]
    title = f"Move generation, {report['positions']} positions of {report['games']} games, mean processor µs"
    headings = ("move", "positions", *generators, *(COUNTS if alone else ()))
    print_table(result_table(title, headings, table), console)
    if not alone:
        counted = [(label, *counts(found)) for label, found in generators.items()]
        title = "Intervals, candidate words and plays of a position, mean"
        print_table(result_table(title, ("generator", *COUNTS), counted), console)
    for pair, ratio in report["ratios"].items():
        console.print(f"{pair}: {ratio:.2f} times as long")
    for label, found in generators.items():
        if found["flatness"] is not None:
            console.print(f"{label}: slowest move number of 2 to 19 / fastest: {found['flatness']:.2f}")
    peak = report["peak_memory_bytes"] / 2**20
    console.print(
        f"peak memory {peak:.0f} MiB, {report['passes']} passes; contenders switch after each game",
        soft_wrap=True,
    )


def counts(row: dict[str, Any]) -> list[str | None]:
    """Return the cells of what a contender counted, None for what it does not count."""
    return [None if row[name] is None else f"{row[name]:.0f}" for name in COUNTS]
