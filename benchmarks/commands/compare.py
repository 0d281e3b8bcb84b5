"""`kibitz bench compare`: is this commit faster than that one?"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import IO, Any

import click
import orjson
from rich.console import Console

from benchmarks.commands.positions import count_option, positions_option, repeat_option
from benchmarks.compare.over_http import GAMES, compare_http
from benchmarks.compare.sides import commit_of, prepare, provide_tables
from benchmarks.compare.timing import BLOCKS, TAKEN, chosen, compare
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from lab.measurements.samples import find_samples
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
    help="What both sides do: generate all plays or the best one, by score, with given values of leaves, "
    "or by the evaluator static; simulate; solve endgames; play games; answer over HTTP.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    help=f"Number of games played, or read from the file. [default: 20, {GAMES} for http; the whole file]",
)
@count_option(
    "Number of positions, spread over all of them; for selfplay, of matches of ten games. "
    f"[default: {', '.join(f'{name} {count}' for name, count in TAKEN.items())}, else all]"
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
@repeat_option(5)
@click.option("--core", type=click.IntRange(min=0), help="Pin both sides to this processor core.")
@click.option(
    "--repository",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="Where the commits are. [default: the current folder]",
)
@json_option
def compare_command(
    first: str,
    second: str,
    lexicon_id: str | None,
    file: IO[str] | None,
    task: str,
    games: int | None,
    count: int | None,
    seconds: float,
    settings: tuple[str, ...],
    repeat: int,
    core: int | None,
    repository: Path,
    as_json: bool,
) -> None:
    """Compare the speed of two versions of kibitz in one run; ratios are SECOND / FIRST.

    Each side is a commit of the repository (a tag, a branch, HEAD~3), which is checked out and built once
    (a few minutes), or a folder whose kernels are built. Each side runs its own code. If a checkout lacks the
    benchmark of a task, this version's benchmark runs on that checkout's engine, and the report says so. The
    sides take turns, block by block, in processes of their own; the least time of all passes counts for a
    position. The interval beside the ratio is a bootstrap over games. The report says whether both sides find
    the same.

    The task http starts the service of each side. It measures computed and repeated answers at one
    connection, and new positions at sixteen.

    With the defaults a run takes one to five minutes, http ten.

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
        samples = [] if task == "selfplay" else chosen(find_samples(file, lexicon, games), task, count)
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
            items = len(samples) or count or TAKEN[task]
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
    """Print the comparison of a task of the engine as a table."""
    a, b = report["sides"]
    unit = "matches" if report["task"] == "selfplay" else "positions"
    rows: list[list[str | None] | None] = []
    for group, name in (("per_move", "move"), ("by_blanks", "blanks")):
        for row in report[group]:
            times = [f"{us:.1f}" for us in row["us"]]
            rows.append([f"{name} {row[name]}", str(row["positions"]), *times, f"{row['ratio']:.3f}"])
        rows += [None] if report[group] else []
    means = [f"{side['mean_us']:.1f}" for side in (a, b)]
    rows.append(["all", str(report["positions"]), *means, f"{report['ratio']:.3f}"])
    title = f"{report['positions']} {unit}, task {report['task']}, {report['passes']} passes"
    headings = ("", unit, f"{a['name']} µs", f"{b['name']} µs", "ratio")
    console = Console()
    print_table(result_table(title, headings, rows), console)
    low, high = report["ratio_interval"]
    lower, upper = report["ratio_quartiles"]
    console.print(
        f"ratio {report['ratio']:.3f}, 95 % between {low:.3f} and {high:.3f}; "
        f"quartiles {lower:.3f} and {upper:.3f} ({report['clock']} time; the sides switch after "
        f"{report['block']} {unit})",
        soft_wrap=True,
    )
    console.print(f"vector paths: {a['vector_path']}, {b['vector_path']}")
    for side in (a, b):
        if not side["own_worker"]:
            console.print(
                f"{side['name']} has no benchmark of {report['task']}: this version's ran on its engine.",
                soft_wrap=True,
            )
    if not report["same_plays"]:
        console.print("THE RESULTS DIFFER: the two sides do not find the same plays.", style="bold red")


def print_http(report: dict[str, Any]) -> None:
    """Print the comparison of two services as a table."""
    a, b = report["sides"]
    at_once = f"at {report['connections']} connections"
    rows: list[list[str | None]] = []
    for name, key, ratio in (
        ("whole answer computed, ms", "computed_ms", "computed"),
        ("whole answer repeated, ms", "repeated_ms", "repeated"),
        ("processor time computed, ms", "computed_cpu_ms", "computed_cpu"),
        ("processor time repeated, ms", "repeated_cpu_ms", "repeated_cpu"),
        (f"answers a second {at_once}", "per_second", "per_second"),
        (f"answers a processor second {at_once}", "per_cpu_second", "per_cpu_second"),
    ):
        found = report["ratios"][ratio]
        cells = [_range([found["ratio"]]), _range(found["quartiles"]), _range(found.get("interval"))]
        rows.append([name, f"{a[key]:,.3f}", f"{b[key]:,.3f}", *cells])
    rows.append([f"p99 {at_once}, ms", f"{a['p99_ms']:,.3f}", f"{b['p99_ms']:,.3f}", None, None, None])
    title = f"POST /analyze, {report['positions']} positions, {report['passes']} passes"
    headings = ("", a["name"], b["name"], "ratio", "quartiles", "95 % between")
    console = Console()
    print_table(result_table(title, headings, rows), console)
    if not report["same_moves"]:
        console.print("THE RESULTS DIFFER: the two sides do not find the same moves.", style="bold red")


def _range(values: list[float | None] | None) -> str | None:
    """Return one value or the ends of a range; None if there is none."""
    return " to ".join("-" if value is None else f"{value:.3f}" for value in values) if values else None
