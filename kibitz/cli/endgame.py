"""`kibitz endgame`: solve a position with an empty bag."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click
import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from engine import Budget, Deadline, EndgameSolver, format_move, prove_endgame
from kibitz.cli import EXIT_INTERRUPTED
from kibitz.cli.board import board_text, players_text
from kibitz.cli.certificates import check_one_position, proof_option, write_proof
from kibitz.cli.interruption import until_interrupted
from kibitz.cli.lexicons import takes_position
from kibitz.cli.options import json_option, max_ms_option, nodes_option, table_option
from kibitz.cli.search_tables import ending_text, live_search
from kibitz.cli.tables import print_table

if TYPE_CHECKING:
    from pathlib import Path

    from engine import EndgameResult, Lexicon, Move, Position


@click.command("endgame")
@takes_position
@max_ms_option(10_000)
@nodes_option()
@table_option(64)
@click.option(
    "--threads",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    help="2: search for the lower and the upper bound at the same time. A proven value is the same, but of "
    "equally good moves another may be found.",
)
@proof_option
@json_option
@click.pass_context
def endgame_command(
    context: click.Context,
    position: Position,
    lexicon: Lexicon,
    max_ms: int,
    nodes: int | None,
    table_mb: int,
    threads: int,
    proof: Path | None,
    as_json: bool,
) -> None:
    """Solve an endgame: find the best play of both sides once the bag is empty.

    CGP is the position, "-" reads it from standard input; if it lacks the opponent's rack, that is the unseen
    tiles. The value is the change of the spread (own points minus the opponent's) until the end of the game,
    for the player on turn. Append "passes_each 1;" to the CGP for a game that ends after two passes.

    A value is called exact only if it is proven; otherwise it is an estimate between two proven bounds. Most
    endgames are solved within a second, a few need more than ten. Ctrl-C ends the search and shows its result
    so far.

    --proof writes a certificate: for each side its answers to every move of the other side. A short program
    confirms the value with it, by the rules alone (kibitz experiment check-proof). It has at most 200,000
    answers: endgames with up to ten tiles on both racks usually fit, larger ones if a side soon goes out.

    \b
    kibitz endgame "CGP"
    kibitz endgame "CGP passes_each 1;" --max-ms 60000 --table-mb 512 --threads 2
    kibitz endgame "CGP" --json
    kibitz endgame "CGP" --proof FILE
    """
    check_one_position(context)
    solver = EndgameSolver(lexicon, table_mb=table_mb, threads=threads)
    budget = Budget(nodes=nodes)
    deadline = Deadline.after(max_ms)
    with live_search(position) as progress:
        result, interrupted = until_interrupted(
            lambda: solver.solve(position, budget, deadline=deadline, progress=progress), deadline
        )
    if as_json:
        click.echo(orjson.dumps(report(result, position), option=orjson.OPT_INDENT_2))
    else:
        show(position, result, Console())
    prove = partial(prove_endgame, solver, position, result)
    if interrupted or (proof and not write_proof(proof, prove)):
        context.exit(EXIT_INTERRUPTED)


def report(result: EndgameResult, position: Position) -> dict[str, Any]:
    """Return the result as JSON values, with moves in the notation of CGP."""
    return {
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
    """Print the position, its value, and the best line of play."""
    console.print(board_text(position), soft_wrap=True)
    console.print()
    console.print(players_text(position))
    console.print()
    best = _shown(result.best, position)
    unsolved = "bound" if result.value == result.lower else "estimate"
    certainty = "exact" if result.certainty == "exact" else unsolved
    ending = ending_text(result.final_spread, certainty)
    console.print(Text(f"  {best} {ending}", "bold"))
    if result.certainty == "exact":
        console.print(Text(f"  value {result.value:+d}: the change of the spread until the end of the game"))
    else:
        now = result.final_spread - result.value
        bounds = f"proven: from {now + result.lower:+d} to {now + result.upper:+d} at the end"
        console.print(Text(f"  {bounds}" + ("; this move is the best" if result.best_proven else "")))
    table = Table()
    for name in ("", "move", "points", "scores"):
        table.add_column(name, justify="right" if name == "points" else "left")
    for made in result.line:
        who = "on turn" if made.player == 0 else "other"
        cells = (who, _shown(made.move, position), str(made.score), "{} : {}".format(*made.scores))
        table.add_row(*map(Text, cells))
    print_table(table, console)
    if not result.line_complete:
        console.print("  and so on", style="dim")
    filled = f", table {result.table_entries:,} of {result.table_capacity:,}" if result.table_capacity else ""
    console.print(
        Text(f"  {result.nodes:,} positions to depth {result.depth} in {result.seconds:.2f} s{filled}", "dim")
    )


def _shown(move: Move, position: Position) -> str:
    text = format_move(move, position.tile_set)
    return "pass" if text == "-" else text
