"""The rarity of words, which decides the words that a weaker player knows.

A word list does not say how often a word is used. Rarity is estimated from the spelling and the length of a
word, and from a random number that depends on the word alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.lexicon import Lexicon

MAX_RARITY: Final = 65535
"""The rarity of the rarest word; the most familiar word has 0."""

FULL_WEIGHT: Final = 6  # tiles; the spelling of shorter words counts less
PER_LETTER: Final = 0.9  # weight of a letter, in standard deviations of the spelling
RANDOM_WEIGHT: Final = 0.7  # standard deviation of the random number, in the same unit


@lru_cache(maxsize=4)
def word_rarity(lexicon: Lexicon) -> NDArray[np.uint16]:
    """Return how rare each word of a lexicon looks, by word id: numbers evenly spread from 0 to MAX_RARITY.

    A word looks rarer the less frequent its pairs of neighbouring letters are in the list (bits per letter),
    and the longer it is. The random number depends on the letters alone, so that it is the same in every
    lexicon.
    """
    width = lexicon.max_length + 2  # a 0 before the word and one after it
    padded = b"".join([b"\0" + word.ljust(width - 1, b"\0") for word in lexicon.words()])
    letters = np.frombuffer(padded, np.uint8).reshape(-1, width)
    lengths = (letters > 0).sum(axis=1)
    size = lexicon.tile_set.alphabet.size + 1
    pairs = letters[:, :-1].astype(np.int32) * size + letters[:, 1:]
    counts = np.bincount(pairs.ravel(), minlength=size * size).astype(np.float64).reshape(size, size) + 1
    counts[0, 0] = 1  # the padding
    bits = -np.log2(counts / counts.sum(axis=1, keepdims=True)).ravel()
    bits[0] = 0
    spelling = bits[pairs].sum(axis=1) / (lengths + 1)
    spread = float(spelling.std()) or 1.0
    spelled = (spelling - spelling.mean()) / spread * np.minimum(lengths / FULL_WEIGHT, 1)
    rare = spelled + PER_LETTER * lengths + RANDOM_WEIGHT * _chance(letters)
    ranks = np.empty(len(rare), np.int64)
    ranks[np.argsort(rare, kind="stable")] = np.arange(len(rare))
    rarity: NDArray[np.uint16] = (ranks * MAX_RARITY // max(1, len(rare) - 1)).astype(np.uint16)
    return rarity


def _chance(letters: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return a normal random number for each row of tile codes, which depends on the codes alone."""
    mixed = np.zeros(len(letters), np.uint64)
    for column in range(letters.shape[1]):
        codes = letters[:, column].astype(np.uint64)
        mixed = np.where(codes > 0, scrambled(mixed + codes), mixed)
    return normals(mixed)


def scrambled(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the output of splitmix64 for each number (Steele, Lea and Flood 2014); a bijection."""
    z = numbers + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return mixed


def normals(numbers: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return normal numbers of mean 0 and deviation 1 from 64 random bits each (Box and Muller 1958)."""
    first = ((numbers >> np.uint64(32)).astype(np.float64) + 0.5) / 2**32
    second = (numbers & np.uint64(0xFFFFFFFF)).astype(np.float64) / 2**32
    drawn: NDArray[np.float64] = np.sqrt(-2 * np.log(first)) * np.cos(2 * np.pi * second)
    return drawn
