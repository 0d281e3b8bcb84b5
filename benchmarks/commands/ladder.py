"""`kibitz experiment ladder`: many matches, and a table of them."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from benchmarks.experiments.ladder import RUNGS, ladder_name, run_ladder
from engine import GameSetup, board_layout, rule_set
from service.cli.lexicons import open_lexicon
from service.cli.progress import steps_progress
from service.cli.tables import print_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def play_ladder(
    rungs: tuple[tuple[str, str], ...],
    games: int,
    lexicon_id: str | None,
    layout_id: str,
    rules_id: str | None,
    seed: int,
    threads: int,
    output: Path,
) -> None:
    """Play the matches, a bar each, and print the table."""
    lexicon = open_lexicon(lexicon_id)
    setup = GameSetup.of(lexicon, board_layout(layout_id), rule_set(rules_id) if rules_id else None)
    with ExitStack() as bars:
        shown: dict[tuple[str, str], Callable[..., None]] = {}

        def show(names: tuple[str, str], done: int, note: str) -> None:
            if names not in shown:
                bars.close()  # the bar of the match before stays as it ended
                shown[names] = bars.enter_context(steps_progress(" - ".join(names), "games"))
            shown[names](done, games, f"{note} %" if note else "")

        report = run_ladder(setup, rungs or RUNGS, games, seed, threads, output, show)
    print_table(_table(report))
    click.echo(f"Results are in {output / ladder_name(lexicon.id)}.json and .md")


def _table(report: dict[str, Any]) -> Table:
    table = Table(
        title=f"{report['games']} games each on {report['lexicon']['id']}, 95 % intervals over pairs"
    )
    for heading in ("first", "second", "won, %", "from", "to", "points", "from", "to"):
        table.add_column(heading, justify="left" if heading in ("first", "second") else "right")
    for one in report["matches"]:
        names = [player["name"] for player in one["players"]]
        share = [f"{100 * one['score']['share'][part]:.2f}" for part in ("value", "low", "high")]
        spread = [f"{one['score']['spread'][part]:+.1f}" for part in ("value", "low", "high")]
        table.add_row(*names, *share, *spread)
    return table
