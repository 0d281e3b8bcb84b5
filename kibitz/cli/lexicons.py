"""The lexicon and the position of a command: the options that name them, and how they are opened."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from engine import (
    MAX_SIDE,
    Catalogue,
    ComparedList,
    Text,
    default_rule_set,
    lexicon_warnings,
    named_lexicon,
    operation_warnings,
    parse_cgp,
    read_operations,
    read_word_list,
    without_operations,
)
from kibitz.cli.files import faults_of, input_lines, read_layout, read_tile_set
from kibitz.cli.language import said
from kibitz.cli.progress import build_progress
from kibitz.cli.terminal import shown
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine import Lexicon, Position, TileSet
    from kibitz.cli.options import Decorator

FILE_ENDINGS: Final = (".txt", ".gz", ".xz")

lexicon_option: Decorator = click.option(
    "--lexicon",
    "lexicon_id",
    metavar="ID",
    help="The lexicon whose words count. [default: KIBITZ_LEXICON, else club]",
)
cgp_lexicon_option: Decorator = click.option(
    "--lexicon",
    "lexicon_id",
    metavar="ID",
    help="The lexicon whose words count. [default: that of the CGP, else KIBITZ_LEXICON, else club]",
)


def open_lexicon(lexicon_id: str | None = None) -> Lexicon:
    """Open a lexicon, by default that of KIBITZ_LEXICON; build the missing tables of a bundled one."""
    settings = Settings.from_environment()
    wanted = lexicon_id or settings.lexicon
    with build_progress(f"Building the tables of {wanted}") as progress:
        return Catalogue(settings.data).ensure(wanted, progress)


def open_list(value: str, tiles: TileSet) -> ComparedList:
    """Return the words of a lexicon by its id, or of the file of a word list, read with a tile set."""
    if is_word_file(value):
        return list_of_file(Path(value), tiles)
    return ComparedList.of_lexicon(open_lexicon(value))


def is_word_file(value: str) -> bool:
    """Return whether a value names the file of a word list: it contains "/" or ends in .txt, .gz or .xz."""
    return "/" in value or value.endswith(FILE_ENDINGS)


def list_of_file(path: Path, tiles: TileSet) -> ComparedList:
    """Return the words of the file of a word list; lines that are not words are counted on standard error."""
    words = read_word_list(path, tiles.alphabet, max_length=MAX_SIDE)
    if words.report.dropped:
        click.echo(f"{path}: {words.report.dropped:,} lines are not playable words and are skipped", err=True)
    return ComparedList.of_word_list(words, path.name, tiles, MAX_SIDE)


def read_position(
    text: str, lexicon_id: str | None, board: str | None = None, tiles: str | None = None
) -> tuple[Position, Lexicon]:
    """Read a position ("-": from standard input) and open its lexicon; raise EngineError if it is impossible.

    `board`, `tiles`: ids or files that replace the board and the tile set of the CGP; with `tiles` the rules
    are those of the lexicon unless the CGP names others. If the lexicon that the CGP names is not installed,
    the default one is used, with a warning on standard error, as the HTTP service does.
    """
    cgp = sys.stdin.read().strip() if text == "-" else text
    named = dict(read_operations(cgp)).get("lex")
    default = Settings.from_environment().lexicon
    lexicon, notices = named_lexicon(named, lexicon_id, default, open_lexicon)
    replaced = {"bdn": board, "ld": tiles, "var": board or tiles}
    position = parse_cgp(
        without_operations(cgp, [name for name, value in replaced.items() if value is not None]),
        tile_set=read_tile_set(tiles) if tiles else lexicon.tile_set,
        layout=read_layout(board) if board else None,
        rules=default_rule_set(lexicon.tile_set.id) if tiles else None,
        lexicon=lexicon.id,
    )
    position.check()
    warnings = [notice.detail for notice in notices] or lexicon_warnings(Text("position"), named, lexicon.id)
    warnings += [notice.detail for notice in operation_warnings(position)]
    echo_warnings(warnings)
    if notices:
        advice = said("Choose another lexicon with --lexicon ID; kibitz lexicon list shows them.")
        click.echo(advice, err=True)
    return position, lexicon


def echo_warnings(warnings: Iterable[str]) -> None:
    """Print warnings on standard error, a line each."""
    for warning in warnings:
        click.echo(shown(said("Warning: {warning}.", warning=warning)), err=True)


def takes_position(command: Callable[..., None]) -> Callable[..., None]:
    """Add the argument CGP (or --cgp), --lexicon, --board and --tiles to a command.

    It is called with `position` and `lexicon`, for "-" once for each line of standard input.

    The command raises click.UsageError for no position or two, and EngineError for an impossible one.
    """

    @click.argument("cgp", required=False)
    @click.option(
        "--cgp",
        "option",
        metavar="CGP",
        help='The position, instead of the argument; "-": those of standard input.',
    )
    @cgp_lexicon_option
    @click.option(
        "--board",
        metavar="BOARD",
        help="The board: an id, or a file (board.txt). [default: that of the CGP]",
    )
    @click.option(
        "--tiles",
        metavar="TILES",
        help="The tiles: an id, or a file (tiles.csv). [default: that of the CGP]",
    )
    @wraps(command)
    def called(
        cgp: str | None,
        option: str | None,
        lexicon_id: str | None,
        board: str | None,
        tiles: str | None,
        **others: Any,
    ) -> None:
        given = cgp if option is None else option
        if given is None or (cgp is not None and option is not None):
            raise click.UsageError(
                'Give one position, such as "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0".'
            )
        for place, text in input_lines() if given == "-" else [("", given)]:
            with faults_of(place) if place else nullcontext():
                position, lexicon = read_position(text, lexicon_id, board, tiles)
            command(position=position, lexicon=lexicon, **others)

    return called
