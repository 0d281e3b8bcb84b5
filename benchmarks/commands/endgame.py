"""`kibitz bench endgame`: how many endgames of self-play games are solved, and how fast."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import orjson
from rich.console import Console

from benchmarks.measurements.endgame import (
    endgames,
    full_racks,
    published_endgames,
    solve_all,
    spread,
    summary,
)
from benchmarks.measurements.processor_time import processor_deadline
from engine import Budget, GameSetup, format_cgp, format_move
from kibitz.cli.endgame import report
from kibitz.cli.lexicons import open_lexicon
from kibitz.cli.options import nodes_option, seconds_option, table_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.train import player_option
from lab.endgame import METHODS
from lab.endgame.comparison import compared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.measurements.endgame import Published
    from engine import EndgameResult, Lexicon, Position
    from lab.endgame.comparison import Compared


DEFAULT_SECONDS: Final = 10.0
DISTRIBUTIONS: Final = (
    "nodes",
    "seconds",
    "best_move_seconds",
    "best_move_seconds_where_proven",
    "overshoot_seconds",
    "bounds_width",
    "table_filled",
)
"""The parts of the summary that are distributions over endgames."""


@click.command("endgame")
@click.option("--lexicon", "lexicon_id", required=True, metavar="ID", help="The lexicon whose words count.")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Number of games; with --full-racks, of games with such an endgame.",
)
@click.option(
    "--full-racks",
    "full",
    is_flag=True,
    help="Only endgames with full racks on both sides (seven tiles against seven).",
)
@click.option(
    "--published",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Solve published endgames instead: a file with a JSON object {name, cgp, value, note} in each line.",
)
@click.option(
    "--ending",
    default="passes_each 1;",
    show_default=True,
    metavar="CGP",
    help="With --published: CGP operations added to each position; by default two passes end the game.",
)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    help="Solve by a method of the literature within --seconds of processor time, and prove what it says.",
)
@player_option
@seconds_option(DEFAULT_SECONDS, "Time limit of each endgame.")
@nodes_option("Node limit of each endgame: positions searched.")
@table_option(64)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, every endgame in it.")
def endgame_bench_command(
    lexicon_id: str,
    games: int,
    full: bool,
    published: Path | None,
    ending: str,
    method: str | None,
    player: str,
    seconds: float,
    nodes: int | None,
    table_mb: int,
    as_json: bool,
) -> None:
    """Solve the first position with an empty bag of each of many self-play games (seeds 1, 2, 3, ...).

    Uses one core and one transposition table. The time to the best move is the time after which the best
    move did not change any more. Takes up to --games times --seconds: with the defaults about ten minutes.

    \b
    kibitz bench endgame --lexicon scowl80 --full-racks --games 50 --seconds 10
    """
    lexicon = open_lexicon(lexicon_id)
    budget = Budget(seconds, nodes)
    if published and not method:
        compare_with_published(published, ending, lexicon, budget, table_mb, as_json)
        return
    positions: Sequence[Position | None] = (
        [row.position for row in published_endgames(published, lexicon, ending)]
        if published
        else endgames(GameSetup.of(lexicon), player, games, full)
    )
    if method:
        compare_with_proof(positions, lexicon, method, budget, table_mb, as_json)
        return
    with steps_progress("Solving", "endgames") as progress:
        results = solve_all(lexicon, positions, budget, table_mb, lambda done: progress(done, games))
    measured: dict[str, Any] = {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256, "words": lexicon.word_count},
        "player": player,
        "full_racks_only": full,
        "seconds_each": seconds,
        "nodes_each": nodes,
        "table_mb": table_mb,
        **summary(results, seconds),
        "full_racks": full_racks(positions, results),
    }
    if as_json:
        measured["results"] = [
            {"cgp": format_cgp(position), **report(result, position)}
            for position, result in zip(positions, results, strict=True)
            if position is not None and result is not None
        ]
        click.echo(orjson.dumps(measured, option=orjson.OPT_INDENT_2))
        return
    show(measured, Console())


def compare_with_published(
    path: Path, ending: str, lexicon: Lexicon, budget: Budget, table_mb: int, as_json: bool
) -> None:
    """Solve published endgames; print the published value beside the proven one."""
    rows = published_endgames(path, lexicon, ending)
    with steps_progress("Solving", "endgames") as progress:
        results = solve_all(
            lexicon,
            [row.position for row in rows],
            budget,
            table_mb,
            lambda done: progress(done, len(rows)),
        )
    solved = [(row, result) for row, result in zip(rows, results, strict=True) if result is not None]
    if as_json:
        listed = [
            {"name": row.name, "published": row.value, "note": row.note, **report(result, row.position)}
            for row, result in solved
        ]
        click.echo(orjson.dumps(listed, option=orjson.OPT_INDENT_2))
        return
    rows_shown = [
        (
            row.name,
            f"{row.value:+d}",
            f"{result.value:+d}",
            f"{result.lower:+d} to {result.upper:+d}",
            format_move(result.best, row.position.tile_set),
            f"{result.nodes:,}",
            f"{result.seconds:.2f}",
            verdict(row, result),
        )
        for row, result in solved
    ]
    title = f"Published endgames, {lexicon.id}, {ending or 'rules as they stand'}"
    headings = ("", "published", "value", "proven", "best move", "positions", "seconds", "verdict")
    print_table(result_table(title, headings, rows_shown, text=("best move", "verdict")))


def compare_with_proof(
    positions: Sequence[Position | None],
    lexicon: Lexicon,
    method: str,
    budget: Budget,
    table_mb: int,
    as_json: bool,
) -> None:
    """Solve endgames by a method of the literature; print, by tiles, what the engine proves of it."""
    seconds, solved = budget.seconds or DEFAULT_SECONDS, [one for one in positions if one is not None]
    timed = partial(processor_deadline, seconds)
    found: list[Compared] = []
    with steps_progress("Solving", "endgames") as progress:
        for position in solved:
            found.append(compared(lexicon, position, method, timed, budget.nodes, table_mb))
            progress(len(found), len(solved))
    tiles = {str(n): [one for one in found if one.tiles == n] for n in sorted({one.tiles for one in found})}
    counts = {name: counted(group) for name, group in {**tiles, "all": found}.items()}
    if as_json:
        answer = {
            "lexicon": lexicon.id,
            "method": method,
            "seconds_each": seconds,
            "nodes_each": budget.nodes,
            "by_tiles": counts,
            "results": [
                {"cgp": format_cgp(position), **asdict(one)}
                for position, one in zip(solved, found, strict=True)
            ],
        }
        click.echo(orjson.dumps(answer, option=orjson.OPT_INDENT_2))
        return
    rows = [(name, *(f"{value:,.4g}" for value in count.values())) for name, count in counts.items()]
    headings = ("tiles", *(name.replace("_", " ") for name in counts["all"]))
    print_table(result_table(f"{method}, {lexicon.id}, {seconds:g} s each", headings, rows))


def counted(found: list[Compared]) -> dict[str, float]:
    """Count endgames: settled, move proven to be a best one, contradictions; points lost, median seconds."""
    return {
        "endgames": len(found),
        "settled": sum(one.settled for one in found),
        "best_move": sum(one.best for one in found),
        "contradictions": sum(one.contradicts for one in found),
        "points_lost": sum(one.loss for one in found),
        "median_seconds": spread([one.seconds for one in found]).get("median", 0.0),
    }


def verdict(row: Published, result: EndgameResult) -> str:
    """Return whether a published value is "confirmed", "refuted" or "open"."""
    if not result.lower <= row.value <= result.upper:
        return "refuted"
    return "confirmed" if result.certainty == "exact" else "open"


def show(report: dict[str, Any], console: Console) -> None:
    """Print the report as tables."""
    title = f"{report['endgames']} endgames, {report['seconds_each']:g} s each"
    proven = [
        ("the end" if limit == "all" else f"{limit} s", f"{100 * share:.1f} %")
        for limit, share in report["proven"].items()
    ]
    print_table(result_table(title, ("solved by", "share"), proven), console)
    full = report["full_racks"]
    console.print(f"full racks on both sides: {full['endgames']}, solved {100 * full['proven']:.1f} %")
    rows = [
        (name.replace("_", " "), *(f"{value:,.4g}" for value in report[name].values()))
        for name in DISTRIBUTIONS
        if report[name]
    ]
    print_table(result_table("Distribution over endgames", ("", "median", "90 %", "max"), rows), console)
    without = report["games_without"]
    console.print(
        f"{report['nodes_per_second']:,} nodes a second; {report['peak_memory_mb']:g} MB at most, of these"
        f" {report['table_mb']} of table; {without} games without an empty bag"
    )
