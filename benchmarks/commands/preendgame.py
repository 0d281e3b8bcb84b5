"""`kibitz bench preendgame`: published pre-endgames beside the results of this solver."""

from __future__ import annotations

from pathlib import Path

import click
import orjson

from benchmarks.commands.positions import json_option
from benchmarks.measurements.preendgame import published_preendgames, solve_published, verdict
from engine import PREENDGAME_OPPONENTS, Budget, PreendgameOptions, format_move
from service.cli.lexicons import open_lexicon
from service.cli.options import seconds_option
from service.cli.progress import steps_progress
from service.cli.tables import print_table, result_table


@click.command("preendgame")
@click.option("--lexicon", "lexicon_id", required=True, metavar="ID", help="The lexicon whose words count.")
@click.option(
    "--published",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="A file with a JSON object {id, name, lexicon, cgp, best, win} in each line.",
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
@seconds_option(60.0, "Time limit of each position.")
@json_option
def preendgame_bench_command(
    lexicon_id: str, published: Path, candidates: int, opponent: str, seconds: float, as_json: bool
) -> None:
    """Solve published pre-endgames; print the published move and win% beside those found.

    A position is solved only if the lexicon is an edition of the word list that it needs, such as nwl23 for
    NWL20; others are marked. Takes up to --seconds for each position.

    \b
    kibitz bench preendgame --lexicon nwl23 --published FILE --seconds 60
    """
    lexicon = open_lexicon(lexicon_id)
    rows = published_preendgames(published, lexicon)
    options = PreendgameOptions(opponent, candidates=candidates)
    with steps_progress("Solving", "pre-endgames") as progress:
        results = solve_published(
            rows, lexicon, lambda: Budget(None, seconds), options, lambda done: progress(done, len(rows))
        )
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
