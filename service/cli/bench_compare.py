"""`kibitz bench compare`: is this commit faster than that one?"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import IO, Any

import click
import orjson
from rich.console import Console
from rich.table import Table

from service.benchmarks.compare import commit_of, compare, prepare, provide_tables
from service.benchmarks.movegen import TASKS
from service.benchmarks.samples import read_samples
from service.cli.lexica import lexicon_option, open_lexicon
from service.cli.progress import steps_progress
from service.cli.tables import print_table
from service.settings import Settings


@click.command("compare")
@click.argument("first")
@click.argument("second")
@lexicon_option
@click.option(
    "--positions",
    "file",
    type=click.File("r", encoding="utf-8"),
    required=True,
    help="A TSV file with the columns cgp, move_number and game.",
)
@click.option("--task", type=click.Choice(TASKS), default=TASKS[0], show_default=True, help="What both do.")
@click.option("--games", type=click.IntRange(min=1), help="Take only the first so many games of the file.")
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
    file: IO[str],
    task: str,
    games: int | None,
    repeat: int,
    core: int | None,
    repository: Path,
    as_json: bool,
) -> None:
    """Compare the speed of two kibitzes, FIRST and SECOND, in one run: the ratio SECOND / FIRST.

    Each is a commit of the repository (a tag, a branch, HEAD~3), which is checked out and built once, or a
    folder whose kernels are built. Both go through the same positions in turns, block by block, in processes
    of their own; of each position the least time of all passes counts. The interval beside the ratio comes
    from drawing the games anew. That both find the same plays is checked, and said if they do not.

    \b
    kibitz bench compare HEAD~1 HEAD --positions tests/golden/greedy_games.tsv
    """
    lexicon = open_lexicon(lexicon_id)
    samples = read_samples(file, lexicon, games)
    cgps = [sample.cgp for sample in samples]
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
        report = compare(sides, cgps, samples, task, repeat, core, progress)
    report = {"lexicon": {"id": lexicon.id, "sha256": lexicon.sha256}, **report}
    if as_json:
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    else:
        print_comparison(report)


def print_comparison(report: dict[str, Any]) -> None:
    """Print the comparison for people."""
    a, b = report["sides"]
    table = Table(title=f"{report['positions']} positions, task {report['task']}, {report['passes']} passes")
    for name in ("", "positions", f"{a['name']} µs", f"{b['name']} µs", "ratio"):
        table.add_column(name, justify="right")
    for group, name in (("per_move", "move"), ("by_blanks", "blanks")):
        for row in report[group]:
            times = [f"{us:.1f}" for us in row["us"]]
            table.add_row(f"{name} {row[name]}", str(row["positions"]), *times, f"{row['ratio']:.3f}")
        table.add_section()
    low, high = report["ratio_interval"]
    table.add_row(
        "all",
        str(report["positions"]),
        f"{a['mean_us']:.1f}",
        f"{b['mean_us']:.1f}",
        f"{report['ratio']:.3f}",
    )
    console = Console()
    print_table(table, console)
    console.print(f"ratio {report['ratio']:.3f}, 95 % between {low:.3f} and {high:.3f}")
    console.print(f"vector paths: {a['vector_path']}, {b['vector_path']}")
    if not report["same_plays"]:
        console.print("THE PLAYS DIFFER: the two do not find the same.", style="bold red")
