"""The graph of multisets in a lexicon's tables, against plain counting."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lexicon.build import KERNELS, build_lexicon
from engine.lexicon.word_list import read_word_list
from engine.rules import tile_set

LONGEST = 8  # a rack of seven tiles and one tile of the board


@pytest.mark.parametrize("wide", [False, True])
@given(words=st.sets(st.text("abcz", min_size=2, max_size=11), min_size=1, max_size=60))
def test_each_node_names_the_letters_that_complete_it_and_no_other_node_is_there(
    wide: bool, words: set[str]
) -> None:
    tiles = tile_set("english")
    word_list = read_word_list("\n".join(words).encode(), tiles.alphabet, max_length=15)
    _, sections = build_lexicon(word_list, tiles, id="x", wide=wide)
    letter_keys = [int(key) for key in sections["letter_keys"]]
    expected: dict[int, int] = defaultdict(int)
    for word in words:
        letters = [ord(letter) - ord("a") for letter in word]
        for letter in letters if len(word) <= LONGEST else ():
            key = (sum(letter_keys[x] for x in letters) - letter_keys[letter]) % 2**64
            expected[key] |= 1 << letter

    kernel = KERNELS["wide" if wide else "narrow"]
    nodes = sections["multiset_nodes"].view(kernel.MASK_DTYPE).reshape(-1, 2)
    bits = len(nodes).bit_length() - 1
    assert len(nodes) == 1 << bits
    assert np.count_nonzero(nodes[:, 0]) == len(expected) < len(nodes)
    kept = sections["multiset_filter"]
    for key, letters_of_node in expected.items():
        slot = key >> (64 - bits)
        while nodes[slot, 1] != key % 2 ** (8 * kernel.MASK_DTYPE.itemsize):
            assert nodes[slot, 0], "a free slot ends the search"
            slot = (slot + 1) % len(nodes)
        assert nodes[slot, 0] == letters_of_node
        bit = key >> (64 - (len(kept) * 32).bit_length() + 1)
        assert kept[bit >> 5] >> (bit & 31) & 1
