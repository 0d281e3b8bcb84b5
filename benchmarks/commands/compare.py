"""`kibitz bench compare`: is this commit faster than that one?"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import IO, Any

import click
import orjson
from rich.console import Console
from rich.table import Table

from benchmarks.commands.positions import positions_option
from benchmarks.compare.sides import commit_of, prepare, provide_tables
from benchmarks.compare.timing import BLOCKS, TAKEN, chosen, compare
from benchmarks.measurements.samples import find_samples
from service.cli.lexica import lexicon_option, open_lexicon
from service.cli.progress import steps_progress
from service.cli.tables import print_table
from service.settings import Settings

TASKS = tuple(BLOCKS)


@click.command("compare")
@click.argument("first")
@click.argument("second")
@lexicon_option
@positions_option
@click.option(
    "--task",
    type=click.Choice(TASKS),
    default=TASKS[0],
    show_default=True,
    help="What both do: generate all plays or the best one, by score or with values of leaves; simulate; "
    "solve endgames; play games.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    help="How many games are played, or taken of the file. [default: 20, or all of the file]",
)
@click.option(
    "--take",
    type=click.IntRange(min=1),
    help="How many positions are done, spread over all, or matches of ten games. "
    f"[default: {', '.join(f'{name} {count}' for name, count in TAKEN.items())}, else all]",
)
@click.option("--repeat", type=click.IntRange(min=1), default=5, show_default=True, help="Passes to measure.")
@click.option("--core", type=click.IntRange(min=0), help="Pin both sides to this processor core.")
@click.option(
    "--repository",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="Where the commits are. [default: the current folder]",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def compare_command(
    first: str,
    second: str,
    lexicon_id: str | None,
    file: IO[str] | None,
    task: str,
    games: int | None,
    take: int | None,
    repeat: int,
    core: int | None,
    repository: Path,
    as_json: bool,
) -> None:
    """Compare the speed of two kibitzes, FIRST and SECOND, in one run: the ratio SECOND / FIRST.

    Each is a commit of the repository (a tag, a branch, HEAD~3), which is checked out and built once, or a
    folder whose kernels are built. Each runs its own code and its own worker; where a checkout has no worker
    for the task, the one of this version runs on that checkout's engine, and the report says so. Both do the
    same work in turns, block by block, in processes of their own; of each position the least time of all
    passes counts. The interval beside the ratio comes from drawing the games anew. That both find the same is
    checked, and said if they do not.

    \b
    kibitz bench compare HEAD~1 HEAD --positions tests/golden/greedy_games.tsv
    kibitz bench compare HEAD~1 HEAD --task rollouts
    """
    lexicon = open_lexicon(lexicon_id)
    samples = [] if task == "selfplay" else chosen(find_samples(file, lexicon, games), task, take)
    cache = Settings.from_environment().data / "compare"
    for name in (first, second):
        commit_of(name, repository)  # before one of them is built, which takes minutes
    sides = [
        prepare(name, repository, cache, lambda text: click.echo(text, err=True)) for name in (first, second)
    ]
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder) / "words.txt"
        letters = lexicon.tile_set.alphabet
        words.write_text("".join(f"{letters.word(word)}\n" for word in lexicon.words()), "utf-8")
        for side in sides:
            provide_tables(side, lexicon, words)
    with steps_progress("Measuring", "blocks") as progress:
        items = len(samples) or take or TAKEN[task]
        report = compare(sides, samples, task, items, repeat, core, progress)
    report = {"lexicon": {"id": lexicon.id, "sha256": lexicon.sha256}, **report}
    if as_json:
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    else:
        print_comparison(report)


def print_comparison(report: dict[str, Any]) -> None:
    """Print the comparison of an engine's task for people."""
    a, b = report["sides"]
    unit = "matches" if report["task"] == "selfplay" else "positions"
    table = Table(title=f"{report['positions']} {unit}, task {report['task']}, {report['passes']} passes")
    for name in ("", unit, f"{a['name']} µs", f"{b['name']} µs", "ratio"):
        table.add_column(name, justify="right")
    for group, name in (("per_move", "move"), ("by_blanks", "blanks")):
        for row in report[group]:
            times = [f"{us:.1f}" for us in row["us"]]
            table.add_row(f"{name} {row[name]}", str(row["positions"]), *times, f"{row['ratio']:.3f}")
        table.add_section()
    means = [f"{side['mean_us']:.1f}" for side in (a, b)]
    table.add_row("all", str(report["positions"]), *means, f"{report['ratio']:.3f}")
    console = Console()
    print_table(table, console)
    low, high = report["ratio_interval"]
    lower, upper = report["ratio_quartiles"]
    console.print(
        f"ratio {report['ratio']:.3f}, 95 % between {low:.3f} and {high:.3f}; "
        f"quartiles {lower:.3f} and {upper:.3f} ({report['clock']} time)",
        soft_wrap=True,
    )
    console.print(f"vector paths: {a['vector_path']}, {b['vector_path']}")
    for side in (a, b):
        if not side["own_worker"]:
            console.print(
                f"{side['name']} has no worker for {report['task']}: this version's ran on its engine.",
                soft_wrap=True,
            )
    if not report["same_plays"]:
        console.print("THE RESULTS DIFFER: the two do not find the same.", style="bold red")
