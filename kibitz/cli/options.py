"""Options that several commands share: board, rules and threads of games, and the limits of a search."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeAlias

import click

from kibitz.cli.language import lang_option
from kibitz.cluster import local_workers

MAX_THREADS = 256

Decorator: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]

board_option: Decorator = click.option(
    "--board",
    "layout_id",
    metavar="BOARD",
    default="standard15",
    show_default=True,
    help="The board, its size and premium squares: an id, or a file such as board.txt.",
)
rules_option: Decorator = click.option(
    "--rules", "rules_id", metavar="ID", help="The rule set. [default: that of the tile set]"
)
seed_option: Decorator = click.option(
    "--seed", type=int, default=1, show_default=True, help="Seed of the order of the tiles."
)
json_option: Decorator = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, and an error as the problem object of the API."
)
only_json_option: Decorator = click.option(
    "--json",
    is_flag=True,
    expose_value=False,
    help="Print an error as JSON too, the problem object of the API.",
)
threads_option: Decorator = click.option(
    "--threads",
    type=click.IntRange(1, MAX_THREADS),
    default=min(MAX_THREADS, os.cpu_count() or 1),
    show_default="all processors",
    help="Threads that share the work; the result does not depend on their number.",
)


def _check_cluster(_: click.Context, parameter: click.Parameter, address: str | None) -> str | None:
    if address is not None:
        try:
            local_workers(address)
        except ValueError as error:
            raise click.BadParameter(str(error), param=parameter) from None
    return address


cluster_option: Decorator = click.option(
    "--cluster",
    metavar="ADDRESS",
    callback=_check_cluster,
    help="Work on a Dask cluster: the address of its scheduler, such as tcp://host:8786, or local:N for N "
    "processes of this machine. The result does not depend on it. Needs kibitz[cluster].",
)

_explain_option: Decorator = click.option(
    "--explain",
    is_flag=True,
    help="Say in a sentence or two why the best move is better than the one played, or than those compared, "
    "else than the second best.",
)


def explain_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add --explain and --lang to a command, which is called with `explain`."""
    return _explain_option(lang_option(command))


NODES_HELP = "Stop a search after this many endgame positions; the same limit gives the same answer again."


def max_ms_option(default: int | None) -> Decorator:
    """Return the option --max-ms; without a default a search ends only when its work is done."""
    return click.option(
        "--max-ms",
        type=click.IntRange(min=1),
        default=default,
        show_default="none" if default is None else True,
        help="Stop a search after this many milliseconds and show the best answer found by then.",
    )


def seconds_option(default: float, meaning: str) -> Decorator:
    """Return the option --seconds of a benchmark: the time for each of many positions."""
    return click.option(
        "--seconds",
        type=click.FloatRange(min=0, min_open=True),
        default=default,
        show_default=True,
        help=meaning,
    )


def nodes_option(meaning: str = NODES_HELP) -> Decorator:
    """Return the option --nodes, None by default."""
    return click.option("--nodes", type=click.IntRange(min=1), help=meaning)


def table_option(default: int | None) -> Decorator:
    """Return the option --table-mb; without a default the search chooses the size."""
    return click.option(
        "--table-mb",
        type=click.IntRange(1, 65536),
        default=default,
        show_default=default is not None,
        help="Megabytes for the transposition table, which stores endgame positions already searched.",
    )
