"""The options of what an endgame or a pre-endgame may spend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

_UNTIL_THEN = "When to stop; what is known by then is the answer."
_AT_MOST = "Stop after so many positions: the answer repeats exactly."


def seconds_option(default: float, meaning: str = _UNTIL_THEN) -> Callable[..., Any]:
    """Return the option --seconds."""
    return click.option(
        "--seconds",
        type=click.FloatRange(min=0, min_open=True),
        default=default,
        show_default=True,
        help=meaning,
    )


def nodes_option(meaning: str = _AT_MOST) -> Callable[..., Any]:
    """Return the option --nodes, None if it is not given."""
    return click.option("--nodes", type=click.IntRange(min=1), help=meaning)


def table_option(default: int) -> Callable[..., Any]:
    """Return the option --table-mb."""
    return click.option(
        "--table-mb",
        type=click.IntRange(1, 65536),
        default=default,
        show_default=True,
        help="Megabytes of the transposition table of endgames.",
    )
