"""The figures of the Internal-Words thesis, against a count by hand and against the thesis itself."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lexicon import Lexicon
from engine.lexicon.build import build_lexicon
from engine.lexicon.queries.statistics import SHARE_LIMITS, lexicon_statistics
from engine.lexicon.word_lists.word_list import read_word_list
from engine.rules import tile_set

if TYPE_CHECKING:
    from pathlib import Path

    from engine.lexicon.queries.statistics import LexiconStatistics


@lru_cache(maxsize=8)  # two tests ask for each complete list
def figures_of(source: Path | bytes, tiles: str, *, wide: bool = False) -> LexiconStatistics:
    word_list = read_word_list(source, tile_set(tiles).alphabet, max_length=15)
    meta, sections = build_lexicon(word_list, tile_set(tiles), id="x", wide=wide)
    return lexicon_statistics(Lexicon(meta, sections, ""))


def test_the_statistics_of_a_small_lexicon() -> None:
    """ABA holds A at 0 and 2, B at 1, AB at 0, BA at 1; AB holds A at 0, B at 1; BA likewise."""
    counted = figures_of(b"ab\nba\naba\n", "english")
    assert counted.words == 3
    assert counted.words_by_length == {2: 2, 3: 1}
    assert counted.placed_occurrences == 9
    assert counted.placed_internal_words == 9
    assert counted.internal_words == 4
    assert counted.most_frequent_count == 1
    assert counted.shares == dict.fromkeys(SHARE_LIMITS, 1.0)
    assert counted.occurrences_by_length == {1: 7, 2: 2, 3: 0, 4: 0}
    assert (counted.most_common, counted.most_common_count) == ("A", 4)
    assert counted.common_shares == {1: 0.5, 2: 0.5, 5: 1.0, 10: 1.0, 30: 1.0}  # AB and BA have 1
    assert counted.id_ranges == {
        "empty word": (0, 0),
        "letters": (1, 26),
        "internal words": (27, 28),
        "other words": (29, 29),
    }


def test_corazon_has_twelve_internal_words() -> None:
    """C, COR, CORA, O, ORA, R, RA, RAZON, A, Z, O and N ([Sanchez2025], section 5.1.1 and table 5.4)."""
    others = b"cor\ncora\nora\nra\nrazon\n"
    without = figures_of(others, "spanish").placed_occurrences
    assert figures_of(others + b"corazon\n", "spanish").placed_occurrences == without + 12


WORDS = st.sets(st.text("abc", min_size=2, max_size=7), min_size=1, max_size=60)


@pytest.mark.parametrize("wide", [False, True])
@given(words=WORDS)
def test_any_lexicon_against_plain_counting(wide: bool, words: set[str]) -> None:
    placed: Counter[tuple[str, int, int]] = Counter()
    for word in words:
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                inner = word[start:end]
                if inner != word and (len(inner) == 1 or inner in words):
                    placed[inner.upper(), start, len(word)] += 1
    counted = figures_of("\n".join(words).encode(), "english", wide=wide)
    assert counted.placed_occurrences == placed.total()
    assert counted.placed_internal_words == len(placed)
    assert counted.internal_words == len({inner for inner, _, _ in placed})
    assert counted.most_frequent_count == max(placed.values())
    assert placed[counted.most_frequent] == counted.most_frequent_count
    for limit, share in counted.shares.items():
        assert share == pytest.approx(sum(count <= limit for count in placed.values()) / len(placed))
    common: Counter[str] = Counter()
    by_length = dict.fromkeys(range(1, 5), 0)
    for (inner, _, _), count in placed.items():
        common[inner] += count
        by_length[min(len(inner), 4)] += count
    assert counted.occurrences_by_length == by_length
    assert common[counted.most_common] == counted.most_common_count == max(common.values())
    for limit, share in counted.common_shares.items():
        assert share == pytest.approx(sum(count <= limit for count in common.values()) / len(common))
    assert counted.id_ranges["internal words"] == (27, 26 + sum(len(inner) > 1 for inner in common))
    assert counted.id_ranges["other words"][1] == 26 + len(words)


@pytest.mark.parametrize(
    ("list_file", "tiles", "occurrences", "placed", "internal", "most_frequent", "count", "shares"),
    [
        (
            "file2017",
            "spanish",
            14_441_912,
            1_059_816,
            303_073,
            ("S", 10, 11),
            54_049,
            (51.6, 72.0, 83.4, 92.6, 97.5),
        ),
        ("nwl23", "english", 3_566_258, 315_630, 87_821, ("S", 8, 9), 12_129, (57.1, 73.0, 86.4, 92.1, 96.5)),
        ("twl06", "english", 3_122_276, 282_846, 78_986, ("S", 8, 9), 11_165, (57.6, 73.6, 86.9, 92.3, 96.6)),
        (
            "scowl80",
            "english",
            4_502_316,
            385_537,
            106_362,
            ("S", 8, 9),
            14_229,
            (56.8, 72.9, 86.6, 92.3, 96.7),
        ),
    ],
    indirect=["list_file"],
)
@pytest.mark.long
def test_the_statistics_of_complete_lists(
    list_file: Path,
    tiles: str,
    occurrences: int,
    placed: int,
    internal: int,
    most_frequent: tuple[str, int, int],
    count: int,
    shares: tuple[float, ...],
) -> None:
    """The four Spanish counts are those of [Sanchez2025], table 5.5.

    Of its Spanish shares it prints the last two as 92.0 and 97.6, which its own counts do not give. Those of
    scowl80 were counted by a plain loop over all parts of its words.
    """
    counted = figures_of(list_file, tiles)
    assert counted.placed_occurrences == occurrences
    assert counted.placed_internal_words == placed
    assert counted.internal_words == internal
    assert (counted.most_frequent, counted.most_frequent_count) == (most_frequent, count)
    assert tuple(round(100 * share, 1) for share in counted.shares.values()) == shares


@pytest.mark.parametrize(
    ("list_file", "tiles", "by_length", "common", "shares", "first_other"),
    [
        (
            "file2017",
            "spanish",
            (44.0, 18.7, 11.1, 26.2),
            ("A", 1_057_232),
            (42.7, 49.2, 76.6, 85.2, 92.7),
            303_074,
        ),
        (
            "nwl23",
            "english",
            (49.5, 21.4, 12.9, 16.2),
            ("E", 202_218),
            (54.2, 65.9, 82.8, 89.5, 95.4),
            87_822,
        ),
        (
            "scowl80",
            "english",
            (50.2, 19.8, 12.9, 17.1),
            ("E", 253_551),
            (52.7, 65.6, 82.3, 89.1, 95.2),
            106_363,
        ),
    ],
    indirect=["list_file"],
)
@pytest.mark.long
def test_internal_words_at_any_place(
    list_file: Path,
    tiles: str,
    by_length: tuple[float, ...],
    common: tuple[str, int],
    shares: tuple[float, ...],
    first_other: int,
) -> None:
    """The Spanish figures are those of [Sanchez2025], tables 5.1 and 5.3, but for the last share (92.8).

    The English shares of table 5.3 come out; its E has 202,247, and table 5.1 prints 49.8, 21.6, 12.8 and
    15.8 %, both of a list of 39 words more.
    """
    counted = figures_of(list_file, tiles)
    occurrences = counted.occurrences_by_length.values()
    assert tuple(round(100 * count / counted.placed_occurrences, 1) for count in occurrences) == by_length
    assert (counted.most_common, counted.most_common_count) == common
    assert tuple(round(100 * share, 1) for share in counted.common_shares.values()) == shares
    assert counted.id_ranges["other words"][0] == first_other
