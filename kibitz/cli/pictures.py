"""Options that write a picture of the board: --svg, --png, --dark."""

from __future__ import annotations

from functools import wraps
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from engine import MAX_PNG_SIZE, board_svg, png_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Play, Position
    from kibitz.cli.options import Decorator


class PictureFiles(NamedTuple):
    """The files that a picture is written to; false if there is none."""

    svg: IO[str] | None
    png: IO[bytes] | None
    dark: bool

    def __bool__(self) -> bool:
        return self.svg is not None or self.png is not None

    def write(
        self, position: Position, play: Play | None, *, size: int = 600, coordinates: bool = True
    ) -> None:
        """Draw a position with the tiles of a play into the files.

        Raises InvalidInput if a PNG cannot be drawn; the files stay as they were then.
        """
        drawn = board_svg(position, play, size=size, coordinates=coordinates, dark=self.dark)
        if self.png is not None:
            if size > MAX_PNG_SIZE:
                raise click.BadParameter(f"a PNG is at most {MAX_PNG_SIZE} pixels wide", param_hint="--size")
            self.png.write(png_of(drawn))
        if self.svg is not None:
            self.svg.write(drawn)


def picture_options(what: str) -> Decorator:
    """Return the options of a picture, for a command that is called with PictureFiles as `pictures`.

    If the command fails, existing files stay as they were.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @click.option(
            "--svg",
            type=click.File("w", encoding="utf-8", lazy=True, atomic=True),
            metavar="FILE",
            help=f'Write {what} to FILE as SVG ("-": standard output).',
        )
        @click.option(
            "--png",
            type=click.File("wb", lazy=True, atomic=True),
            metavar="FILE",
            help=f"Write {what} to FILE as PNG; needs pip install 'kibitz[png]'.",
        )
        @click.option("--dark", is_flag=True, help="Draw the picture for a dark page.")
        @wraps(command)
        def with_pictures(
            *args: Any, svg: IO[str] | None, png: IO[bytes] | None, dark: bool, **options: Any
        ) -> None:
            command(*args, pictures=PictureFiles(svg, png, dark), **options)

        return with_pictures

    return decorate
