"""Examples that the sources print for the Spanish list, on the list of 2017."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from engine.lexicon.word_lists.word_list import read_word_list
from engine.rules import tile_set

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("list_file", ["file2017"], indirect=True)
def test_left_parts_of_a_rack(list_file: Path) -> None:
    """Of the strings of up to three tiles of DEEIMNT, 83 of 173 begin a word ([Heuri], section 4.1.3)."""
    alphabet = tile_set("spanish").alphabet
    words = read_word_list(list_file, alphabet, max_length=15).words.tolist()
    beginnings = {bytes(word[:size]) for word in words for size in range(4)}
    rack = alphabet.encode_word("DEEIMNT")
    strings = {bytes(part) for size in range(4) for part in permutations(rack, size)}
    assert len(strings) == 173
    assert len(strings & beginnings) == 83
