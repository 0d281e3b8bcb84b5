"""`kibitz bench endgame`: how many endgames of self-play games are proven, and in what time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import orjson
from rich.console import Console
from rich.table import Table

from benchmarks.measurements.endgame import endgames, full_racks, published_endgames, solve_all, summary
from engine import PLAYERS, Budget, GameSetup, format_cgp, format_move
from service.cli.endgame import report
from service.cli.lexicons import open_lexicon
from service.cli.options import nodes_option, seconds_option, table_option
from service.cli.progress import steps_progress
from service.cli.tables import print_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.measurements.endgame import Published
    from engine import EndgameResult, Lexicon


@click.command("endgame")
@click.option("--lexicon", "lexicon_id", required=True, metavar="ID", help="The lexicon whose words count.")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="How many games; with --full-racks, endgames.",
)
@click.option(
    "--full-racks",
    "full",
    is_flag=True,
    help="Only endgames of full racks on both sides (seven against seven), from as many games as that takes.",
)
@click.option(
    "--published",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Solve published endgames instead: a file of JSON objects, one a line, {name, cgp, value, note}.",
)
@click.option(
    "--ending",
    default="passes_each 1;",
    show_default=True,
    metavar="CGP",
    help="With --published: operations added to each position. As given, two passes in a row end the game.",
)
@click.option(
    "--player", type=click.Choice(PLAYERS), default="static", show_default=True, help="Who plays the games."
)
@seconds_option(10.0, "For each endgame.")
@nodes_option("Positions searched at most for each endgame.")
@table_option(64)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, every endgame in it.")
def endgame_bench_command(
    lexicon_id: str,
    games: int,
    full: bool,
    published: Path | None,
    ending: str,
    player: str,
    seconds: float,
    nodes: int | None,
    table_mb: int,
    as_json: bool,
) -> None:
    """Solve the first turn with an empty bag of self-play games, seeds 1, 2, 3, ..., none skipped.

    One core, one transposition table. The time to the best move is that after which it did not change.

    \b
    kibitz bench endgame --lexicon scowl80 --full-racks --games 50 --seconds 10
    """
    lexicon = open_lexicon(lexicon_id)

    def budget() -> Budget:
        return Budget(nodes, seconds)

    if published:
        compare_with_published(published, ending, lexicon, budget, table_mb, as_json)
        return
    positions = endgames(GameSetup.of(lexicon), player, games, full)
    with steps_progress("Solving", "endgames") as progress:
        results = solve_all(lexicon, positions, budget, table_mb, lambda done: progress(done, games))
    figures: dict[str, Any] = {
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
        figures["results"] = [
            {"cgp": format_cgp(position), **report(result, position)}
            for position, result in zip(positions, results, strict=True)
            if position is not None and result is not None
        ]
        click.echo(orjson.dumps(figures, option=orjson.OPT_INDENT_2))
        return
    show(figures, Console())


def compare_with_published(
    path: Path, ending: str, lexicon: Lexicon, budget: Callable[[], Budget], table_mb: int, as_json: bool
) -> None:
    """Solve published endgames and print what was claimed beside what is proven."""
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
    table = Table(title=f"published endgames, {lexicon.id}, {ending or 'rules as they stand'}")
    for name in ("", "published", "value", "proven", "best move", "positions", "seconds", "verdict"):
        table.add_column(name, justify="left" if name in ("", "best move", "verdict") else "right")
    for row, result in solved:
        table.add_row(
            row.name,
            f"{row.value:+d}",
            f"{result.value:+d}",
            f"{result.lower:+d} to {result.upper:+d}",
            format_move(result.best, row.position.tile_set),
            f"{result.nodes:,}",
            f"{result.seconds:.2f}",
            verdict(row, result),
        )
    print_table(table)


def verdict(row: Published, result: EndgameResult) -> str:
    """Return in a word what was found of a published value."""
    if not result.lower <= row.value <= result.upper:
        return "refuted"
    return "confirmed" if result.certainty == "exact" else "open"


def show(figures: dict[str, Any], console: Console) -> None:
    """Print the figures for people."""
    table = Table(title=f"{figures['endgames']} endgames, {figures['seconds_each']:g} s each")
    table.add_column("proven by")
    table.add_column("share", justify="right")
    for limit, share in figures["proven"].items():
        table.add_row("the end" if limit == "all" else f"{limit} s", f"{100 * share:.1f} %")
    print_table(table, console)
    full = figures["full_racks"]
    console.print(f"full racks on both sides: {full['endgames']}, proven {100 * full['proven']:.1f} %")
    table = Table()
    table.add_column("")
    for name in ("median", "90 %", "most"):
        table.add_column(name, justify="right")
    for name in (
        "nodes",
        "seconds",
        "best_move_seconds",
        "best_move_seconds_where_proven",
        "overshoot_seconds",
        "bounds_width",
        "table_filled",
    ):
        if figures[name]:
            table.add_row(name.replace("_", " "), *(f"{value:,.4g}" for value in figures[name].values()))
    print_table(table, console)
    without = figures["games_without"]
    console.print(
        f"{figures['nodes_per_second']:,} nodes a second; {figures['peak_memory_mb']:g} MB at most, of these"
        f" {figures['table_mb']} of table; {without} games without an empty bag"
    )
