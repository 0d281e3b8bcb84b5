"""The tables of the thesis: numbers of words, layouts of keys, and both levels, against plain counting."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import WordListError
from engine.lexicon.build import build_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.queries.statistics import lexicon_statistics
from engine.lexicon.word_lists.word_list import read_word_list
from engine.rules import tile_set
from lab.tables.literal import LiteralTables
from lab.tables.literal_keys import KeyLayout
from lab.tables.stored import stored_table
from tests.movegen.worlds import many_letters, word_list

if TYPE_CHECKING:
    from pathlib import Path

    from engine.rules import TileSet


def literal(words: list[bytes], tiles: TileSet) -> Lexicon:
    """Return a lexicon of some words."""
    meta, sections = build_lexicon(word_list(words), tiles, id="x")
    return Lexicon(meta, sections, "")


def open_literal(lexicon: Lexicon) -> LiteralTables:
    return LiteralTables(lexicon, stored_table(lexicon, "literal"))


def in_english(text: str) -> list[bytes]:
    return [tile_set("english").alphabet.encode_word(word) for word in text.split()]


def test_words_are_numbered_as_in_the_thesis() -> None:
    """The empty word, letters, internal words, then the others; each group in the order of the ids."""
    lexicon = literal(in_english("ZA AB CAB CABS ZZZ"), tile_set("english"))
    tables = open_literal(lexicon)
    assert [tables.number(bytes([code])) for code in (1, 26)] == [1, 26]
    numbers = {lexicon.tile_set.alphabet.word(word): tables.number(word) for word in lexicon.words()}
    assert numbers == {"AB": 27, "CAB": 28, "ZA": 29, "ZZZ": 30, "CABS": 31}
    assert tables.last_internal_word == 28
    assert tables.number(b"\x01\x01") is None


def test_a_problem_has_the_bits_of_table_5_10() -> None:
    """Parity in bits 0 to 27, position 28 to 31, exceedance 32 to 44, internal word 45 to 63."""
    parity, exceedance, position, word = 0b101, 5, 9, 300_000
    code = exceedance << 32 | parity
    layout = KeyLayout(28, 15, 8191, 303_073, np.array([code], np.uint64))
    (key,) = layout.problems(word, position, np.array([code], np.uint64)).tolist()
    assert layout.of_the_thesis
    assert key == parity | position << 28 | exceedance << 32 | word << 45
    assert layout.placed(word, position, 11).tolist() == [word << 8 | position << 4 | 11]


@pytest.mark.parametrize(
    ("letters", "longest", "exceedances", "words"),
    [(29, 15, 1, 1), (26, 17, 1, 1), (26, 15, 8192, 1), (26, 15, 1, 1 << 19), (39, 15, 4000, 90_000)],
)
def test_what_does_not_fit_has_another_layout(
    letters: int, longest: int, exceedances: int, words: int
) -> None:
    codes = np.array([7], np.uint64)
    assert KeyLayout(28, 16, 8191, (1 << 19) - 1, codes).of_the_thesis
    assert not KeyLayout(letters, longest, exceedances, words, codes).of_the_thesis


@pytest.mark.parametrize(("letters", "longest"), [(26, 15), (28, 16), (29, 15), (39, 21), (63, 26)])
@given(data=st.data())
def test_different_problems_and_placements_have_different_keys(
    letters: int, longest: int, data: st.DataObject
) -> None:
    parity_bits = max(32, letters)
    exceedances = st.integers(1, min(8191, (1 << 64 - parity_bits) - 1))
    codes = data.draw(
        st.lists(
            st.builds(lambda e, p: e << parity_bits | p, exceedances, st.integers(0, (1 << letters) - 1)),
            min_size=1,
            unique=True,
        )
    )
    layout = KeyLayout(letters, longest, 8191, (1 << 19) - 1, np.array(codes, np.uint64))
    words, positions = st.integers(0, (1 << 19) - 1), st.integers(0, longest - 1)
    problem = st.tuples(words, positions, st.sampled_from(codes))
    problems = data.draw(st.lists(problem, min_size=1, unique=True))
    word, position, code = (np.array(column, np.uint64) for column in zip(*problems, strict=True))
    keys = layout.problems(word, position, code).tolist()
    assert len(set(keys)) == len(problems)
    placed = st.tuples(words, positions, st.integers(2, longest))
    placements = data.draw(st.lists(placed, min_size=1, unique=True))
    word, position, length = (np.array(column, np.uint64) for column in zip(*placements, strict=True))
    keys = layout.placed(word, position, length).tolist()
    assert len(set(keys)) == len(placements)
    if longest <= 15:
        assert max(keys) < 1 << 27


WORDS = st.sets(st.text("ABC", min_size=2, max_size=7), min_size=1, max_size=50)


@pytest.mark.parametrize("letters", [26, 33], ids=["layout of the thesis", "numbered multisets"])
@given(texts=WORDS)
def test_both_levels_against_plain_counting(letters: int, texts: set[str]) -> None:
    high: dict[tuple[bytes, int, int], set[bytes]] = defaultdict(set)
    low: dict[tuple[bytes, int, bytes], set[bytes]] = defaultdict(set)
    words = {bytes(ord(letter) - 64 for letter in text) for text in texts}
    for word in words:
        low[b"", 0, bytes(sorted(word))].add(word)
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                inner = word[start:end]
                if inner != word and (len(inner) == 1 or inner in words):
                    high[inner, start, len(word)].add(word)
                    low[inner, start, bytes(sorted(word))].add(word)
    lexicon = literal(list(words), many_letters(letters))
    stored = stored_table(lexicon, "literal")
    tables = LiteralTables(lexicon, stored)
    assert tables.layout.of_the_thesis == (letters == 26)
    assert len(stored["literal_placed"]) == len(high)
    assert len(stored["literal_problems"]) == len(low)

    def number(inner: bytes) -> int:
        found = tables.number(inner) if inner else 0
        assert found is not None
        return found

    for (inner, start, length), expected in high.items():
        assert {lexicon.word(found) for found in tables.words_with(number(inner), start, length)} == expected
        assert tables.frequency(number(inner), start, length) == len(expected)
        assert tables.frequency(number(inner), start, length + 8) == 0
    for (inner, start, letters_of), expected in low.items():
        codes = np.array([tables.multisets.encode(letters_of), tables.multisets.encode(b"\x04")], np.uint64)
        assert {lexicon.word(found) for found in tables.words_of(number(inner), start, codes)} == expected
        assert not len(tables.words_of(number(inner), start + 7, codes))


def test_63_letters_leave_no_room_for_exceedances() -> None:
    with pytest.raises(WordListError, match="exceedances"):
        open_literal(literal([b"\x01\x01", b"\x3f\x3f"], many_letters(63)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("list_file", "tiles", "internal"),
    [("nwl23", "english", 87_821), ("file2017", "spanish", 303_073)],
    indirect=["list_file"],
)
def test_the_numbers_of_complete_lists(list_file: Path, tiles: str, internal: int) -> None:
    """Letters and internal words have the numbers up to the count of different internal words.

    Table 5.9 of [Sanchez2025] goes to 303,102 in Spanish, because it counts the letters twice.
    """
    words = read_word_list(list_file, tile_set(tiles).alphabet, max_length=15).words.tolist()
    lexicon = literal(words, tile_set(tiles))
    stored = stored_table(lexicon, "literal")
    tables = LiteralTables(lexicon, stored)
    counted = lexicon_statistics(lexicon)
    assert tables.layout.of_the_thesis
    assert tables.last_internal_word == counted.internal_words == internal
    assert len(stored["literal_placed"]) == counted.placed_internal_words
    assert len(stored["literal_high"]) == counted.placed_occurrences
    assert len(stored["literal_low"]) == counted.placed_occurrences + counted.words
