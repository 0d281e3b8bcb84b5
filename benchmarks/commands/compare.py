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
from benchmarks.compare.over_http import GAMES, compare_http
from benchmarks.compare.sides import commit_of, prepare, provide_tables
from benchmarks.compare.timing import BLOCKS, TAKEN, chosen, compare
from benchmarks.measurements.samples import find_samples
from service.cli.lexicons import lexicon_option, open_lexicon
from service.cli.progress import steps_progress
from service.cli.tables import print_table
from service.settings import Settings

HTTP = "http"
TASKS = (*BLOCKS, HTTP)


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
    "solve endgames; play games; answer over HTTP.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    help=f"How many games are played, or taken of the file. [default: 20, {GAMES} for http; all of a file]",
)
@click.option(
    "--take",
    type=click.IntRange(min=1),
    help="How many positions are done, spread over all, or matches of ten games. "
    f"[default: {', '.join(f'{name} {count}' for name, count in TAKEN.items())}, else all]",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.01),
    default=1.0,
    show_default=True,
    help="Of http: seconds of a round at sixteen connections.",
)
@click.option(
    "--setting",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Of http: a KIBITZ_ variable of both services; may be repeated.",
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
    seconds: float,
    settings: tuple[str, ...],
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
    passes counts. The interval beside the ratio comes from drawing the games anew. The report
    says whether both find the same.

    The task http starts the service of each side and asks it for answers computed and repeated at one
    connection, and for new ones at sixteen; its ratios, too, are SECOND / FIRST.

    \b
    kibitz bench compare HEAD~1 HEAD --positions tests/golden/greedy_games.tsv
    kibitz bench compare HEAD~1 HEAD --task rollouts
    kibitz bench compare c0f2c4a HEAD --task http
    """
    lexicon = open_lexicon(lexicon_id)
    wanted = dict(_name_and_value(text) for text in settings)
    if task == HTTP:
        samples = find_samples(file, lexicon, games or (None if file else GAMES))
    else:
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
        if task == HTTP:
            report = compare_http(sides, samples, repeat, seconds, core, wanted, progress)
        else:
            items = len(samples) or take or TAKEN[task]
            report = compare(sides, samples, task, items, repeat, core, progress)
    report = {"lexicon": {"id": lexicon.id, "sha256": lexicon.sha256}, **report}
    if as_json:
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    elif task == HTTP:
        print_http(report)
    else:
        print_comparison(report)


def _name_and_value(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.startswith("KIBITZ_"):
        raise click.BadParameter(f"{text!r} is not KIBITZ_NAME=VALUE", param_hint="--setting")
    return name, value


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


def print_http(report: dict[str, Any]) -> None:
    """Print the comparison of two services for people."""
    a, b = report["sides"]
    at_once = f"at {report['connections']} connections"
    table = Table(title=f"POST /analyze, {report['positions']} positions, {report['passes']} passes")
    for name in ("", a["name"], b["name"], "ratio", "quartiles", "95 % between"):
        table.add_column(name, justify="right" if name else "left")
    for name, key, ratio in (
        ("whole answer computed, ms", "computed_ms", "computed"),
        ("whole answer repeated, ms", "repeated_ms", "repeated"),
        ("processor time computed, ms", "computed_cpu_ms", "computed_cpu"),
        ("processor time repeated, ms", "repeated_cpu_ms", "repeated_cpu"),
        (f"answers a second {at_once}", "per_second", "per_second"),
        (f"answers a processor second {at_once}", "per_cpu_second", "per_cpu_second"),
    ):
        found = report["ratios"][ratio]
        cells = [_figures([found["ratio"]]), _figures(found["quartiles"]), _figures(found.get("interval"))]
        table.add_row(name, f"{a[key]:,.3f}", f"{b[key]:,.3f}", *cells)
    table.add_row(f"p99 {at_once}, ms", f"{a['p99_ms']:,.3f}", f"{b['p99_ms']:,.3f}", "", "", "")
    console = Console()
    print_table(table, console)
    if not report["same_moves"]:
        console.print("THE MOVES DIFFER: the two do not find the same.", style="bold red")


def _figures(values: list[float | None] | None) -> str:
    return " to ".join("-" if value is None else f"{value:.3f}" for value in values or ())
