"""`kibitz preendgame`: the move that wins most often with one to six tiles in the bag."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click
import orjson
from rich.console import Console
from rich.text import Text

from engine import (
    PREENDGAME_OPPONENTS,
    Budget,
    Deadline,
    EndgameSolver,
    InvalidInput,
    Play,
    Player,
    PreendgameOptions,
    PreendgamePlan,
    PreendgameSolver,
    as_proven,
    format_move,
    parse_move,
    prove_draws,
)
from kibitz.cli import EXIT_INTERRUPTED
from kibitz.cli.board import board_text, players_text
from kibitz.cli.certificates import check_one_position, proof_option, write_proof
from kibitz.cli.interruption import until_interrupted
from kibitz.cli.lexicons import takes_position
from kibitz.cli.options import json_option, max_ms_option, nodes_option, table_option
from kibitz.cli.search_tables import PREENDGAME_LEGEND, live_search, preendgame_table, preendgame_terms
from kibitz.cli.tables import print_table

if TYPE_CHECKING:
    from pathlib import Path

    from engine import Lexicon, Position, PreendgameMove, PreendgameResult


@click.command("preendgame")
@takes_position
@click.option(
    "--opponent",
    type=click.Choice(PREENDGAME_OPPONENTS),
    default=PREENDGAME_OPPONENTS[0],
    show_default=True,
    help="What the opponent knows. rational: its own rack, and it plays what wins most often for it; "
    "pessimistic: all tiles, and so do we after the first move; guaranteed: all tiles, and we do not. With "
    "more than two tiles in the bag both sides play by static equity.",
)
@click.option("--hide-opponent", is_flag=True, help="Ignore the opponent's rack if the CGP gives it.")
@click.option(
    "--candidates",
    type=click.IntRange(0),
    help="Search only the top N moves by equity (0 = all). [default: all with one tile in the bag, else 40]",
)
@click.option(
    "--move", "only", multiple=True, metavar="MOVE", help='Search only this play ("8D WORD"); repeatable.'
)
@click.option(
    "--draws",
    type=click.IntRange(2, 1_000_000),
    default=200,
    show_default=True,
    help="Draws to sample with more than two tiles in the bag.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the random draws.")
@max_ms_option(30_000)
@nodes_option()
@table_option(16)
@click.option(
    "--top", type=click.IntRange(1), default=10, show_default=True, help="Number of moves to print."
)
@proof_option
@json_option
@click.pass_context
def preendgame_command(
    context: click.Context,
    position: Position,
    lexicon: Lexicon,
    opponent: str,
    hide_opponent: bool,
    candidates: int | None,
    only: tuple[str, ...],
    draws: int,
    seed: int,
    max_ms: int,
    nodes: int | None,
    table_mb: int,
    top: int,
    proof: Path | None,
    as_json: bool,
) -> None:
    """Find the move that wins most often with one to six tiles in the bag.

    CGP is the position, "-" reads it from standard input. With one or two tiles in the bag, every draw is
    tried and the endgame after it solved: win% is exact, or between bounds if the time was up. Draws from
    larger bags are sampled, and both sides play by static equity until the bag is empty: win% is an estimate
    with a standard error, or counted for a move that empties the bag if all draws were examined. Exchanges
    are not searched: the answer says where the rules allow them, and calls the win% of a move after which
    they are allowed an estimate. One tile in the bag takes seconds, two take minutes; Ctrl-C ends the search
    and shows its result so far.

    --proof writes a certificate of how often the first move wins: for each draw the answers of the side that
    wins to every move of the other side. The move must empty the bag. A short program confirms it by the
    rules alone (kibitz experiment check-proof). It has at most 200,000 answers.

    \b
    kibitz preendgame "CGP"
    kibitz preendgame "CGP" --opponent pessimistic --hide-opponent --max-ms 60000
    kibitz preendgame "CGP" --move "8D WORD" --move "C2 GA.P"
    kibitz preendgame "CGP" --proof FILE
    """
    check_one_position(context)
    if hide_opponent and len(position.players) > 1:
        own, other, *rest = position.players
        position = replace(position, players=(own, Player(other.score), *rest))
    most = PreendgamePlan().candidates_for(position) if candidates is None else candidates or None
    options = PreendgameOptions(opponent, candidates=most, only=plays(only, position), draws=draws, seed=seed)
    solver = PreendgameSolver(lexicon, table_mb=table_mb)
    budget = Budget(nodes=nodes)
    deadline = Deadline.after(max_ms)
    with live_search(position) as progress:
        result, interrupted = until_interrupted(
            lambda: as_proven(
                solver.solve(position, budget, options, deadline=deadline, progress=progress), position
            ),
            deadline,
        )
    if as_json:
        click.echo(orjson.dumps(report(result, position), option=orjson.OPT_INDENT_2))
    else:
        show(position, result, Console(), top)
    prove = partial(prove_draws, EndgameSolver(lexicon, table_mb=table_mb), position, result.best.move)
    if interrupted or (proof and not write_proof(proof, prove)):
        context.exit(EXIT_INTERRUPTED)


def plays(texts: tuple[str, ...], position: Position) -> tuple[Play, ...]:
    """Read the plays to search; raise InvalidInput for a move that is not a play."""
    found = []
    for text in texts:
        move = parse_move(text, position.board, position.tile_set)
        if not isinstance(move, Play):
            raise InvalidInput(f"{text} is not a play", code="bad_move", field="move")
        found.append(move)
    return tuple(found)


def report(result: PreendgameResult, position: Position) -> dict[str, Any]:
    """Return the result as JSON values, with moves in the notation of CGP."""
    text = position.tile_set.alphabet.text

    def entry(move: PreendgameMove) -> dict[str, Any]:
        return {
            "move": format_move(move.move, position.tile_set),
            "score": move.score,
            "equity": round(move.equity, 3),
            "win_pct": None if move.certainty == "bounds" else round(move.win_pct, 4),
            "lower": round(move.lower, 4),
            "upper": round(move.upper, 4),
            "standard_error": None if move.standard_error is None else round(move.standard_error, 4),
            "spread": round(move.spread, 4),
            "spread_exact": move.spread_exact,
            "draws": move.draws,
            "draws_settled": move.draws_settled,
            "certainty": move.certainty,
            "stopped": move.stopped,
            "by_draw": [
                {
                    "bag": "".join("?" if code == 0 else text([code]) for code in draw.bag),
                    "weight": draw.weight,
                    "lower": draw.lower,
                    "upper": draw.upper,
                }
                for draw in move.by_draw
            ],
        }

    return {
        "opponent": result.opponent,
        "bag_count": result.bag_count,
        "best": format_move(result.best.move, position.tile_set),
        "best_proven": result.best_proven,
        "moves": [entry(move) for move in result.moves],
        "pruned": [format_move(move, position.tile_set) for move in result.pruned],
        "exchanges_left_out": result.exchanges,
        "endgames": result.endgames,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 4),
    }


def show(position: Position, result: PreendgameResult, console: Console, top: int) -> None:
    """Print the position and the best moves."""
    console.print(board_text(position), soft_wrap=True)
    console.print()
    console.print(players_text(position))
    console.print()
    print_table(preendgame_table(result, position, top), console)
    console.print(PREENDGAME_LEGEND, style="dim")
    console.print()
    terms = preendgame_terms(
        len(result.moves), len(result.pruned), result.opponent, result.best_proven, result.exchanges
    )
    console.print(Text(terms))
    console.print(
        Text(f"  {result.endgames:,} endgames, {result.nodes:,} positions in {result.seconds:.2f} s", "dim")
    )
