"""The options of commands that play games: the board, the rules, the threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeAlias

import click

Decorator: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]

board_option: Decorator = click.option(
    "--board", "layout_id", metavar="ID", default="standard15", show_default=True, help="The layout."
)
rules_option: Decorator = click.option(
    "--rules", "rules_id", metavar="ID", help="The rule set; default: that of the tile set."
)
threads_option: Decorator = click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=os.cpu_count() or 1,
    show_default="all processors",
    help="The result does not depend on it.",
)
