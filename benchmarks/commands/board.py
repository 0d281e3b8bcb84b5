"""`kibitz bench board`: what a loaded board costs, from scratch and after a play."""

from __future__ import annotations

import statistics
from typing import IO, TYPE_CHECKING, Any, Final

import click
import orjson
from rich.console import Console

from benchmarks.commands.positions import games_option, positions_option, repeat_option
from engine import InternalWords, InvalidInput
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import json_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from lab.measurements.samples import find_samples

if TYPE_CHECKING:
    from engine import Lexicon, LoadedBoard, Play
    from lab.measurements.samples import Sample

WAYS: Final = ("load", "update", "copy_and_update")
"""Load a board; update it in place after a play, as self-play does; update a copy of it."""


@click.command("board")
@lexicon_option
@positions_option
@games_option
@repeat_option(5)
@json_option
def board_command(
    lexicon_id: str | None, file: IO[str] | None, games: int | None, repeat: int, as_json: bool
) -> None:
    """Measure loading a board, and updating it after the position's best play by score.

    Only the kernel is timed. The time of a position is the median of its passes; each pass goes through all
    positions, so that none is measured with its own data still in the processor's caches. Positions without a
    play are left out.

    \b
    kibitz bench board --games 100
    """
    lexicon = open_lexicon(lexicon_id)
    cases = _cases(find_samples(file, lexicon, games), lexicon)
    if not cases:
        raise InvalidInput("no position has a play", code="bad_positions")
    times: dict[str, list[list[int]]] = {way: [[] for _ in cases] for way in WAYS}
    with steps_progress("Measuring", "passes") as progress:
        for done in range(repeat):
            for way in WAYS:
                for (board, play), taken in zip(cases, times[way], strict=True):
                    taken.append(board.timing(play, way))
            progress(done + 1, repeat)
    report = {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256, "words": lexicon.word_count},
        "positions": len(cases),
        "passes": repeat,
        **summary({way: [statistics.median(taken) for taken in times[way]] for way in WAYS}),
    }
    if as_json:
        click.echo(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    else:
        _print(report)


def _cases(samples: list[Sample], lexicon: Lexicon) -> list[tuple[LoadedBoard, Play]]:
    search = InternalWords(lexicon)
    cases = []
    for sample in samples:
        board = sample.load(lexicon)
        plays = search.best(board, sample.position.rack, sample.position.rules)
        if len(plays):
            cases.append((board, plays.move(0)))
    return cases


def summary(times: dict[str, list[float]]) -> dict[str, Any]:
    """Return median, mean and 95th percentile by way, in microseconds, and the ratio of update to load.

    `times` are nanoseconds by way and position; the ratio is the median of the positions'.
    """
    times_by_way: dict[str, Any] = {}
    for way in WAYS:
        column = sorted(nanoseconds / 1000 for nanoseconds in times[way])
        times_by_way[way] = {
            "median_us": round(statistics.median(column), 3),
            "mean_us": round(statistics.fmean(column), 3),
            "p95_us": round(column[int(0.95 * (len(column) - 1))], 3),
        }
    pairs = zip(times["update"], times["load"], strict=True)
    times_by_way["update_to_load"] = round(statistics.median(update / load for update, load in pairs), 3)
    return times_by_way


def _print(report: dict[str, Any]) -> None:
    rows = [(way.replace("_", " "), *(f"{value:.2f}" for value in report[way].values())) for way in WAYS]
    title = f"Loaded boards of {report['positions']} positions, µs in the kernel"
    console = Console()
    print_table(result_table(title, ("", "median", "mean", "95 %"), rows), console)
    console.print(f"update / load: {report['update_to_load']:.3f}")
