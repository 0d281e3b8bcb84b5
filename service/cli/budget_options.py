"""The options of what a search may spend: time, positions of endgames, memory for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from service.cli.game_options import Decorator

_AT_MOST = "Positions of endgames looked at, at most; an answer that this ends repeats exactly."


def max_ms_option(default: int | None) -> Decorator:
    """Return the option --max-ms; without a default a search ends by its work alone."""
    return click.option(
        "--max-ms",
        type=click.IntRange(min=1),
        default=default,
        show_default="none" if default is None else True,
        help="Milliseconds until a search is cut short; what it knows by then is the answer.",
    )


def seconds_option(default: float, meaning: str) -> Decorator:
    """Return the option --seconds, of benchmarks that spend so much on each of many positions."""
    return click.option(
        "--seconds",
        type=click.FloatRange(min=0, min_open=True),
        default=default,
        show_default=True,
        help=meaning,
    )


def nodes_option(meaning: str = _AT_MOST) -> Decorator:
    """Return the option --nodes, None if it is not given."""
    return click.option("--nodes", type=click.IntRange(min=1), help=meaning)


def table_option(default: int | None) -> Decorator:
    """Return the option --table-mb; without a default the search knows one."""
    return click.option(
        "--table-mb",
        type=click.IntRange(1, 65536),
        default=default,
        show_default=default is not None,
        help="Megabytes of the table that remembers positions of endgames.",
    )
