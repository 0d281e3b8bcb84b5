"""Worlds and lexicons that the generators' tests share, built once per session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine.lexicon.word_lists.word_list import read_word_list
from engine.movegen import InternalWords
from engine.rules import tile_set
from tests.movegen.implementations import by_threshold
from tests.movegen.worlds import World, all_worlds, open_lexicon

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine.lexicon import Lexicon
    from tests.large_list import LargeList


@pytest.fixture
def generator() -> Callable[[Lexicon], Any]:
    """Makes the generator that a test is about; the laboratory has others."""
    return InternalWords


@pytest.fixture
def implementations() -> Callable[[Lexicon], dict[str, Any]]:
    """Makes that generator in all its forms, by name."""
    return by_threshold


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, World]:
    """Small lexicons of every kind, by name."""
    return all_worlds(tmp_path_factory.mktemp("worlds"))


@pytest.fixture(scope="session")
def large(large_list: LargeList, tmp_path_factory: pytest.TempPathFactory) -> World:
    """The world of the largest word list available."""
    english, name = tile_set("english"), large_list.id
    words = read_word_list(large_list.words, english.alphabet, max_length=16).words.tolist()
    lexicon = open_lexicon(tmp_path_factory.mktemp(name), name, english, words)
    return World(name, english, tuple(words), tuple(range(1, 27)), lexicon)


@pytest.fixture(scope="session")
def twl06(shared_data: Path, large: World) -> World:
    """The world of TWL06, for the figures that are known of that list."""
    assert large.name == "twl06", shared_data
    return large
