"""The generators of the laboratory find the plays of the golden positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lab.generators import ALL_GENERATORS, generator
from tests.golden.positions import LEXICON
from tests.golden.test_golden import LINES, check

if TYPE_CHECKING:
    from engine.lexicon import Catalogue


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name in ALL_GENERATORS if name not in ("internal_words", "reference")]
)
def test_every_golden_line(bundled: Catalogue, name: str) -> None:
    lexicon = bundled.open(LEXICON)
    search = generator(name, lexicon)
    for line in LINES:
        check(line, lexicon, search)
