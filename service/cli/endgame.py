"""`kibitz endgame`: the best play of both sides when the bag is empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from engine import ENDGAME_METHODS, Budget, EndgameSolver, format_move
from service.cli import EXIT_INTERRUPTED
from service.cli.board import board_text, players_text
from service.cli.interruption import until_interrupted
from service.cli.lexicons import takes_position
from service.cli.options import max_ms_option, nodes_option, table_option
from service.cli.search_tables import ending_text, live_search
from service.cli.tables import print_table

if TYPE_CHECKING:
    from engine import EndgameResult, Lexicon, Position


@click.command("endgame")
@takes_position
@click.option(
    "--method",
    type=click.Choice(ENDGAME_METHODS),
    default=ENDGAME_METHODS[0],
    show_default=True,
    help="exact proves; bstar proves the best move, plans estimates: both slow, to compare with.",
)
@max_ms_option(10_000)
@nodes_option()
@table_option(64)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.pass_context
def endgame_command(
    context: click.Context,
    position: Position,
    lexicon: Lexicon,
    method: str,
    max_ms: int,
    nodes: int | None,
    table_mb: int,
    as_json: bool,
) -> None:
    """Solve the endgame of a position: bag empty, both racks known.

    CGP is the position ("-" reads it from standard input); a rack left out is what is unseen. The value is
    the change of the spread (own points less the other side's) to the end of the game, in points, for the
    player on turn, under the rules of the position: append "passes_each 1;" for a game that two passes end.
    "exact" is said only of what is proven; otherwise the value is an estimate between two bounds that are
    proven. Ctrl-C ends the search with what is known.

    \b
    kibitz endgame "CGP"
    kibitz endgame "CGP passes_each 1;" --max-ms 60000 --table-mb 512
    kibitz endgame "CGP" --method plans --json
    """
    solver = EndgameSolver(lexicon, table_mb=table_mb)
    budget = Budget(nodes, max_ms / 1000)
    with live_search(position) as progress:
        result, interrupted = until_interrupted(
            lambda: solver.solve(position, budget, method=method, progress=progress), budget.deadline
        )
    if as_json:
        click.echo(orjson.dumps(report(result, position), option=orjson.OPT_INDENT_2))
    else:
        show(position, result, Console())
    if interrupted:
        context.exit(EXIT_INTERRUPTED)


def report(result: EndgameResult, position: Position) -> dict[str, Any]:
    """Return an answer as JSON takes it; moves in CGP's notation."""
    return {
        "method": result.method,
        "best": format_move(result.best, position.tile_set),
        "best_proven": result.best_proven,
        "certainty": result.certainty,
        "value": result.value,
        "lower": result.lower,
        "upper": result.upper,
        "final_spread": result.final_spread,
        "line": [
            {
                "player": made.player,
                "move": format_move(made.move, position.tile_set),
                "score": made.score,
                "scores": list(made.scores),
            }
            for made in result.line
        ],
        "line_complete": result.line_complete,
        "depth": result.depth,
        "nodes": result.nodes,
        "table": {"entries": result.table_entries, "capacity": result.table_capacity},
        "seconds": round(result.seconds, 4),
        "best_seconds": round(result.best_seconds, 4),
    }


def show(position: Position, result: EndgameResult, console: Console) -> None:
    """Print the position, its value, and the line."""
    console.print(board_text(position), soft_wrap=True)
    console.print()
    console.print(players_text(position))
    console.print()
    best = format_move(result.best, position.tile_set)
    at_least = result.value == result.lower and result.method != "plans"
    certainty = "exact" if result.certainty == "exact" else "bound" if at_least else "estimate"
    ending = ending_text(result.final_spread, certainty)
    console.print(Text(f"  {'pass' if best == '-' else best} {ending}", "bold"))
    if result.certainty == "exact":
        console.print(Text(f"  value {result.value:+d}: so much the spread changes from here"))
    else:
        now = result.final_spread - result.value
        bounds = f"proven: from {now + result.lower:+d} to {now + result.upper:+d} at the end"
        console.print(Text(f"  {bounds}" + ("; this move is the best" if result.best_proven else "")))
    table = Table(box=None, pad_edge=True)
    for name in ("", "move", "points", "scores"):
        table.add_column(name, justify="right" if name == "points" else "left")
    for made in result.line:
        who = "on turn" if made.player == 0 else "other"
        move = format_move(made.move, position.tile_set)
        cells = (who, "pass" if move == "-" else move, str(made.score), "{} : {}".format(*made.scores))
        table.add_row(*map(Text, cells))
    print_table(table, console)
    if not result.line_complete:
        console.print("  and so on", style="dim")
    filled = f", table {result.table_entries:,} of {result.table_capacity:,}" if result.table_capacity else ""
    console.print(
        Text(f"  {result.nodes:,} positions to depth {result.depth} in {result.seconds:.2f} s{filled}", "dim")
    )
