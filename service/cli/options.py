"""Options that several commands share: board, rules and threads of games, and the limits of a search."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import click

from engine import DEFAULT_LANGUAGE, LANGUAGES, MAX_GCG, TileSet, tile_set, tile_set_ids

MAX_THREADS = 256

Decorator: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]

board_option: Decorator = click.option(
    "--board",
    "layout_id",
    metavar="ID",
    default="standard15",
    show_default=True,
    help="The board: its size and premium squares.",
)
rules_option: Decorator = click.option(
    "--rules", "rules_id", metavar="ID", help="The rule set. [default: that of the tile set]"
)
threads_option: Decorator = click.option(
    "--threads",
    type=click.IntRange(1, MAX_THREADS),
    default=min(MAX_THREADS, os.cpu_count() or 1),
    show_default="all processors",
    help="Threads that share the work; the result does not depend on their number.",
)

RECORD_BYTES_READ = MAX_GCG + 1
"""How many bytes of a game record are read: one more than it may have, so that a longer one is refused."""

_explain_option: Decorator = click.option(
    "--explain",
    is_flag=True,
    help="Say in a sentence or two why the best move is better than the one played, or than those compared, "
    "else than the second best.",
)
_lang_option: Decorator = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=DEFAULT_LANGUAGE,
    show_default=True,
    help="The language of these sentences.",
)


def explain_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add --explain and --lang to a command, which is called with `explain` and `lang`."""
    return _explain_option(_lang_option(command))


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


def named_tile_set(value: str) -> TileSet:
    """Return a tile set by its id, or read it from a CSV file."""
    path = Path(value)
    if path.suffix == ".csv" and value not in tile_set_ids():
        return TileSet.from_csv(path.read_text("utf-8"), path.stem.lower())
    return tile_set(value)
