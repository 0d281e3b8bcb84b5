"""Statistics of the internal words of a lexicon ([Sanchez2025], section 5.1.2 and table 5.5).

An internal word is a shorter word of the lexicon or a single letter inside a word; a word is not internal to
itself. A *placed internal word* is (internal word, start, length of the word); its *frequency* is the number
of words of that length that contain it there. The Spanish counts equal those of the thesis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.lexicon.build import KERNELS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from engine.lexicon.lexicon import Lexicon

SHARE_LIMITS: Final = (1, 2, 5, 10, 30)


@dataclass(frozen=True, slots=True)
class LexiconStatistics:
    """Hold the statistics of a lexicon.

    `most_frequent` is (internal word as text, start from 0, word length). `shares` maps each limit to the
    share, 0.0 to 1.0, of the placed internal words with at most that frequency.
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
    """Count the placed internal words of a lexicon, in about a second for half a million words."""
    kernel = KERNELS[lexicon.geometry]
    # kind 0: a single letter, index = letter; kind 1: a longer internal word, index = its word id
    kind, index, start, length = kernel.describe_lists(lexicon.tables)
    frequency = list_frequencies(lexicon)
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


def list_frequencies(lexicon: Lexicon) -> NDArray[np.uint32]:
    """Count the words of every list, stored or not, in the order of `describe_lists` of the kernel."""
    frequency = np.zeros(len(lexicon.section("list_starts")) - 1, np.uint32)
    scan = KERNELS[lexicon.geometry].OccurrenceScan(lexicon.tables)
    scan.count_lists(frequency, 0, lexicon.word_count)
    return frequency


def threshold_entries(lexicon: Lexicon, thresholds: Iterable[int]) -> list[dict[str, int]]:
    """Count the entries of both levels of the index for each threshold ([Sanchez2025], figure 5.6).

    The high level has an entry for each word of a list of at most `threshold` words. The low level has one
    for each multiset of tiles that completes a placed internal word to a word of a longer list. Returns dicts
    with the keys threshold, high and low.
    """
    frequency = list_frequencies(lexicon).astype(np.int64)
    classes = np.empty(lexicon.word_count, np.uint32)
    previous, number = b"", 0
    for word, codes in enumerate(lexicon.words()):  # anagrams have consecutive ids
        letters = bytes(sorted(codes))
        number += letters != previous
        previous = letters
        classes[word] = number
    multisets = np.zeros(len(frequency), np.uint32)
    scan = KERNELS[lexicon.geometry].OccurrenceScan(lexicon.tables)
    scan.count_classes(classes, np.zeros_like(multisets), multisets, 0, lexicon.word_count)
    return [
        {
            "threshold": threshold,
            "high": int(frequency[frequency <= threshold].sum()),
            "low": int(multisets[frequency > threshold].sum()),
        }
        for threshold in thresholds
    ]
