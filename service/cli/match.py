"""`kibitz match`: two players over many games."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isnan
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from engine import GameSetup, Match, board_layout, rule_set
from service.cli.lexicons import lexicon_option, open_lexicon
from service.cli.match_figures import FIGURES, percent, player_figures
from service.cli.options import board_option, rules_option, threads_option
from service.cli.progress import steps_progress
from service.cli.tables import print_table

if TYPE_CHECKING:
    from engine import MatchScore


@click.command("match")
@click.argument("first")
@click.argument("second")
@click.option("--games", type=int, default=1000, show_default=True, help="How many games; an even number.")
@lexicon_option
@board_option
@rules_option
@click.option("--seed", type=int, default=1, show_default=True, help="Of the order of the tiles.")
@threads_option
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save the work here every 20 seconds; a match that was stopped continues from it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def match_command(
    first: str,
    second: str,
    games: int,
    lexicon_id: str | None,
    layout_id: str,
    rules_id: str | None,
    seed: int,
    threads: int,
    state: Path | None,
    as_json: bool,
) -> None:
    """Let FIRST and SECOND play, and say who is better.

    A player is an evaluator (greedy, static, combined, heuri1 to heuri6), a level (level1 to level10), a
    simulation (monte_carlo, quackle, heuri_samp, heuri_sim), or the best: a simulation with the endgame
    solver behind it, at about a second a move. To a simulation and to best you add what differs from the
    plan: candidates, iterations, plies, refills, replies, opponent_model, confidence, by_win, evaluator,
    nodes (of the endgame solver), preendgame (bag from which every draw is looked at), preendgame_nodes,
    max_ms (a move).

    Games come in pairs with swapped seats and the same order of tiles; the interval is over pairs.

    \b
    kibitz match static greedy --games 10000
    kibitz match monte_carlo,iterations=4000 static --games 400
    kibitz match best static --games 400 --state best.match
    kibitz match level4 greedy --games 200
    kibitz match level4 level2 --games 2000
    kibitz match heuri4 heuri3 --lexicon twl06 --games 10000 --state heuri.match
    """
    lexicon = open_lexicon(lexicon_id)
    setup = GameSetup.of(lexicon, board_layout(layout_id), rule_set(rules_id) if rules_id else None)
    match = Match(setup, (first, second), games, seed=seed, state=state)
    begun, before = perf_counter(), 2 * match.pairs_done
    with steps_progress(f"{first} - {second}", "games") as progress:
        progress(before, games)

        def show(score: MatchScore, done: int) -> None:
            progress(done, games, f"{percent(score)} %")

        score = match.run(threads, show)
    seconds = perf_counter() - begun
    report = _report(match, score, (games - before) / seconds if games > before else None, threads)
    if as_json:
        click.echo(json.dumps(report, indent=2))
        return
    print_table(_table(match, report))
    spread = score.spread
    between = f" [{spread.low:+.2f}, {spread.high:+.2f}]"
    if isnan(spread.low):
        between = " (too few games for intervals)"
    click.echo(
        f"{first} won {percent(score)} % of {games} games against {second} on {lexicon.id} "
        f"({score.wins} won, {score.ties} tied, {score.losses} lost), "
        f"by {spread.value:+.2f}{between} points a game."
    )
    if report["games_per_second"]:
        click.echo(f"{report['games_per_second']} games/s on {threads} threads.")


def _report(match: Match, score: MatchScore, speed: float | None, threads: int) -> dict[str, Any]:
    return {
        "lexicon": match.setup.lexicon.id,
        "rules": match.setup.rules.id,
        "seed": match.seed,
        "score": asdict(score),
        "players": player_figures(match),
        "threads": threads,
        "games_per_second": None if speed is None else round(speed, 1),
    }


def _table(match: Match, report: dict[str, Any]) -> Table:
    table = Table(title=f"{match.names[0]} - {match.names[1]}: a game on average")
    for heading in ("player", "points", "turns", "bingos", "exchanges", "passes"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for player in report["players"]:
        cells = [f"{player[field]:.2f}" for field in FIGURES]
        table.add_row(player["name"], *cells)
    return table
