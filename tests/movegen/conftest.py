"""Worlds and lexicons that the generators' tests share, built once per session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.lexicon.word_list import read_word_list
from engine.rules import tile_set
from tests.movegen.worlds import World, all_worlds, open_lexicon

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, World]:
    """Small lexicons of every kind, by name."""
    return all_worlds(tmp_path_factory.mktemp("worlds"))


@pytest.fixture(scope="session")
def twl06(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> World:
    """The tournament list that the oracle's figures belong to."""
    english = tile_set("english")
    words = read_word_list(shared_data / "lexica" / "twl06.txt", english.alphabet, max_length=16).words
    lexicon = open_lexicon(tmp_path_factory.mktemp("twl06"), "twl06", english, words)
    return World("twl06", english, tuple(words), tuple(range(1, 27)), lexicon)
