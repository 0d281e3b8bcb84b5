"""The figures of a lexicon that the Internal-Words thesis prints, counted from the built tables.

A *placed internal word* is (internal word, start, length of the whole word); its *frequency* is how many
words of that length contain it there. An internal word is a shorter word of the lexicon or a single letter;
a word is not internal to itself (with that reading the thesis's Spanish figures come out exactly).

Source: thesis 001, section 5.1.2 and table 5.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.lexicon.build import KERNELS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.lexicon.lexicon import Lexicon

SHARE_LIMITS: Final = (1, 2, 5, 10, 30)


@dataclass(frozen=True, slots=True)
class LexiconStatistics:
    """Hold the counts of one lexicon.

    ``most_frequent`` is (internal word spelled out, start from 0, word length), ``shares`` maps each limit
    to the share (0.0 to 1.0) of the distinct placed internal words whose frequency is at most that.
    """

    words: int
    words_by_length: dict[int, int]
    placed_occurrences: int
    placed_internal_words: int
    internal_words: int
    most_frequent: tuple[str, int, int]
    most_frequent_count: int
    shares: dict[int, float]


def lexicon_statistics(lexicon: Lexicon) -> LexiconStatistics:
    """Count the placed internal words of a lexicon; takes about a second for half a million words."""
    kernel = KERNELS[lexicon.geometry]
    # kind 0: a single letter, index = letter; kind 1: a longer internal word, index = its word id
    kind, index, start, length = kernel.describe_lists(lexicon.tables)
    frequency = np.diff(lexicon.section("list_starts"))
    occurring = frequency > 0
    names = np.unique(np.stack([kind, index])[:, occurring], axis=1)
    top = int(frequency.argmax())
    spelled = bytes([int(index[top]) + 1]) if kind[top] == 0 else lexicon.word(int(index[top]))
    present = frequency[occurring]
    return LexiconStatistics(
        words=lexicon.word_count,
        words_by_length=dict(lexicon.counts_by_length),
        placed_occurrences=int(present.sum(dtype=np.int64)),
        placed_internal_words=len(present),
        internal_words=names.shape[1],
        most_frequent=(lexicon.tile_set.alphabet.word(spelled), int(start[top]), int(length[top])),
        most_frequent_count=int(frequency[top]),
        shares={limit: float((present <= limit).mean()) for limit in SHARE_LIMITS},
    )


def threshold_entries(lexicon: Lexicon, thresholds: Iterable[int]) -> list[dict[str, int]]:
    """Count the entries of the thesis's two index tables for each threshold.

    The high level has an entry for each word of a list of at most `threshold` words; the low level one for
    each multiset of tiles that completes a placed internal word to a word of a longer list. Returns objects
    with threshold, high and low. Source: thesis 001, figure 5.6.
    """
    starts = lexicon.section("list_starts").astype(np.int64)
    frequency = starts[1:] - starts[:-1]
    anagrams = np.empty(lexicon.word_count, np.int64)
    previous, number = b"", -1
    for word, codes in enumerate(lexicon.words()):  # in the order of the ids, anagrams stand together
        letters = bytes(sorted(codes))
        number += letters != previous
        previous = letters
        anagrams[word] = number
    lists = np.repeat(np.arange(len(frequency)), frequency)
    keys = lists * np.int64(number + 1) + anagrams[lexicon.section("list_words")[: len(lists)]]
    multisets = np.bincount(np.unique(keys) // np.int64(number + 1), minlength=len(frequency))
    return [
        {
            "threshold": threshold,
            "high": int(frequency[frequency <= threshold].sum()),
            "low": int(multisets[frequency > threshold].sum()),
        }
        for threshold in thresholds
    ]
