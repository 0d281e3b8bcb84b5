"""The index of the Anagram Method holds what the paper's definition says, no more and no less."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.lexicon.build import build_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.rules import TileSet, tile_set
from lab.tables.anagrams import SECTIONS, build_anagrams, open_anagrams
from tests.movegen.worlds import many_letters, random_words, word_list

Index = dict[tuple[bytes, int], list[bytes]]


def excess(letters: bytes, tiles: TileSet) -> int:
    return sum(max(0, count - tiles.counts[code]) for code, count in Counter(letters).items())


def strings_by_definition(words: list[bytes], tiles: TileSet) -> Index:
    """Replace one or two letters of each word by blanks, in every way; the sorted rest are the string."""
    found: dict[tuple[bytes, int], set[bytes]] = {}
    for word in words:
        for blanks in (1, 2):
            for kept in combinations(sorted(word), len(word) - blanks):
                if blanks <= 2 - excess(bytes(kept), tiles):
                    found.setdefault((bytes(kept), blanks), set()).add(word)
    return {string: sorted(words) for string, words in found.items()}


def strings_of_index(
    words: list[bytes], tiles: TileSet, asked: list[tuple[bytes, int]], *, wide: bool
) -> Index:
    meta, sections = build_lexicon(word_list(words), tiles, id="test", wide=wide)
    lexicon = Lexicon(meta, sections, "")
    index = open_anagrams(build_anagrams(lexicon, lambda stage, share: None), lexicon.geometry)
    found: Index = {}
    for letters, blanks in asked:
        ids = index.words_of(lexicon.tables, bytes(code - 1 for code in letters), blanks)
        assert ids == sorted(ids)
        if ids:
            found[letters, blanks] = sorted(map(lexicon.word, ids))
    return found


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    letters=st.sampled_from((1, 2, 5, 26, 32, 39, 63)),
    count=st.integers(1, 60),
    wide=st.booleans(),
)
def test_the_index_holds_the_strings_of_the_definition(
    seed: int, letters: int, count: int, wide: bool
) -> None:
    random = Random(seed)
    tiles = many_letters(letters)
    used = tuple(sorted({1, letters, *(random.randint(1, letters) for _ in range(3))}))
    words = sorted(random_words(random, used, count, 15) or {bytes((1, 1))})
    expected = strings_by_definition(words, tiles)
    foreign = [
        (bytes(sorted(random.choices(used, k=random.randint(0, 9)))), b) for b in (1, 2) for _ in range(200)
    ]
    found = strings_of_index(words, tiles, [*expected, *foreign], wide=wide)
    assert found == expected


def test_the_example_of_the_paper() -> None:
    """Table 1: Directos_3 = ARE, ERA, ERE."""
    english = tile_set("english")
    code = english.alphabet.code
    words = [english.alphabet.encode_word(word) for word in ("ARE", "ERA", "ERE")]
    rows = {
        "AE#": "ARE ERA", "AR#": "ARE ERA", "A##": "ARE ERA", "EE#": "ERE", "ER#": "ARE ERA ERE",
        "E##": "ARE ERA ERE", "R##": "ARE ERA ERE",
    }  # fmt: skip
    expected = {
        (bytes(map(code, string.rstrip("#"))), string.count("#")): sorted(
            map(english.alphabet.encode_word, row.split())
        )
        for string, row in rows.items()
    }
    assert strings_by_definition(words, english) == expected
    assert strings_of_index(words, english, list(expected), wide=False) == expected


@pytest.mark.parametrize(("word", "expected"), [("SAFARIS", 0), ("MAXIMUM", 1)])
def test_the_excesses_of_the_paper(word: str, expected: int) -> None:
    english = tile_set("english")
    assert excess(english.alphabet.encode_word(word), english) == expected


def test_letters_that_no_tile_shows_have_no_string_left() -> None:
    """PIZZAZZ needs three blanks for its Zs: the set holds two, so no string of it has a blank to spare."""
    english = tile_set("english")
    words = [english.alphabet.encode_word("PIZZAZZ")]
    assert strings_by_definition(words, english) == {}
    assert strings_of_index(words, english, [(words[0][:-1], 1), (words[0][:-2], 2)], wide=False) == {}


def test_sections_that_do_not_fit_are_refused() -> None:
    english = tile_set("english")
    meta, sections = build_lexicon(word_list([bytes((1, 2, 3))]), english, id="odd")
    part = build_anagrams(Lexicon(meta, sections, ""), lambda stage, share: None)
    assert tuple(part) == SECTIONS
    with pytest.raises(ValueError, match="do not fit together"):
        open_anagrams(part | {"anagram_strings": part["anagram_strings"][:-8]}, meta["geometry"])
    with pytest.raises(ValueError, match="do not fit together"):
        open_anagrams(part | {"anagram_filter_blanks": part["anagram_filter_blanks"][:-1]}, meta["geometry"])
