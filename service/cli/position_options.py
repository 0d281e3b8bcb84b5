"""The options of a command that takes a position and a lexicon."""

from __future__ import annotations

import sys
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from engine import parse_cgp, read_operations
from service.cli.lexica import open_lexicon
from service.cli.terminal import shown
from service.game_lexicon import lexicon_warnings

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Lexicon, Position


def takes_position(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the argument CGP (or --cgp) and --lexicon; it is called with `position` and `lexicon`.

    Raises click.UsageError if no position is given or two, EngineError for one that is impossible.
    """

    @click.argument("cgp", required=False)
    @click.option(
        "--cgp", "option", metavar="CGP", help='The position, if not as argument; "-": from standard input.'
    )
    @click.option(
        "--lexicon",
        "lexicon_id",
        metavar="ID",
        help="The lexicon. [default: that of the CGP, else KIBITZ_LEXICON, else scowl80]",
    )
    @wraps(command)
    def called(cgp: str | None, option: str | None, lexicon_id: str | None, **others: Any) -> None:
        if (cgp is None) == (option is None):
            raise click.UsageError(
                'Give one position, such as "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0".'
            )
        position, lexicon = read_position(cgp if option is None else option, lexicon_id)
        command(position=position, lexicon=lexicon, **others)

    return called


def read_position(text: str | None, lexicon_id: str | None) -> tuple[Position, Lexicon]:
    """Read a position ("-": from standard input) and open its lexicon; raises EngineError."""
    cgp = sys.stdin.read().strip() if text in (None, "-") else str(text)
    named = dict(read_operations(cgp)).get("lex")
    lexicon = open_lexicon(lexicon_id or named)
    for warning in lexicon_warnings("position", named, lexicon.id):
        click.echo(f"Warning: {shown(warning)}.", err=True)
    position = parse_cgp(cgp, tile_set=lexicon.tile_set, lexicon=lexicon.id)
    position.check()
    return position, lexicon
