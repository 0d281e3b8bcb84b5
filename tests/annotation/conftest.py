"""The bundled lexicon, and annotated games that the engine played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.analysis import annotate
from tests.annotation.games import recorded_game

if TYPE_CHECKING:
    from engine.analysis import Annotation
    from engine.lexicon import Lexicon
    from engine.lexicon.catalogue import Catalogue


@pytest.fixture(scope="session")
def scowl(bundled: Catalogue) -> Lexicon:
    return bundled.open("scowl80")


@pytest.fixture(scope="session")
def annotated(scowl: Lexicon) -> list[Annotation]:
    """Three games of the static player, who begins, against the greedy one."""
    return [annotate(recorded_game(scowl, number), scowl) for number in range(3)]
