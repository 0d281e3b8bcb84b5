"""`kibitz bench`: measured speed, as a table for people or as JSON for programs."""

from __future__ import annotations

import csv
import gc
import platform
import resource
import statistics
import time
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
import orjson
from rich.console import Console
from rich.table import Table

from engine import ALL_GENERATOR_NAMES, GENERATOR_NAMES, EngineError, LoadedBoard, generator, parse_cgp
from service.cli.bench_multisets import multisets_command
from service.cli.lexica import open_lexicon

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Lexicon, MoveGenerator, Position

FIELDS = ("cgp", "move_number", "game")
COUNTS = ("intervals", "candidates", "plays")


@dataclass(slots=True)
class Sample:
    """Hold one position and what each generator did with it.

    `nanoseconds` are the times of the passes by generator; `counts` the generator's own figures.
    """

    move: int
    game: str
    position: Position
    nanoseconds: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    counts: dict[str, dict[str, int]] = field(default_factory=dict)


@click.group("bench")
def bench_command() -> None:
    """Measure the engine's speed."""


bench_command.add_command(multisets_command)


@bench_command.command("movegen")
@click.option("--lexicon", "lexicon_id", required=True, metavar="ID", help="The lexicon whose words count.")
@click.option(
    "--positions",
    "file",
    type=click.File("r", encoding="utf-8"),
    required=True,
    help="A TSV file with the columns cgp, move_number and game.",
)
@click.option(
    "--generators",
    "names",
    default=GENERATOR_NAMES[0],
    show_default=True,
    metavar="A,B",
    help=f"The generators to compare, of: {', '.join(ALL_GENERATOR_NAMES)}.",
)
@click.option("--games", type=click.IntRange(min=1), help="Take only the first so many games of the file.")
@click.option("--repeat", type=click.IntRange(min=1), default=3, show_default=True, help="Passes to measure.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def movegen_command(
    lexicon_id: str, file: IO[str], names: str, games: int | None, repeat: int, as_json: bool
) -> None:
    """Measure full move generation, scores included, per move number of the games.

    Boards are loaded beforehand, game by game. Each game is gone through by one generator after the other,
    in an order that changes, so that all of them meet the same neighbours on the machine; the time of a
    position is the median of its passes.
    """
    lexicon = open_lexicon(lexicon_id)
    chosen = {name: generator(name, lexicon) for name in dict.fromkeys(names.split(","))}
    samples = read_samples(file, lexicon, games)
    measure(samples, lexicon, chosen, repeat)
    report = {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256, "words": lexicon.word_count},
        "processor": processor_name(),
        "positions": len(samples),
        "games": len({sample.game for sample in samples}),
        "passes": repeat,
        "generators": {name: summary(samples, name) for name in chosen},
        "ratios": ratios(samples, list(chosen)),
        "peak_memory_bytes": peak_memory_bytes(),
    }
    if as_json:
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    else:
        print_report(report)


def read_samples(file: IO[str], lexicon: Lexicon, games: int | None) -> list[Sample]:
    """Read the positions of a TSV file; faults name the line."""
    rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    missing = set(FIELDS) - set(rows.fieldnames or ())
    if missing:
        raise click.ClickException(f"{file.name}:1: the heading lacks the column {min(missing)}")
    samples: list[Sample] = []
    seen: set[str] = set()
    for row in rows:
        if games is not None and row["game"] not in seen and len(seen) == games:
            continue
        seen.add(row["game"])
        try:
            position = parse_cgp(row["cgp"], tile_set=lexicon.tile_set)
            position.check()
            samples.append(Sample(int(row["move_number"]), row["game"], position))
        except (EngineError, ValueError, TypeError) as error:
            raise click.ClickException(f"{file.name}:{rows.line_num}: {error}") from None
    if not samples:
        raise click.ClickException(f"{file.name}: holds no position")
    return samples


def measure(samples: list[Sample], lexicon: Lexicon, chosen: dict[str, MoveGenerator], passes: int) -> None:
    """Time every generator on every position, game by game, and note its figures."""
    by_game: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_game[sample.game].append(sample)
    order = list(chosen.items())
    clock = time.perf_counter_ns
    for number in range(passes):
        gc.collect()
        gc.disable()
        try:
            for game in by_game.values():
                boards = [load_board(sample.position, lexicon) for sample in game]
                for name, generate in ((name, each.generate) for name, each in order):
                    for sample, board in zip(game, boards, strict=True):
                        position = sample.position
                        began = clock()
                        plays = generate(board, position.rack, position.rules)
                        sample.nanoseconds[name].append(clock() - began)
                        if number == 0:
                            sample.counts[name] = {**plays.statistics, "plays": len(plays)}
                        del plays
                order = order[1:] + order[:1]
        finally:
            gc.enable()


def load_board(position: Position, lexicon: Lexicon) -> LoadedBoard:
    """Return the board with its cross-check sets, from scratch."""
    return LoadedBoard.load(position.board, position.layout, position.tile_set, lexicon)


def summary(samples: list[Sample], name: str) -> dict[str, Any]:
    """Return the figures of one generator, over all positions and per move number."""
    by_move: dict[int, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_move[sample.move].append(sample)
    return {
        **means(samples, name),
        "per_move": [
            {"move": move, "positions": len(group), **means(group, name)}
            for move, group in sorted(by_move.items())
        ],
    }


def means(samples: list[Sample], name: str) -> dict[str, float | None]:
    """Return the mean microseconds and the mean figures of a generator over some positions."""
    figures: dict[str, float | None] = {
        "mean_us": round(statistics.fmean(position_us(sample, name) for sample in samples), 3)
    }
    for count in COUNTS:
        known = [sample.counts[name][count] for sample in samples if count in sample.counts[name]]
        figures[count] = round(statistics.fmean(known), 2) if known else None
    return figures


def position_us(sample: Sample, name: str) -> float:
    """Return the microseconds of a generator on a position: the median of its passes."""
    return statistics.median(sample.nanoseconds[name]) / 1000


def ratios(samples: list[Sample], names: list[str]) -> dict[str, float]:
    """Return how many times as long as the first generator each of the others took, over the whole run."""
    total = {name: sum(position_us(sample, name) for sample in samples) for name in names}
    return {f"{name}/{names[0]}": round(total[name] / total[names[0]], 3) for name in names[1:]}


def processor_name() -> str:
    """Return the processor's name where Linux tells it, else its architecture."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def peak_memory_bytes() -> int:
    """Return the most memory that this process has held, its share of mapped tables included."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if platform.system() == "Darwin" else used * 1024


def print_report(report: dict[str, Any]) -> None:
    """Print the report for people: one table, a column of times for each generator."""
    generators: dict[str, dict[str, Any]] = report["generators"]
    table = Table(title=f"Full move generation, {report['positions']} positions of {report['games']} games")
    table.add_column("move", justify="right")
    table.add_column("positions", justify="right")
    for name in generators:
        table.add_column(f"{name}\nµs", justify="right", style="bold")
        table.add_column("intervals", justify="right")
        table.add_column("candidates", justify="right")
        table.add_column("plays", justify="right")
    for rows in zip(*(figures["per_move"] for figures in generators.values()), strict=True):
        table.add_row(str(rows[0]["move"]), str(rows[0]["positions"]), *cells(rows))
    table.add_section()
    table.add_row("all", str(report["positions"]), *cells(generators.values()))
    console = Console()
    console.print(table)
    for pair, ratio in report["ratios"].items():
        console.print(f"{pair}: {ratio:.2f} times as long")
    console.print(f"peak memory {report['peak_memory_bytes'] / 2**20:.0f} MiB, {report['passes']} passes")


def cells(rows: Iterable[dict[str, Any]]) -> Iterable[str]:
    """Yield the cells of a line: time and counts of each generator."""
    for row in rows:
        yield f"{row['mean_us']:.1f}"
        for count in COUNTS:
            yield "-" if row[count] is None else f"{row[count]:.0f}"
