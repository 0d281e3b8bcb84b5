"""`python -m lab.drawings`: make the pictures of the documentation again."""

from __future__ import annotations

from pathlib import Path

import click

from kibitz.cli.lexicons import open_lexicon
from lab.drawings.drawings import draw
from lab.drawings.followed_board import FollowedBoard


@click.command()
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/drawings"),
    show_default=True,
    help="The folder of the SVG files.",
)
def drawings_command(output: Path) -> None:
    """Draw the board that the documentation follows, with the bundled English lexicon.

    \b
    python -m lab.drawings --output docs/drawings
    """
    for path in draw(FollowedBoard(open_lexicon("scowl80")), output):
        click.echo(path)


if __name__ == "__main__":
    drawings_command()
