"""`kibitz board`: a position drawn, on the terminal or as a picture."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import click
from rich.console import Console

from engine import Play, board_svg, parse_move
from service.cli.board_view import board_text, players_text
from service.cli.position_options import takes_position

if TYPE_CHECKING:
    from engine import Lexicon, Position
    from service.cli.game_options import Decorator


def svg_option(what: str) -> Decorator:
    """Return the option --svg, which opens a file that stays as it was unless all goes well."""
    return click.option(
        "--svg",
        "picture",
        type=click.File("w", encoding="utf-8", lazy=True, atomic=True),
        metavar="FILE",
        help=f'Write {what} to FILE as SVG ("-": standard output).',
    )


def drawn_play(move: str, position: Position) -> Play | None:
    """Return the play to draw, legal or not; None for an exchange or a pass. Raises InvalidInput."""
    read = parse_move(move, position.board, position.tile_set, "play")
    return read if isinstance(read, Play) else None


@click.command("board")
@takes_position
@click.option("--play", metavar="MOVE", help='Draw this play upon it, legal or not, such as "N8 SAGIEsT".')
@svg_option("the board alone")
@click.option(
    "--size",
    type=click.IntRange(100, 4000),
    default=600,
    show_default=True,
    help="Width of the picture, in pixels.",
)
@click.option(
    "--coordinates/--no-coordinates", default=True, show_default=True, help="At the picture's edges."
)
def board_command(
    position: Position,
    lexicon: Lexicon,
    play: str | None,
    picture: IO[str] | None,
    size: int,
    coordinates: bool,
) -> None:
    """Draw a position: on the terminal, or with --svg as a picture for a page or a report.

    To draw the best move of a position, use `kibitz analyze "CGP" --svg FILE`.

    \b
    kibitz board "CGP" --play "N8 SAGIEsT"
    kibitz board "CGP" --play "N8 SAGIEsT" --svg board.svg --size 800
    """
    placed = drawn_play(play, position) if play else None
    if picture is not None:
        picture.write(board_svg(position, placed, size=size, coordinates=coordinates))
        return
    console = Console()
    console.print(board_text(position, placed), soft_wrap=True)
    console.print()
    console.print(players_text(position))
