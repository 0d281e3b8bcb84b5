"""The graph of multisets in a lexicon's tables, against plain counting."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lexicon.build import build_lexicon
from engine.lexicon.kernels import KERNELS
from engine.lexicon.word_lists.word_list import read_word_list
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

    kernel = KERNELS["wide" if wide else "narrow"].tables
    nodes = sections["multiset_nodes"].view([("letters", kernel.MASK_DTYPE), ("tag", np.uint32)])
    homes = len(nodes) - kernel.SLOTS_AFTER_HOMES
    assert np.count_nonzero(nodes["letters"]) == len(expected) <= homes
    kept = sections["multiset_filter"]
    for key, letters_of_node in expected.items():
        slot = (key >> 32) * homes >> 32
        while nodes["tag"][slot] != key >> 32:
            assert nodes["letters"][slot], "a free slot ends the search"
            slot += 1
        assert nodes["letters"][slot] == letters_of_node
        bit = key >> (64 - (len(kept) * 32).bit_length() + 1)
        assert kept[bit >> 5] >> (bit & 31) & 1
