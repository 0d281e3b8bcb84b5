"""`kibitz preendgame`: which move wins most often with one to six tiles in the bag."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import orjson
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from engine import (
    PREENDGAME_OPPONENTS,
    Budget,
    InvalidInput,
    Play,
    Player,
    PreendgameOptions,
    PreendgameSolver,
    format_move,
    parse_cgp,
    parse_move,
    read_operations,
)
from service.cli.board_view import board_text, players_text
from service.cli.lexica import open_lexicon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine import Position, PreendgameMove, PreendgameResult


@click.command("preendgame")
@click.argument("cgp")
@click.option(
    "--lexicon", "lexicon_id", metavar="ID", help="The lexicon; otherwise the CGP's, or the default one."
)
@click.option(
    "--opponent",
    type=click.Choice(PREENDGAME_OPPONENTS),
    default=PREENDGAME_OPPONENTS[0],
    show_default=True,
    help="rational: sees its own rack, takes what wins most often for it; pessimistic: sees everything, and "
    "so do we from then on; guaranteed: sees everything, and we do not.",
)
@click.option(
    "--hide-opponent", is_flag=True, help="Take the other rack as unknown even if the position gives it."
)
@click.option(
    "--candidates",
    type=click.IntRange(0),
    default=40,
    show_default=True,
    help="How many moves to look at, the best by equity; 0 for all.",
)
@click.option(
    "--move", "only", multiple=True, metavar="MOVE", help='Look at this play only ("8D WORD"); repeatable.'
)
@click.option(
    "--draws",
    type=click.IntRange(2, 1_000_000),
    default=200,
    show_default=True,
    help="With more than two tiles in the bag: how many draws to sample.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the sampled draws.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    help="When to stop; what is known by then is the answer.",
)
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    help="Stop after so many positions of endgames: the answer repeats exactly.",
)
@click.option(
    "--table-mb",
    type=click.IntRange(1, 65536),
    default=16,
    show_default=True,
    help="Megabytes of the endgames' transposition table.",
)
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many moves to print.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, all moves and draws, instead of a table.")
def preendgame_command(
    cgp: str,
    lexicon_id: str | None,
    opponent: str,
    hide_opponent: bool,
    candidates: int,
    only: tuple[str, ...],
    draws: int,
    seed: int,
    seconds: float,
    nodes: int | None,
    table_mb: int,
    top: int,
    as_json: bool,
) -> None:
    """Find the move that wins most often with one to six tiles in the bag.

    CGP is the position ("-" reads it from standard input). With one or two tiles in the bag every draw is
    looked at and the endgame beneath it solved: win% is exact, or bounded where the time was up. Larger bags
    are sampled, with static play until the bag is empty: an estimate with its standard error. Exchanges are
    not looked at.
    """
    if cgp == "-":
        cgp = sys.stdin.read().strip()
    lexicon = open_lexicon(lexicon_id or dict(read_operations(cgp)).get("lex"))
    position = parse_cgp(cgp, tile_set=lexicon.tile_set, lexicon=lexicon.id)
    position.check()
    if hide_opponent and len(position.players) > 1:
        own, other, *rest = position.players
        position = replace(position, players=(own, Player(other.score), *rest))
    options = PreendgameOptions(
        opponent, candidates=candidates or None, only=plays(only, position), draws=draws, seed=seed
    )
    solver = PreendgameSolver(lexicon, table_mb=table_mb)
    with live_table(position) as progress:
        result = solver.solve(position, Budget(nodes, seconds), options, progress=progress)
    if as_json:
        click.echo(orjson.dumps(report(result, position), option=orjson.OPT_INDENT_2))
    else:
        show(position, result, Console(), top)


def plays(texts: tuple[str, ...], position: Position) -> tuple[Play, ...]:
    """Read the moves to look at; raises InvalidInput for one that is no play."""
    found = []
    for text in texts:
        move = parse_move(text, position.board, position.tile_set)
        if not isinstance(move, Play):
            raise InvalidInput(f"{text} is no play", code="bad_move", field="move")
        found.append(move)
    return tuple(found)


@contextmanager
def live_table(position: Position) -> Iterator[Callable[[PreendgameResult], None] | None]:
    """Show the best moves so far on standard error; off a terminal, nothing."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with Live(console=console, transient=True, refresh_per_second=4) as live:
        yield lambda now: live.update(table_of(now, position, 10))


def table_of(result: PreendgameResult, position: Position, top: int) -> Table:
    """Make a table of the best moves."""
    table = Table(box=None, pad_edge=True)
    for name in ("move", "points", "win%", "at least", "at most", "spread", "draws", ""):
        table.add_column(name, justify="left" if name in ("move", "") else "right")
    for move in result.moves[:top]:
        text = format_move(move.move, position.tile_set)
        sampled = move.certainty == "estimate"
        bounds = ("", "") if sampled else (f"{move.lower:.2f}", f"{move.upper:.2f}")
        draws = str(move.draws) if sampled else f"{move.draws_settled}/{move.draws}"
        sure = "" if move.spread_exact else "~"
        note = f"± {move.standard_error:.2f}" if move.standard_error is not None else move.certainty
        cells = (
            "pass" if text == "-" else text,
            str(move.score),
            f"{move.win_pct:.2f}",
            *bounds,
            f"{sure}{move.spread:+.2f}",
            draws,
            "not the best" if move.stopped else note,
        )
        table.add_row(*map(Text, cells))
    return table


def report(result: PreendgameResult, position: Position) -> dict[str, Any]:
    """Return an answer as JSON takes it; moves in CGP's notation."""
    text = position.tile_set.alphabet.text

    def entry(move: PreendgameMove) -> dict[str, Any]:
        return {
            "move": format_move(move.move, position.tile_set),
            "score": move.score,
            "equity": round(move.equity, 3),
            "win_pct": round(move.win_pct, 4),
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
    console.print(table_of(result, position, top))
    console.print()
    model = "static play until the bag is empty" if result.opponent == "static" else result.opponent
    proven = "; the first is proven best of them" if result.best_proven else ""
    left_out = f"{len(result.moves)} moves, {len(result.pruned)} left out by equity"
    console.print(Text(f"  {left_out}; other side: {model}{proven}"))
    if result.exchanges:
        console.print("  exchanges, which the rules allow here, were not looked at")
    console.print(
        Text(f"  {result.endgames:,} endgames, {result.nodes:,} positions in {result.seconds:.2f} s", "dim")
    )
