"""Sort the words of a list as the tables number them: by length, then alphagram, then letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SortedWords:
    """The words of a list in the order of their ids.

    `letters` has the letter indices of the words of each length, (words, length); `starts` the first id of
    each length, and the number of words at the end. The ids of an anagram class are consecutive;
    `class_firsts` are the first ids of the classes.
    """

    letters: dict[int, NDArray[np.uint8]]
    starts: NDArray[np.uint32]
    class_firsts: NDArray[np.uint32]

    def __len__(self) -> int:
        return int(self.starts[-1])

    def classes(self) -> Iterator[tuple[int, NDArray[np.uint8]]]:
        """Yield each length with the letters of one word of each class of that length, (classes, length)."""
        for length, letters in self.letters.items():
            start = self.starts[length]
            firsts = np.searchsorted(self.class_firsts, [start, self.starts[length + 1]])
            yield length, letters[self.class_firsts[slice(*firsts)] - start]


def sort_words(words: NDArray[np.bytes_], side: int) -> SortedWords:
    """Sort distinct words in tile codes of up to `side` letters."""
    lengths = np.char.str_len(words)
    counts = np.bincount(lengths, minlength=side + 1)
    starts = np.zeros(side + 2, np.uint32)
    starts[1:] = np.cumsum(counts)
    letters: dict[int, NDArray[np.uint8]] = {}
    firsts = [np.zeros(0, np.uint32)]
    for length in map(int, np.flatnonzero(counts)):
        chosen = words[lengths == length].astype(f"S{length}")
        codes = chosen.view(np.uint8).reshape(-1, length)
        alphagrams = np.sort(codes, axis=1).view(f"S{length}").ravel()
        order = np.lexsort((chosen, alphagrams))
        letters[length] = codes[order] - np.uint8(1)
        alphagrams = alphagrams[order]
        new = np.ones(len(order), bool)
        new[1:] = alphagrams[1:] != alphagrams[:-1]
        firsts.append((np.flatnonzero(new) + int(starts[length])).astype(np.uint32))
    return SortedWords(letters, starts, np.concatenate(firsts))


def doubled_letters(words: SortedWords, letter_count: int) -> NDArray[np.int64]:
    """Return for each letter the number of words that have it twice or more."""
    return sum(
        (
            np.array(
                [np.count_nonzero((letters == letter).sum(axis=1) > 1) for letter in range(letter_count)]
            )
            for letters in words.letters.values()
        ),
        start=np.zeros(letter_count, np.int64),
    )


def letter_frequencies(words: SortedWords, letter_count: int) -> NDArray[np.int64]:
    """Return how often each letter occurs in all words."""
    return sum(
        (np.bincount(letters.ravel(), minlength=letter_count) for letters in words.letters.values()),
        start=np.zeros(letter_count, np.int64),
    )


def multiset_keys(letters: NDArray[np.uint8], letter_keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the key of the letters of each word, (words, length): the sum of the letter keys modulo 2^64."""
    keys = np.zeros(len(letters), np.uint64)
    for column in letters.T:
        keys += letter_keys[column]
    return keys
