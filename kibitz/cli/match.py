"""`kibitz match`: two players over many games."""

from __future__ import annotations

from dataclasses import asdict
from math import isnan
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import click
import orjson

from engine import GameSetup, Match, rule_set
from kibitz.cli.files import read_layout
from kibitz.cli.lexicons import lexicon_option, open_lexicon
from kibitz.cli.options import (
    board_option,
    cluster_option,
    json_option,
    rules_option,
    seed_option,
    threads_option,
)
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.terminal import echo_json
from kibitz.cli.workers import game_workers

if TYPE_CHECKING:
    from rich.table import Table

    from engine import Estimate, MatchProgress, MatchScore


FIELDS: Final = ("final", "turns", "bingos", "exchanges", "passes")
"""The statistics of each player, a game on average; `final` is the final score."""


@click.command("match")
@click.argument("first")
@click.argument("second")
@click.option("--games", type=int, default=1000, show_default=True, help="Number of games; must be even.")
@lexicon_option
@board_option
@rules_option
@seed_option
@threads_option
@cluster_option
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File in which the match is saved every 20 seconds; a stopped match continues from it.",
)
@json_option
def match_command(
    first: str,
    second: str,
    games: int,
    lexicon_id: str | None,
    layout_id: str,
    rules_id: str | None,
    seed: int,
    threads: int,
    cluster: str | None,
    state: Path | None,
    as_json: bool,
) -> None:
    """Let two players play many games, and print who is better.

    A player is an evaluator (greedy, static, combined, heuri1 to heuri6), a level (level1 to level10), a
    simulation (monte_carlo, quackle, heuri_samp, heuri_sim), or `best`: a simulation, with the endgame solver
    once the bag is empty. Options follow after commas. heuri2 to heuri6 take pass: literal values a pass with
    seven tiles by the published formula, never (the default) at 0. A simulation and best take candidates,
    iterations, plies, refills, replies, opponent_model, confidence, by_win, halving (0: compare the moves as
    an analysis does, 1: find the best one), evaluator, nodes (of the endgame solver), preendgame (the largest
    bag for which every draw is examined), preendgame_nodes, max_ms (of a move), and after an evaluator its
    pass.

    Games come in pairs: both games of a pair have the same order of tiles, and the players swap seats. The
    intervals hold 95 % and count a pair as one sample.

    Time on one core: static against greedy about 1,500 games a second, heuri6 a tenth of that; best about a
    second a move, so best against static 15 seconds a game, 400 games an hour and a half. Ctrl-C ends a match
    within a second; with --state it can be continued, on other machines too.

    \b
    kibitz match static greedy --games 10000
    kibitz match monte_carlo,iterations=4000 static --games 400
    kibitz match best static --games 400 --state best.match
    kibitz match level4 greedy --games 200
    kibitz match level4 level2 --games 2000
    kibitz match heuri3,pass=literal heuri3 --games 2000
    kibitz match heuri4 heuri3 --lexicon twl06 --games 10000 --state heuri.match
    kibitz match best static --games 4000 --state best.match --cluster tcp://host:8786
    """
    lexicon = open_lexicon(lexicon_id)
    setup = GameSetup.of(lexicon, read_layout(layout_id), rule_set(rules_id) if rules_id else None)
    match = Match(setup, (first, second), games, seed=seed, state=state)
    before = 2 * match.pairs_done
    with (
        game_workers(threads, cluster, lexicon) as workers,
        steps_progress(f"{first} - {second}", "games") as progress,
    ):
        progress(before, games)
        began = perf_counter()

        def show(played: MatchProgress) -> None:
            progress(played.games, games, progress_note(played))

        score = match.run(workers, show)
        seconds = perf_counter() - began
    report = {
        **_report(match, score, (games - before) / seconds if games > before else None),
        **({"threads": threads} if cluster is None else {"cluster": cluster}),
    }
    if as_json:
        echo_json(orjson.dumps(report, option=orjson.OPT_INDENT_2))
        return
    print_table(_table(match, report))
    spread = score.spread
    between = "" if isnan(score.share.low) else f" [{spread.low:+.2f}, {spread.high:+.2f}]"
    click.echo(
        f"{first} won {percent(score.share)} of {games} games against {second} on {lexicon.id} "
        f"({score.wins} won, {score.ties} tied, {score.losses} lost); "
        f"mean spread {spread.value:+.2f}{between} points a game."
    )
    if report["games_per_second"]:
        where = f"{threads} threads" if cluster is None else f"the cluster {cluster}"
        click.echo(f"{report['games_per_second']} games/s on {where}.")


def _report(match: Match, score: MatchScore, speed: float | None) -> dict[str, Any]:
    return {
        "lexicon": match.setup.lexicon.id,
        "rules": match.setup.rules.id,
        "seed": match.seed,
        "score": asdict(score),
        "players": player_statistics(match),
        "games_per_second": None if speed is None else round(speed, 1),
    }


def _table(match: Match, report: dict[str, Any]) -> Table:
    return result_table(
        f"{match.names[0]} - {match.names[1]}: a game on average",
        ("player", "points", "turns", "bingos", "exchanges", "passes"),
        [[player["name"], *(f"{player[field]:.2f}" for field in FIELDS)] for player in report["players"]],
    )


def percent(share: Estimate, digits: int = 2) -> str:
    """Return a share of games won in percent with its interval, or "(too few games)"."""
    value, low, high = (f"{100 * bound:.{digits}f}" for bound in (share.value, share.low, share.high))
    return f"{value} % (too few games)" if isnan(share.low) else f"{value} % [{low}, {high}]"


def progress_note(progress: MatchProgress) -> str:
    """Return the note of a progress bar: the score, and the number of moves of unfinished games."""
    parts = [percent(progress.score.share)] if progress.score.games else []
    if progress.moves:
        parts.append(f"{progress.moves} moves in the games being played")
    return ", ".join(parts)


def player_statistics(match: Match) -> list[dict[str, Any]]:
    """Return the statistics of both players of a match."""
    return [
        {
            "name": name,
            **{field: round(float(match.by_player(field)[:, which].mean()), 3) for field in FIELDS},
        }
        for which, name in enumerate(match.names)
    ]
