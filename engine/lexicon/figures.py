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
    from engine.lexicon.lexicon import Lexicon

SHARE_LIMITS: Final = (1, 2, 5, 10, 30)


@dataclass(frozen=True, slots=True)
class Figures:
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


def figures(lexicon: Lexicon) -> Figures:
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
    return Figures(
        words=lexicon.word_count,
        words_by_length=dict(lexicon.counts_by_length),
        placed_occurrences=int(present.sum(dtype=np.int64)),
        placed_internal_words=len(present),
        internal_words=names.shape[1],
        most_frequent=(lexicon.tile_set.alphabet.word(spelled), int(start[top]), int(length[top])),
        most_frequent_count=int(frequency[top]),
        shares={limit: float((present <= limit).mean()) for limit in SHARE_LIMITS},
    )
