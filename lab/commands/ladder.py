"""`kibitz experiment ladder`: many matches, and a table of them."""

from __future__ import annotations

from contextlib import ExitStack
from math import isnan
from typing import TYPE_CHECKING, Any

import click

from engine import GameSetup, rule_set
from kibitz.cli.files import read_layout
from kibitz.cli.lexicons import open_lexicon
from kibitz.cli.match import progress_note
from kibitz.cli.progress import steps_progress
from kibitz.cli.tables import print_table, result_table
from kibitz.cli.workers import game_workers
from lab.experiments.ladder import RUNGS, ladder_name, run_ladder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rich.table import Table

    from engine import MatchProgress


def play_ladder(
    rungs: tuple[tuple[str, str], ...],
    games: int,
    lexicon_id: str | None,
    layout_id: str,
    rules_id: str | None,
    seed: int,
    threads: int,
    cluster: str | None,
    output: Path,
) -> None:
    """Play the matches, with a progress bar for each, and print the table."""
    lexicon = open_lexicon(lexicon_id)
    setup = GameSetup.of(lexicon, read_layout(layout_id), rule_set(rules_id) if rules_id else None)
    with game_workers(threads, cluster, lexicon) as workers, ExitStack() as bars:
        shown: dict[tuple[str, str], Callable[..., None]] = {}

        def show(names: tuple[str, str], played: MatchProgress) -> None:
            if names not in shown:
                bars.close()  # the bar of the previous match stays on the screen as it ended
                shown[names] = bars.enter_context(steps_progress(" - ".join(names), "games"))
            shown[names](played.games, games, progress_note(played))

        report = run_ladder(setup, rungs or RUNGS, games, seed, workers, output, show)
    print_table(_table(report))
    click.echo(f"Results are in {output / ladder_name(lexicon.id)}.json and .md")


def _table(report: dict[str, Any]) -> Table:
    rows = []
    for one in report["matches"]:
        names = [player["name"] for player in one["players"]]
        bounds = [100 * one["score"]["share"][part] for part in ("value", "low", "high")]
        share = ["" if isnan(bound) else f"{bound:.2f}" for bound in bounds]  # too few games for an interval
        spread = [f"{one['score']['spread'][part]:+.1f}" for part in ("value", "low", "high")]
        rows.append((*names, *share, *spread))
    title = f"{report['games']} games each on {report['lexicon']['id']}, 95 % intervals over pairs of games"
    headings = ("first", "second", "won, %", "from", "to", "points", "from", "to")
    return result_table(title, headings, rows, text=("second",))
