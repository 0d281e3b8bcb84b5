"""The words of a lexicon as arrays, and the hooks among words.

Words of one length are an array of tile codes 1..n, (words, length), or, for comparing and sorting, an array
of byte strings of that length, (words,), whose order is that of the alphabet of the tile set.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.lexicon.lexicon import Lexicon

FRONT: Final = 0
"""The end of a word where a letter is added before it."""
BACK: Final = 1
"""The end of a word where a letter is added after it."""


def letters_of_length(lexicon: Lexicon, length: int) -> NDArray[np.uint8]:
    """Return the letter indices of the words of a length in the order of the ids, (words, length)."""
    starts = lexicon.section("length_starts").tolist()
    counts = [end - start for start, end in pairwise(starts)]
    first = sum(n * count for n, count in enumerate(counts[:length]))
    letters: NDArray[np.uint8] = lexicon.section("letters")[first : first + counts[length] * length]
    return letters.reshape(-1, length)


def codes_of_length(lexicon: Lexicon, length: int) -> NDArray[np.uint8]:
    """Return the tile codes of the words of a length in the order of the ids, (words, length)."""
    return letters_of_length(lexicon, length) + np.uint8(1)


def spelled(codes: NDArray[np.uint8]) -> NDArray[np.bytes_]:
    """Return tile codes, (words, length), as byte strings, (words,)."""
    return np.ascontiguousarray(codes).view(f"S{codes.shape[1]}").ravel()


def codes_of(words: NDArray[np.bytes_]) -> NDArray[np.uint8]:
    """Return byte strings as tile codes; the inverse of `spelled`."""
    return np.ascontiguousarray(words).view(np.uint8).reshape(len(words), words.dtype.itemsize)


def places_in(words: NDArray[np.bytes_], listed: NDArray[np.bytes_]) -> NDArray[np.int64]:
    """Return the index of each word in a sorted list without duplicates, -1 for a word that is not in it."""
    if not len(listed):
        return np.full(len(words), -1, np.int64)
    places = np.minimum(np.searchsorted(listed, words), len(listed) - 1)
    return np.where(listed[places] == words, places, -1)


def hooks_among(
    words: NDArray[np.bytes_], longer: NDArray[np.uint8]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Find the hooks that words of one more tile are for `words`, which are sorted.

    `longer` are the tile codes of the longer words, (words, length + 1). Returns, for each hook, the index of
    the word, FRONT or BACK, and the tile code of the letter, sorted by these three.
    """
    found = []
    for end, rest, letter in ((FRONT, longer[:, 1:], longer[:, 0]), (BACK, longer[:, :-1], longer[:, -1])):
        places = places_in(spelled(rest), words)
        fits = places >= 0
        found.append((places[fits], np.full(int(fits.sum()), end), letter[fits]))
    places, ends, letters = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.lexsort((letters, ends, places))
    return places[order], ends[order], letters[order]
