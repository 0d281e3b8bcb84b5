"""Opening a lexicon for a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engine import Catalogue
from service.cli.progress import build_progress
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Lexicon
    from service.cli.game_options import Decorator

lexicon_option: Decorator = click.option(
    "--lexicon",
    "lexicon_id",
    metavar="ID",
    help="The lexicon whose words count. [default: KIBITZ_LEXICON, else scowl80]",
)


def open_lexicon(lexicon_id: str | None = None, parts: Iterable[str] = ()) -> Lexicon:
    """Open a lexicon, the default one if none is named; the tables of a bundled one are built if need be.

    `parts`: optional tables that it must have; those that it lacks are added to its file.
    """
    settings = Settings.from_environment()
    wanted = lexicon_id or settings.lexicon
    with build_progress(f"Building the tables of {wanted}") as progress:
        lexicon = Catalogue(settings.data).ensure(wanted, progress)
        if needed := set(parts):
            catalogue = Catalogue(settings.data)
            entry = next(entry for entry in catalogue.entries() if entry.id == lexicon.id)
            if lacking := sorted(needed - set(entry.parts)):
                catalogue.add_parts(lexicon.id, lacking, progress)
                lexicon = Catalogue(settings.data).open(lexicon.id)
        return lexicon
