"""`kibitz analyze`: the best moves of one position, for people or for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from engine import (
    ENDGAME_METHODS,
    EVALUATORS,
    GENERATOR_NAMES,
    OPPONENT_MODELS,
    SIMULATIONS,
    SORTS,
    AnalysisOptions,
    AnalysisRequest,
    EndgamePlan,
    SimulationPlan,
    analyze,
    parse_cgp,
    read_operations,
)
from service.cli.board_view import board_text, players_text
from service.cli.lexica import open_lexicon
from service.cli.simulation_view import live_simulation, show_simulation
from service.schemas.answers import dump_analysis

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Analysis, MoveReport, Position


@click.command("analyze")
@click.option(
    "--cgp", "text", required=True, metavar="CGP", help='The position; "-" reads it from standard input.'
)
@click.option(
    "--lexicon", "lexicon_id", metavar="ID", help="The lexicon; otherwise the CGP's, or the default one."
)
@click.option(
    "--top", type=click.IntRange(min=1), default=10, show_default=True, help="How many moves to list."
)
@click.option("--exchanges", is_flag=True, help="List exchanges and the pass too.")
@click.option(
    "--evaluator",
    type=click.Choice(EVALUATORS),
    default="auto",
    show_default=True,
    help="What values leaves: static by a learned table, heuri1 to heuri6 by the bingos to expect, "
    "combined by both, greedy not at all; auto is static where a table serves the lexicon, else heuri6.",
)
@click.option("--bingos", is_flag=True, help="Say what bingos to expect of every leave.")
@click.option(
    "--sort",
    type=click.Choice(SORTS),
    help="What best means. [default: equity if the evaluator values leaves, else score]",
)
@click.option(
    "--generator",
    "generator_name",
    type=click.Choice(GENERATOR_NAMES),
    default=GENERATOR_NAMES[0],
    show_default=True,
    help="The generator that finds the plays; all find the same.",
)
@click.option(
    "--compare", multiple=True, metavar="MOVE", help='Rank this move too, such as "8D QUIZ"; may be repeated.'
)
@click.option(
    "--simulate",
    "method",
    type=click.Choice(list(SIMULATIONS)),
    help="Compare the best moves by playing on from them: monte_carlo drops what is worse at 99 % "
    "confidence, quackle, heuri_samp and heuri_sim give all the same iterations.",
)
@click.option("--candidates", type=int, help="How many moves to simulate. [default: the method's]")
@click.option("--iterations", type=int, help="Rollouts of all of them together. [default: the method's]")
@click.option("--plies", type=int, help="Turns after the candidate. [default: the method's]")
@click.option(
    "--opponent",
    "opponent_model",
    type=click.Choice(OPPONENT_MODELS),
    help="What the opponent's last move (lm in the CGP) says of the rack. [default: off]",
)
@click.option(
    "--endgame",
    "endgame_method",
    type=click.Choice(ENDGAME_METHODS),
    help="Solve the endgame (bag empty, both racks known): exact proves, bstar and plans are slow.",
)
@click.option("--nodes", type=int, help="Positions that the endgame search looks at, at most.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the simulation's random numbers.")
@click.option("--max-ms", type=int, help="Cut the search short after so many milliseconds.")
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Of the simulation; its result does not depend on them.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer that POST /analyze gives.")
def analyze_command(
    text: str,
    lexicon_id: str | None,
    top: int,
    exchanges: bool,
    evaluator: str,
    bingos: bool,
    sort: str | None,
    generator_name: str,
    compare: tuple[str, ...],
    method: str | None,
    candidates: int | None,
    iterations: int | None,
    plies: int | None,
    opponent_model: str | None,
    endgame_method: str | None,
    nodes: int | None,
    seed: int,
    max_ms: int | None,
    threads: int,
    as_json: bool,
) -> None:
    """Show a position and its best moves.

    \b
    kibitz analyze --cgp "CGP" --simulate monte_carlo --threads 4
    """
    if text == "-":
        text = sys.stdin.read().strip()
    lexicon = open_lexicon(lexicon_id or dict(read_operations(text)).get("lex"))
    position = parse_cgp(text, tile_set=lexicon.tile_set, lexicon=lexicon.id)
    sort = sort or ("score" if evaluator == "greedy" else "equity")
    options = AnalysisOptions(
        top_n=top,
        sort=sort,
        include_exchanges=exchanges,
        generator=generator_name,
        evaluator=evaluator,
        expect_bingos=bingos,
        compare=compare,
        simulate=None
        if method is None
        else SimulationPlan.preset(
            method,
            candidates=candidates,
            iterations=iterations,
            plies=plies,
            opponent_model=opponent_model,
        ),
        endgame=endgame_plan(endgame_method, nodes),
        seed=seed,
        max_ms=max_ms,
    )
    with live_simulation(position.tile_set) as progress:
        analysis = analyze(AnalysisRequest(position, options), lexicon, threads=threads, progress=progress)
    if as_json:
        click.echo(dump_analysis(analysis))
    else:
        show(position, analysis, Console())


def endgame_plan(method: str | None, nodes: int | None) -> EndgamePlan | None:
    """Return how to solve the endgame, None if that is not asked for."""
    if method is None:
        return None
    return EndgamePlan(method) if nodes is None else EndgamePlan(method, nodes)


def show(position: Position, analysis: Analysis, console: Console) -> None:
    """Print the board, what is known of the players, and the moves."""
    console.print(board_text(position), soft_wrap=True)
    console.print()
    console.print(players_text(position))
    if analysis.phonies:
        names = ", ".join(f"{phony.word} at {phony.at}" for phony in analysis.phonies)
        console.print(Text(f"  not in the lexicon: {names}", "yellow"))
    console.print()
    title = f"{analysis.play_count} plays, {analysis.exchange_count} exchanges  ({analysis.position.lexicon})"
    console.print(move_table(title, analysis.moves))
    show_simulation(analysis, console)
    for move in analysis.moves:
        if move.endgame:
            line = "  ".join(move.endgame.line)
            told = f"  final spread {move.endgame.spread:+g} ({move.endgame.certainty}): {line}"
            console.print(Text(told, "bold"))
    compared = [comparison.move for comparison in analysis.compare if comparison.move]
    if compared:
        console.print(move_table("compared", compared))
    for comparison in analysis.compare:
        if comparison.fault:
            console.print(Text(f"  {comparison.asked}: {comparison.fault.detail}", "yellow"))


COLUMNS = (
    ("equity", "equity"),
    ("leave_value", "leave worth"),
    ("bingo_expectation", "bingos"),
    ("win_pct", "win%"),
)
"""What a table shows of a move if it is known: the name of the field, and the heading."""


def move_table(title: str, moves: Iterable[MoveReport]) -> Table:
    """Return a table of moves, a line each; columns for values that do not exist are left out."""
    listed = list(moves)
    columns = [
        (field, heading)
        for field, heading in COLUMNS
        if any(getattr(move, field) is not None for move in listed)
    ]
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=True)
    table.add_column("", justify="right", style="dim")
    table.add_column("move", style="bold")
    table.add_column("points", justify="right")
    for _, heading in columns:
        table.add_column(heading, justify="right")
    table.add_column("leave")
    table.add_column("words")
    for move in listed:
        words = "  ".join(f"{made.word} {made.score}" for made in move.words)
        bonus = f"  bonus {move.bonus}" if move.bonus else ""
        cells = [str(move.rank or ""), move.move, str(move.score)]
        for field, _ in columns:
            value = getattr(move, field)
            cells.append("" if value is None else f"{value:.2f}")
        # Text, not markup: tiles of two characters stand in brackets.
        table.add_row(*map(Text, [*cells, move.leave, words + bonus]))
    return table
