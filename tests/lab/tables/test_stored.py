"""Stored tables: made at their first use beside the lexicon's table, which stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.lexicon.catalogue import Catalogue
from engine.rules import tile_set
from lab.tables.stored import BUILDERS, stored_table

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon import Lexicon


@pytest.fixture
def lexicon(tmp_path: Path) -> Lexicon:
    (tmp_path / "words.txt").write_text("AB\nABA\nBA\nBAA\nABBA\n")
    catalogue = Catalogue(tmp_path)
    catalogue.build_from(tmp_path / "words.txt", tile_set("english"), lexicon_id="small")
    return catalogue.open("small")


@pytest.mark.parametrize("name", BUILDERS)
def test_a_table_is_made_once(lexicon: Lexicon, name: str, tmp_path: Path) -> None:
    stages = []
    made = stored_table(lexicon, name, lambda stage, share: stages.append(stage))
    assert stages
    file = tmp_path / "derived" / f"small.{name}.kibitz"
    written = file.stat().st_mtime_ns
    stages.clear()
    again = stored_table(lexicon, name, lambda stage, share: stages.append(stage))
    assert (stages, file.stat().st_mtime_ns) == ([], written)
    assert made.keys() == again.keys()
    for each, array in made.items():
        assert np.array_equal(array, again[each]), each


def test_a_table_of_other_words_is_made_again(lexicon: Lexicon, tmp_path: Path) -> None:
    before = len(stored_table(lexicon, "dawg")["dawg_words"])
    (tmp_path / "words.txt").write_text("AB\nABA\n")
    catalogue = Catalogue(tmp_path)
    catalogue.build_from(tmp_path / "words.txt", tile_set("english"), lexicon_id="small")
    assert len(stored_table(catalogue.open("small"), "dawg")["dawg_words"]) < before
