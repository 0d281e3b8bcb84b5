"""`kibitz bench endgame`: how many endgames of self-play games are proven, and how soon."""

from __future__ import annotations

from typing import Any

import click
import orjson
from rich.console import Console
from rich.table import Table

from engine import PLAYERS, Budget, GameSetup, first_endgames, format_cgp
from service.benchmarks.endgame import full_racks, solve_all, summary
from service.cli.endgame import report
from service.cli.lexica import open_lexicon
from service.cli.progress import steps_progress


@click.command("endgame")
@click.option("--lexicon", "lexicon_id", required=True, metavar="ID", help="The lexicon whose words count.")
@click.option("--games", type=click.IntRange(min=1), default=200, show_default=True, help="How many games.")
@click.option(
    "--player", type=click.Choice(PLAYERS), default="static", show_default=True, help="Who plays the games."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    help="For each endgame.",
)
@click.option("--nodes", type=click.IntRange(min=1), help="Positions searched at most for each endgame.")
@click.option(
    "--table-mb", type=click.IntRange(1, 65536), default=64, show_default=True, help="Transposition table."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, every endgame in it.")
def endgame_bench_command(
    lexicon_id: str, games: int, player: str, seconds: float, nodes: int | None, table_mb: int, as_json: bool
) -> None:
    """Solve the first turn with an empty bag of self-play games, seeds 1, 2, 3, ..., none skipped.

    One core, one transposition table. The time to the best move is that after which it did not change.
    """
    lexicon = open_lexicon(lexicon_id)
    positions = list(first_endgames(GameSetup.of(lexicon), player, games))
    with steps_progress("Solving", "endgames") as progress:
        results = solve_all(
            lexicon, positions, lambda: Budget(nodes, seconds), table_mb, lambda done: progress(done, games)
        )
    figures: dict[str, Any] = {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256, "words": lexicon.word_count},
        "player": player,
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


def show(figures: dict[str, Any], console: Console) -> None:
    """Print the figures for people."""
    table = Table(title=f"{figures['endgames']} endgames, {figures['seconds_each']:g} s each")
    table.add_column("proven by")
    table.add_column("share", justify="right")
    for limit, share in figures["proven"].items():
        table.add_row("the end" if limit == "all" else f"{limit} s", f"{100 * share:.1f} %")
    console.print(table)
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
    console.print(table)
    without = figures["games_without"]
    console.print(f"{figures['nodes_per_second']:,} nodes a second; {without} games without an empty bag")
