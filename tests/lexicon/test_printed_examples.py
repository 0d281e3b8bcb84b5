"""Examples and counts that the sources print, on the word lists of their owners."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.lexicon.word_lists.word_list import read_word_list
from engine.rules import tile_set

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.long
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


@pytest.mark.slow
@pytest.mark.parametrize("list_file", ["nwl23"], indirect=True)
def test_feasible_multisets(list_file: Path) -> None:
    """More than nine million multisets are those of a word or part of one ([Sanchez2025], section 3.3)."""
    words = read_word_list(list_file, tile_set("english").alphabet, max_length=15).words
    letters = words.view(np.uint8).reshape(len(words), -1)
    counts = np.stack([(letters == code).sum(1) for code in range(1, 27)], axis=1).astype(np.uint8)
    lengths = counts.sum(1)
    keys = np.random.default_rng(1).integers(0, 1 << 63, 26, dtype=np.uint64)
    feasible = 1  # the empty one
    parts = counts[:0]  # of larger multisets, less one letter
    for size in range(15, 0, -1):
        parts = np.concatenate([parts, counts[lengths == size]])
        sums, first = np.unique((parts * keys).sum(1, dtype=np.uint64), return_index=True)
        parts = parts[first]
        feasible += len(parts)
        whole, letter = np.nonzero(parts)
        first = np.unique(sums[whole] - keys[letter], return_index=True)[1]
        parts, letter = parts[whole[first]], letter[first]
        parts[np.arange(len(parts)), letter] -= 1
    assert feasible == 9_580_999
