"""Options that the benchmarks share: whose words count, and which positions are measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from benchmarks.measurements.samples import OWN_GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


positions_option: Decorator = click.option(
    "--positions",
    "file",
    type=click.File("r", encoding="utf-8"),
    metavar="FILE",
    help="A TSV file with the columns cgp, move_number and game; otherwise greedy games are played.",
)

games_option: Decorator = click.option(
    "--games",
    type=click.IntRange(min=1),
    help=f"How many games are played, or taken of the file. [default: {OWN_GAMES}, or all of the file]",
)
