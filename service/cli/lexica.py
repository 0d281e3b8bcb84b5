"""Opening a lexicon for a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import Catalogue
from service.cli.progress import build_progress
from service.settings import Settings

if TYPE_CHECKING:
    from engine import Lexicon


def open_lexicon(lexicon_id: str | None = None) -> Lexicon:
    """Open a lexicon, the default one if none is named; the tables of a bundled one are built if need be."""
    settings = Settings.from_environment()
    wanted = lexicon_id or settings.lexicon
    with build_progress(f"Building the tables of {wanted}") as progress:
        return Catalogue(settings.data).ensure(wanted, progress)
