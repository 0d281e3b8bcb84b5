"""Lexicons for the library's tests: the bundled one, and one of few tiles, so that games are short."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import kibitz
from tests.selfplay.worlds import few_tiles, playable

if TYPE_CHECKING:
    from engine.lexicon.catalogue import Catalogue


@pytest.fixture(scope="session")
def lexicon(bundled: Catalogue) -> kibitz.Lexicon:
    """The bundled English lexicon."""
    return kibitz.Lexicon.open("scowl80", data=bundled.data_directory)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> kibitz.Lexicon:
    """A lexicon of made-up words over seven letters, four tiles of each and a blank."""
    folder = tmp_path_factory.mktemp("small")
    tiles = few_tiles(7, 4)
    playable(folder, tiles)
    return kibitz.Lexicon.open(folder / "tables" / f"{tiles.id}.kibitz")


@pytest.fixture(scope="session")
def window(lexicon: kibitz.Lexicon) -> kibitz.Position:
    """The position of the architecture's example."""
    return kibitz.Position.from_cgp(
        "15/15/15/15/15/15/15/7WINdOW2/15/15/15/15/15/15/15 AEGIST?/ 0/22 0", lexicon
    )


ROOT = Path(__file__).parents[2]
