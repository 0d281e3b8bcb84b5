"""A lexicon of made-up words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import Catalogue, tile_set
from lab.experiments.agreement import made_up_words

if TYPE_CHECKING:
    from pathlib import Path

    from engine import Lexicon


@pytest.fixture(scope="session")
def made_up_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the lexicon "made-up" in it."""
    folder = tmp_path_factory.mktemp("made-up")
    tiles = tile_set("english")
    words = folder / "words.txt"
    words.write_text("\n".join(made_up_words(tiles, 3000, 1)))
    Catalogue(folder).build_from(words, tiles, lexicon_id="made-up")
    return folder


@pytest.fixture(scope="session")
def made_up(made_up_data: Path) -> Lexicon:
    """The lexicon itself."""
    return Catalogue(made_up_data).open("made-up")
