"""`kibitz bench preendgame`: pre-endgames of games, or published ones, and what this solver proves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import orjson

from benchmarks.commands.positions import count_option
from benchmarks.measurements.endgame import PERCENTILES
from benchmarks.measurements.preendgame import (
    preendgames,
    published_preendgames,
    rows_of,
    solve_in_processor_time,
    solve_published,
    summary,
    verdict,
)
from engine import PREENDGAME_OPPONENTS, Budget, GameSetup, PreendgameOptions, format_move
from kibitz.cli.lexicons import open_lexicon
from kibitz.cli.options import json_option, nodes_option, seconds_option
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table

if TYPE_CHECKING:
    from engine import Lexicon

EXHAUSTIVE_BAG: Final = 2
"""The largest bag whose draws are all examined."""

DISTRIBUTIONS: Final = ("seconds", "nodes", "bounds_width_unless_proven")
"""The parts of the summary that are distributions over positions."""


@click.command("preendgame")
@click.option("--lexicon", "lexicon_id", required=True, metavar="ID", help="The lexicon whose words count.")
@click.option(
    "--bag", type=click.IntRange(1, EXHAUSTIVE_BAG), default=1, show_default=True, help="Tiles in the bag."
)
@count_option("Number of positions.", 100)
@click.option(
    "--published",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Solve published pre-endgames instead: a file with a JSON object "
    "{id, name, lexicon, cgp, best, win} in each line.",
)
@click.option(
    "--candidates",
    type=click.IntRange(min=1),
    default=40,
    show_default=True,
    help="Number of moves compared.",
)
@click.option(
    "--opponent",
    type=click.Choice(PREENDGAME_OPPONENTS),
    default=PREENDGAME_OPPONENTS[0],
    show_default=True,
    help="What the other side does while tiles are in the bag.",
)
@seconds_option(10.0, "Time limit of each position: processor time; with --published, wall time.")
@nodes_option("Node limit of each position: endgame positions searched.")
@json_option
def preendgame_bench_command(
    lexicon_id: str,
    bag: int,
    count: int,
    published: Path | None,
    candidates: int,
    opponent: str,
    seconds: float,
    nodes: int | None,
    as_json: bool,
) -> None:
    """Count how often the best move is proven, in the first position with one or two tiles in the bag of each
    of many self-play games (seeds 1, 2, 3, ...).

    Uses one core; a search ends as soon as no other move can win more often. With --published it prints the
    published move and win% beside those found. Such a position is solved only if the lexicon is an edition of
    the word list that it needs, such as nwl23 for NWL20; others are marked. Takes up to --seconds for each
    position.

    \b
    kibitz bench preendgame --lexicon scowl80 --bag 2 --count 20 --seconds 60
    kibitz bench preendgame --lexicon nwl23 --published FILE --seconds 60
    """
    lexicon = open_lexicon(lexicon_id)
    options = PreendgameOptions(opponent, candidates=candidates, proof_only=published is None)
    if published is not None:
        compare_with_published(published, lexicon, Budget(seconds, nodes), options, as_json)
        return
    positions = preendgames(GameSetup.of(lexicon), bag, count)
    with steps_progress("Solving", "pre-endgames") as progress:
        solved = solve_in_processor_time(
            positions, lexicon, seconds, nodes, options, lambda done: progress(done, count)
        )
    measured: dict[str, Any] = {
        "lexicon": {"id": lexicon.id, "sha256": lexicon.sha256, "words": lexicon.word_count},
        "bag": bag,
        "opponent": opponent,
        "candidates": candidates,
        "seconds_each": seconds,
        "nodes_each": nodes,
        **summary(solved),
    }
    if as_json:
        measured["results"] = rows_of(solved)
        click.echo(orjson.dumps(measured, option=orjson.OPT_INDENT_2))
        return
    show(measured)


def show(measured: dict[str, Any]) -> None:
    """Print the summary as tables."""
    title = (
        f"{measured['preendgames']} pre-endgames of {measured['lexicon']['id']}, {measured['bag']} in the bag"
    )
    shares = [
        (name, f"{100 * measured[field]:.1f} %")
        for name, field in (
            (f"best move proven within {measured['seconds_each']:g} s", "proven"),
            ("proven to win every draw", "always_wins"),
            ("proven to lose every draw", "always_loses"),
        )
    ]
    print_table(result_table(title, ("", "share"), shares))
    rows = [
        (name.replace("_", " "), *(f"{measured[name][part]:,.2f}" for part in PERCENTILES))
        for name in DISTRIBUTIONS
        if measured[name]
    ]
    print_table(result_table("", ("", *PERCENTILES), rows))


def compare_with_published(
    path: Path, lexicon: Lexicon, budget: Budget, options: PreendgameOptions, as_json: bool
) -> None:
    """Solve published pre-endgames; print the published move and win% beside those found."""
    rows = published_preendgames(path, lexicon)
    with steps_progress("Solving", "pre-endgames") as progress:
        results = solve_published(rows, lexicon, budget, options, lambda done: progress(done, len(rows)))
    headings = ("", "published", "win%", "best move", "win% found", "proven", "nodes", "seconds", "verdict")
    table: list[tuple[str | None, ...]] = []
    claims = []
    for row, result in zip(rows, results, strict=True):
        claim = {"name": row.name, "published": row.best, "published_win_pct": row.win_pct}
        if result is None:
            claims.append({**claim, "verdict": verdict(row, result)})
            table.append((row.name, row.best, f"{row.win_pct:.2f}", *(None,) * 5, verdict(row, result)))
            continue
        best = result.best
        move = format_move(best.move, row.position.tile_set)
        found = {"best": move, "win_pct": best.win_pct, "lower": best.lower, "upper": best.upper}
        spent = {"nodes": result.nodes, "seconds": result.seconds, "best_proven": result.best_proven}
        claims.append({**claim, **found, **spent, "verdict": verdict(row, result)})
        table.append(
            (
                row.name,
                row.best,
                f"{row.win_pct:.2f}",
                move,
                f"{best.win_pct:.2f}",
                f"{best.lower:.2f} to {best.upper:.2f}",
                f"{result.nodes:,}",
                f"{result.seconds:.1f}",
                verdict(row, result),
            )
        )
    if as_json:
        click.echo(orjson.dumps({"lexicon": lexicon.id, "preendgames": claims}, option=orjson.OPT_INDENT_2))
        return
    title = f"Published pre-endgames, with {lexicon.id}"
    print_table(result_table(title, headings, table, text=("published", "best move", "verdict")))
