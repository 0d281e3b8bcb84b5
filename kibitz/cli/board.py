"""`kibitz board`: draw a position as colored text or as a picture, and check a board of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.text import Text

from engine import (
    Board,
    BoardLayout,
    InvalidInput,
    Play,
    Position,
    default_rule_set,
    message,
    parse_move,
    printable,
    text_faults,
    tile_set,
)
from kibitz.cli import Group
from kibitz.cli.files import file_id, read_text
from kibitz.cli.language import localized, said, said_of
from kibitz.cli.lexicons import takes_position
from kibitz.cli.pictures import PictureFiles, picture_options
from kibitz.cli.terminal import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Lexicon, Player, TextFault

BLANK_FLAG = 0x80
PREMIUMS = {
    (1, 4): ("~", "bold white on dark_magenta", message("quadruple word")),
    (1, 3): ("=", "bold white on red3", message("triple word")),
    (1, 2): ("-", "bold white on hot_pink3", message("double word")),
    (4, 1): ("^", "bold white on purple4", message("quadruple letter")),
    (3, 1): ('"', "bold white on blue3", message("triple letter")),
    (2, 1): ("'", "bold white on deep_sky_blue4", message("double letter")),
}
"""(letter factor, word factor) -> mark, style, name; the marks are those of Quackle and other programs."""

OTHER_PREMIUM = ("+", "bold white on grey50", message("other premium"))
START = ("*", "bold white on dark_green", message("start square"))
PLAIN = ("·", "grey50")
TILE = "bold black on wheat1"
BLANK_TILE = "bold red3 on wheat1"
NEW_TILE = "bold black on gold1"
NEW_BLANK = "bold red3 on gold1"
EDGE = "dim"
FAULT = "bold white on red3"


def board_text(position: Position, play: Play | None = None) -> Text:
    """Return the board as lines of text, three characters a square, with a legend of the marks below.

    The tiles that a play would place are drawn in another color.
    """
    new = {(row, column): code for row, column, code in play.placements()} if play else {}
    side = position.layout.side
    text = Text(no_wrap=True)
    heading = "".join(f" {chr(65 + column)} " for column in range(side))
    text.append(f"    {heading}\n", EDGE)
    legend: dict[str, tuple[str, str]] = {}
    for row in range(side):
        text.append(f" {row + 1:>2} ", EDGE)
        for column in range(side):
            on_board = position.board.squares[row * side + column]
            if code := on_board or new.get((row, column), 0):
                tile = position.tile_set.alphabet.text([code]).strip("[]")
                text.append(f"{tile:^3}", _tile_style(code, bool(on_board)))
            else:
                mark, style = square_mark(position, row, column, legend)
                text.append(f" {mark} ", style)
        text.append(f" {row + 1}\n", EDGE)
    text.append(f"    {heading}\n", EDGE)
    for mark, (style, name) in legend.items():
        text.append("    " if mark == next(iter(legend)) else "  ")
        text.append(f" {mark} ", style)
        text.append(f" {said(name)}", EDGE)
    if any(code & BLANK_FLAG for code in (*position.board.squares, *new.values())):
        text.append("  " if legend else "    ")
        text.append(" a ", BLANK_TILE)
        text.append(" " + said("blank"), EDGE)
    return text


def _tile_style(code: int, on_board: bool) -> str:
    if on_board:
        return BLANK_TILE if code & BLANK_FLAG else TILE
    return NEW_BLANK if code & BLANK_FLAG else NEW_TILE


def square_mark(
    position: Position, row: int, column: int, legend: dict[str, tuple[str, str]]
) -> tuple[str, str]:
    """Return the mark and style of an empty square, and add the mark to the legend."""
    layout = position.layout
    factors = (int(layout.letter_factors[row, column]), int(layout.word_factors[row, column]))
    if position.board.is_empty and (row, column) in layout.starts:
        mark, style, name = START
    elif factors == (1, 1):
        return PLAIN
    else:
        mark, style, name = PREMIUMS.get(factors, OTHER_PREMIUM)
    legend.setdefault(mark, (style, name))
    return mark, style


def players_text(position: Position, names: Sequence[str] = ()) -> Text:
    """Return a line for each player with score and known tiles, and a line for the bag.

    `names`: of the players, that of the player on turn first; by default the others are called opponents.
    """
    alphabet = position.tile_set.alphabet
    text = Text()
    bag = position.bag_count()
    others = range(1, len(position.players))
    numbered = (
        [said("opponent {number}", number=number) for number in others]
        if len(others) > 1
        else [said("opponent")]
    )
    called = [printable(name) for name in names or (said("on turn"), *numbered)]
    width = max(map(len, called))
    for number, (name, player) in enumerate(zip(called, position.players, strict=True), 1):
        text.append(f"  {name:<{width}}  ", EDGE)
        text.append(f"{player.score:>5}  ")
        tiles, note = _known_tiles(position, player, number == 1, bag)
        shown = sorted(tiles, key=lambda code: (code == 0, code))
        text.append(" ".join(alphabet.text([code]).strip("[]") for code in shown), "bold")
        text.append(f"  {note}\n" if tiles and note else f"{note}\n", EDGE)
    in_bag = (
        said_of(bag, "{count} tile in the bag", "{count} tiles in the bag")
        if bag
        else said("the bag is empty")
    )
    text.append(f"  {in_bag}", EDGE)
    return text


def _known_tiles(position: Position, player: Player, on_turn: bool, bag: int) -> tuple[bytes, str]:
    """Return the known tiles of a player, and a note about the others."""
    if rack := player.rack:
        partial = bag and len(rack) < position.rules.rack_size
        return rack.tiles, said(
            "{count} of {size} tiles given", count=len(rack), size=position.rules.rack_size
        ) if partial else ""
    if player.rack is not None and not on_turn:
        return b"", said("no tiles")
    if not (on_turn or bag) and position.rack and len(position.players) == 2:
        unseen = bytes(code for code, count in enumerate(position.unseen()) for _ in range(count))
        return unseen, said("all unseen tiles") if unseen else said("no tiles")
    if known := player.known_tiles:
        return known.tiles, said("and unknown tiles")
    return b"", said("tiles unknown")


def drawn_play(move: str, position: Position) -> Play | None:
    """Return the play to draw, legal or not; None for an exchange or a pass. Raises InvalidInput."""
    read = parse_move(move, position.board, position.tile_set, "play")
    return read if isinstance(read, Play) else None


class _BoardGroup(Group):
    """The commands about boards; `kibitz board "CGP"` is `kibitz board draw "CGP"`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that the first argument names, else `draw`."""
        if args and args[0] not in self.commands:
            return "draw", self.commands["draw"], args
        return super().resolve_command(ctx, args)


@click.group("board", cls=_BoardGroup, context_settings={"ignore_unknown_options": True})
def board_command() -> None:
    """Draw a position, or check a board of your own.

    The name draw may be left out; `kibitz board draw --help` lists its options.

    \b
    kibitz board "CGP" --svg board.svg
    kibitz board check board.txt
    """


@board_command.command("draw")
@takes_position
@click.option("--play", metavar="MOVE", help='Draw the tiles of this play too, legal or not: "N8 SAGIEsT".')
@picture_options("the board alone")
@click.option(
    "--size",
    type=click.IntRange(100, 4000),
    default=600,
    show_default=True,
    help="Width of the picture, in pixels.",
)
@click.option(
    "--coordinates/--no-coordinates",
    default=True,
    show_default=True,
    help="Letters and numbers at its edges.",
)
def draw_command(
    position: Position,
    lexicon: Lexicon,
    play: str | None,
    pictures: PictureFiles,
    size: int,
    coordinates: bool,
) -> None:
    """Draw a position on the terminal, or with --svg or --png as a picture.

    CGP is the position, "-" reads it from standard input. To draw the best move of a position, use
    `kibitz analyze "CGP" --svg FILE`.

    \b
    kibitz board draw "CGP" --play "N8 SAGIEsT"
    kibitz board draw "CGP" --play "N8 SAGIEsT" --svg board.svg --size 800
    kibitz board draw "CGP" --png board.png --dark
    """
    placed = drawn_play(play, position) if play else None
    if pictures:
        pictures.write(position, placed, size=size, coordinates=coordinates)
        return
    console = Console()
    console.print(board_text(position, placed), soft_wrap=True)
    console.print()
    console.print(players_text(position))


@board_command.command("check")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.pass_context
def check_command(context: click.Context, file: Path) -> None:
    """Check a board of your own, and draw it.

    FILE holds a line of marks for each row, 10 to 26 of them, as many as columns: T D Q is a triple, double,
    quadruple word square, t d q the same for a letter, . a plain square and * a plain start square. A last
    line such as "starts 8H" names start squares that are premium squares. Without a start square it is the
    center. Every fault is listed with its line and square; the exit code is 1 then.

    \b
    kibitz board check board.txt
    """
    text = read_text(file)
    console = Console(highlight=False)
    try:
        layout = BoardLayout.from_text(text, file_id(file))
    except InvalidInput as error:
        faults = text_faults(error)
        console.print(_faulty_text(text.splitlines(), faults), soft_wrap=True)
        for fault in faults:
            line = f"line {fault.line}: " if fault.line else ""
            click.echo(f"{shown(str(file))}: {line}{localized(fault.detail)}", err=True)
        context.exit(1)
    tiles = tile_set("english")  # a board without tiles looks the same with any
    empty = Position(Board.empty(layout.side), layout, tiles, default_rule_set(tiles.id))
    console.print(board_text(empty), soft_wrap=True)
    starts = ", ".join(f"{row + 1}{chr(65 + column)}" for row, column in layout.starts)
    premiums = sum(mark != "." for row in layout.rows() for mark in row)
    symmetric = "symmetric" if layout.symmetric else "not symmetric"
    click.echo(
        f"\n  {layout.side} x {layout.side} squares, {premiums} of them premium squares; start: {starts}; "
        f"{symmetric}. No faults."
    )


def _faulty_text(lines: Sequence[str], faults: Sequence[TextFault]) -> Text:
    """Return the lines of a board as they are in the file, with the faulty squares and lines marked."""
    faulty_lines = {fault.line for fault in faults}
    whole_lines = {fault.line for fault in faults if fault.square is None}
    squares = {fault.square for fault in faults}
    width = max(map(len, lines), default=0)
    heading = "".join(f" {chr(65 + column)} " for column in range(min(width, 26)))
    text = Text(f"    {heading}\n", no_wrap=True)
    for number, line in enumerate(lines, 1):
        text.append(f" {number:>2} ", EDGE)
        for column, mark in enumerate(line):
            faulty = number in whole_lines or f"{number}{chr(65 + column)}" in squares
            text.append(f" {printable(mark)} ", FAULT if faulty else "")
        text.append(" <\n" if number in faulty_lines else "\n", FAULT)
    return text
