"""Statistics of the internal words of a lexicon ([Sanchez2025], sections 5.1 and 5.5.5, tables 5.1 to 5.9).

An internal word is a shorter word of the lexicon or a single letter inside a word; a word is not internal to
itself. Its *frequency* is the number of places at which words contain it: the text speaks of the words that
contain it, but prints frequencies above the number of words. A *placed internal word* is (internal word,
start, length of the word); its frequency is the number of words of that length that contain it there. The
Spanish counts equal those of the thesis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.lexicon.lexicon import Lexicon

SHARE_LIMITS: Final = (1, 2, 5, 10, 30)
LONG: Final = 4
"""The length from which internal words are counted together."""


@dataclass(frozen=True, slots=True)
class LexiconStatistics:
    """Hold the statistics of a lexicon.

    Of internal words: `occurrences_by_length` maps lengths 1 to LONG to the number of their occurrences,
    that of LONG to those of longer ones too; `most_common`, as text, has the frequency `most_common_count`;
    `common_shares` is like `shares`. Of placed internal words: `most_frequent` is (internal word as text,
    start from 0, word length); `shares` maps each limit to the share, 0.0 to 1.0, of those with at most that
    frequency. `id_ranges`: see the function of that name.
    """

    words: int
    words_by_length: dict[int, int]
    placed_occurrences: int
    placed_internal_words: int
    internal_words: int
    occurrences_by_length: dict[int, int]
    most_common: str
    most_common_count: int
    common_shares: dict[int, float]
    most_frequent: tuple[str, int, int]
    most_frequent_count: int
    shares: dict[int, float]
    id_ranges: dict[str, tuple[int, int]]


def lexicon_statistics(lexicon: Lexicon) -> LexiconStatistics:
    """Count the placed internal words of a lexicon, in about a second for half a million words."""
    # kind 0: a single letter, index = letter; kind 1: a longer internal word, index = its word id
    kind, index, start, length = lexicon.kernels.tables.describe_lists(lexicon.tables)
    frequency = list_frequencies(lexicon).astype(np.int64)
    occurring = frequency > 0
    present = frequency[occurring]
    names, of_name = np.unique(np.stack([kind, index])[:, occurring], axis=1, return_inverse=True)
    by_name = np.bincount(of_name.reshape(-1), present).astype(np.int64)
    lengths = np.ones(names.shape[1], np.int64)
    longer = names[0] == 1
    lengths[longer] = np.searchsorted(lexicon.section("length_starts"), names[1, longer], "right") - 1
    by_length = np.bincount(np.minimum(lengths, LONG), by_name, minlength=LONG + 1)

    def spelled(kind: int, index: int) -> bytes:
        return lexicon.word(index) if kind else bytes([index + 1])

    text = lexicon.tile_set.alphabet.word
    top, common = int(frequency.argmax()), int(by_name.argmax())
    letters = int((names[0] == 0).sum())
    return LexiconStatistics(
        words=lexicon.word_count,
        words_by_length=dict(lexicon.counts_by_length),
        placed_occurrences=int(present.sum(dtype=np.int64)),
        placed_internal_words=len(present),
        internal_words=names.shape[1],
        occurrences_by_length={n: int(by_length[n]) for n in range(1, LONG + 1)},
        most_common=text(spelled(*names[:, common].tolist())),
        most_common_count=int(by_name[common]),
        common_shares=_shares(by_name),
        most_frequent=(text(spelled(int(kind[top]), int(index[top]))), int(start[top]), int(length[top])),
        most_frequent_count=int(frequency[top]),
        shares=_shares(present),
        id_ranges=id_ranges(lexicon.tile_set.alphabet.size, names.shape[1] - letters, lexicon.word_count),
    )


def list_frequencies(lexicon: Lexicon) -> NDArray[np.uint32]:
    """Count the words of every list, stored or not, in the order of `describe_lists` of the kernel."""
    frequency = np.zeros(len(lexicon.section("list_starts")) - 1, np.uint32)
    scan = lexicon.kernels.tables.OccurrenceScan(lexicon.tables)
    scan.count_lists(frequency, 0, lexicon.word_count)
    return frequency


def id_ranges(letters: int, internal_words: int, words: int) -> dict[str, tuple[int, int]]:
    """Return the first and last ids of each kind of string in the thesis's numbering.

    `letters`: of the alphabet; `internal_words`: words that occur inside others; `words`: of the lexicon. The
    empty word has the id 0, letters follow, then the internal words, then all other words ([Sanchez2025],
    section 5.5.5). Table 5.9 of the text counts the letters among the internal words too, and ends one id
    later.
    """
    last = letters + internal_words
    return {
        "empty word": (0, 0),
        "letters": (1, letters),
        "internal words": (letters + 1, last),
        "other words": (last + 1, letters + words),
    }


def _shares(frequency: NDArray[np.int64]) -> dict[int, float]:
    """Return the share of entries of at most each limit."""
    return {limit: float((frequency <= limit).mean()) for limit in SHARE_LIMITS}
