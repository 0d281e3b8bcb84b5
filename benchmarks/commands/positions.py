"""Options that several benchmarks share: which positions are measured, and how many of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from lab.measurements.samples import OWN_GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


positions_option: Decorator = click.option(
    "--positions",
    "file",
    type=click.File("r", encoding="utf-8"),
    metavar="FILE",
    help="A TSV file with the columns cgp, move_number and game. [default: positions of greedy games]",
)

games_option: Decorator = click.option(
    "--games",
    type=click.IntRange(min=1),
    help=f"Number of games played, or read from the file. [default: {OWN_GAMES}, or the whole file]",
)


def count_option(meaning: str, default: int | None = None) -> Decorator:
    """Return the option --count: how many items a benchmark measures."""
    return click.option(
        "--count", type=click.IntRange(min=1), default=default, show_default=default is not None, help=meaning
    )


def repeat_option(default: int) -> Decorator:
    """Return the option --repeat: how often everything is measured."""
    return click.option(
        "--repeat", type=click.IntRange(min=1), default=default, show_default=True, help="Number of passes."
    )
