"""`python -m benchmarks.drawings`: make the pictures of the documentation again."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.drawings.drawings import draw
from benchmarks.drawings.followed_board import FollowedBoard
from benchmarks.drawings.page_picture import take_page_picture
from service.cli.lexicons import open_lexicon


@click.command()
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/drawings"),
    show_default=True,
    help="The folder of the SVG files.",
)
@click.option(
    "--page",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Take a picture of the web page too, which needs Chromium and playwright.",
)
def drawings_command(output: Path, page: Path | None) -> None:
    """Draw the board that the documentation follows, with the bundled English lexicon.

    \b
    python -m benchmarks.drawings --output docs/drawings
    python -m benchmarks.drawings --page docs/page.png
    """
    for path in draw(FollowedBoard(open_lexicon("scowl80")), output):
        click.echo(path)
    if page is not None:
        take_page_picture(page)
        click.echo(page)


if __name__ == "__main__":
    drawings_command()
