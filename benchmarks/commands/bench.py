"""`kibitz bench`: how fast the engine is, in ratios of things run side by side."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

import click
import orjson
from rich.console import Console
from rich.table import Table

from benchmarks.commands.board import board_command
from benchmarks.commands.cache import cache_command
from benchmarks.commands.compare import compare_command
from benchmarks.commands.deadline import deadline_command
from benchmarks.commands.endgame import endgame_bench_command
from benchmarks.commands.multisets import multisets_command
from benchmarks.commands.positions import games_option, positions_option
from benchmarks.commands.preendgame import preendgame_bench_command
from benchmarks.commands.racks import seed_racks_command
from benchmarks.commands.search import search_command
from benchmarks.commands.simulation import simulation_command
from benchmarks.measurements.machine import peak_memory_bytes, processor_name
from benchmarks.measurements.movegen import COUNTS, TASKS, contenders, measure, ratios, summary
from benchmarks.measurements.samples import find_samples
from engine import ALL_GENERATOR_NAMES, GENERATOR_NAMES, simd_paths
from service.cli import Group
from service.cli.lexicons import lexicon_option, open_lexicon
from service.cli.progress import steps_progress
from service.cli.tables import print_table

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.group("bench", cls=Group)
def bench_command() -> None:
    """Measure the engine's speed: ratios of things run side by side, in one call.

    \b
    kibitz bench movegen      generators, tasks and vector paths over the positions of games
    kibitz bench board        loading a board, and updating it after a play
    kibitz bench cache        answers computed, from the cache in process, from Redis
    kibitz bench compare      two commits or two builds of kibitz
    kibitz bench deadline     by how much answers miss their max_ms, under load
    kibitz bench endgame      endgames of self-play games: how many are proven, and in what time
    kibitz bench preendgame   published pre-endgames, and what is found of them
    kibitz bench seed-racks   the positions whose times the Heuri papers print
    kibitz bench multisets    multisets of letters in one integer
    kibitz bench simulation   rollouts a second
    kibitz bench search       finding words by pattern and tiles
    """


for command in (
    board_command,
    cache_command,
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
    default=GENERATOR_NAMES[0],
    show_default=True,
    metavar="A,B",
    help=f"The generators to compare, of: {', '.join(ALL_GENERATOR_NAMES)}.",
)
@click.option(
    "--task",
    "tasks",
    default=TASKS[0],
    show_default=True,
    metavar="A,B",
    help=f"What they do, of: {', '.join(TASKS)} (best: the best play alone; leaves: with values of leaves).",
)
@click.option(
    "--simd",
    "paths",
    default="",
    metavar="A,B",
    help=f"Vector paths of internal_words side by side, of: {', '.join(simd_paths())}. [default: the best]",
)
@games_option
@click.option("--repeat", type=click.IntRange(min=1), default=3, show_default=True, help="Passes to measure.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
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
    """Measure move generation, scores included, per move number and number of blanks.

    Boards are loaded beforehand, game by game. One contender after the other does each game, in an order
    that changes, so that all of them meet the same neighbours on the machine; the time of a position is the
    median of its passes. Ratios are to the first contender named.

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
        "generators": {label: summary(samples, label) for label in labels},
        "ratios": ratios(samples, labels),
        "peak_memory_bytes": peak_memory_bytes(),
    }
    if as_json:
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    else:
        print_report(report)


def print_report(report: dict[str, Any]) -> None:
    """Print the report for people: times by move number and by blanks, and what was looked at meanwhile."""
    generators: dict[str, dict[str, Any]] = report["generators"]
    alone = len(generators) == 1
    console = Console()
    table = Table(
        title=f"Move generation, {report['positions']} positions of {report['games']} games, mean µs"
    )
    for name in ("move", "positions", *generators, *(COUNTS if alone else ())):
        table.add_column(name, justify="right", style="bold" if name in generators else None)

    def add(name: str, positions: int, rows: Sequence[dict[str, Any]]) -> None:
        times = [f"{row['mean_us']:.1f}" for row in rows]
        table.add_row(name, str(positions), *times, *(counts(rows[0]) if alone else ()))

    for rows in zip(*(figures["per_move"] for figures in generators.values()), strict=True):
        add(str(rows[0]["move"]), rows[0]["positions"], rows)
    table.add_section()
    for rows in zip(*(figures["by_blanks"] for figures in generators.values()), strict=True):
        blanks = rows[0]["blanks"]
        name = "no blank" if blanks == 0 else "1 blank" if blanks == 1 else f"{blanks} blanks"
        add(name, rows[0]["positions"], rows)
    table.add_section()
    add("all", report["positions"], list(generators.values()))
    print_table(table, console)
    if not alone:
        looked_at = Table("", title="What they looked at in a position, on average")
        for name in COUNTS:
            looked_at.add_column(name, justify="right")
        for label, figures in generators.items():
            looked_at.add_row(label, *counts(figures))
        print_table(looked_at, console)
    for pair, ratio in report["ratios"].items():
        console.print(f"{pair}: {ratio:.2f} times as long")
    for label, figures in generators.items():
        if figures["flatness"] is not None:
            console.print(f"{label}: slowest move number of 2 to 19 / fastest: {figures['flatness']:.2f}")
    console.print(f"peak memory {report['peak_memory_bytes'] / 2**20:.0f} MiB, {report['passes']} passes")


def counts(row: dict[str, Any]) -> list[str]:
    """Return the cells of what a contender counted; "-" where it counts nothing."""
    return ["-" if row[name] is None else f"{row[name]:.0f}" for name in COUNTS]
