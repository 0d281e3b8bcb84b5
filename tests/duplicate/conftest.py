"""A lexicon of few tiles, so that games are short."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.selfplay.worlds import few_tiles, playable

if TYPE_CHECKING:
    from engine.lexicon import Lexicon


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    """A lexicon of made-up words over the letters A to G, eight tiles of each and a blank."""
    return playable(tmp_path_factory.mktemp("few"), few_tiles(7, 8))
