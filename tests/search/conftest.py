"""Fixtures: the worlds of the generators' tests, and full word lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import Catalogue
from engine.rules import tile_set
from tests.movegen.conftest import worlds

if TYPE_CHECKING:
    from pathlib import Path

    from engine import Lexicon

__all__ = ["word_list", "worlds"]


@pytest.fixture(scope="session")
def word_list(
    request: pytest.FixtureRequest, bundled: Catalogue, tmp_path_factory: pytest.TempPathFactory
) -> Lexicon:
    """The English list that the parameter names: scowl80, or a tournament list of `shared_data`."""
    name: str = request.param
    if name == "scowl80":
        return bundled.open(name)
    folder: Path = request.getfixturevalue("shared_data")
    catalogue = Catalogue(tmp_path_factory.mktemp(name))
    catalogue.build_from(folder / "lexica" / f"{name}.txt", tile_set("english"), lexicon_id=name)
    return catalogue.open(name)
