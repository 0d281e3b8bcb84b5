"""The 64-bit keys of the Internal-Words thesis.

A *placed internal word* is (number of the internal word, position, length of the word around it). A
*Multiset-Interval problem* is (number of the internal word, position, multiset of all letters of the word).
Layouts, from the lowest bit ([Sanchez2025], section 5.5.5 and table 5.10):

| bits | placed internal word | | bits | problem |
|---|---|---|---|---|
| 0-3 | length | | 0-27 | parity of the multiset |
| 4-7 | position | | 28-31 | position |
| 8-26 | internal word | | 32-44 | number of the exceedance of the multiset |
| | | | 45-63 | internal word |

So a problem is the code of the multiset in the Parity-Exceedance Representation, with position and internal
word in the bits that it leaves free. That needs at most 28 letters, 16 positions, 8,191 exceedances, and
524,287 letters and internal words. With 29 letters the parity overlaps the position, and the 39 letters of
Czech leave too few bits for the rest; the thesis does not say what to do then. Here the multisets of words
are numbered from 1 in the order of their codes, and a problem is: bits 0-31 the number of the multiset, 32-37
the position, 38-63 the internal word. If words have more than 15 letters, position and length of a placed
internal word take five bits each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Keys = NDArray[np.uint64]
    Numbers = int | NDArray[np.uint64]

PARITY_BITS: Final = 28
POSITION_BITS: Final = 4
EXCEEDANCE_BITS: Final = 13
WORD_BITS: Final = 19

_POSITION = PARITY_BITS
_EXCEEDANCE = _POSITION + POSITION_BITS
_WORD = _EXCEEDANCE + EXCEEDANCE_BITS

_NUMBERED_POSITION = 32
_NUMBERED_WORD = 38


class KeyLayout:
    """Make the keys of one lexicon."""

    def __init__(
        self, letters: int, longest: int, exceedances: int, internal_words: int, codes: Keys
    ) -> None:
        """Choose the layout of the thesis where it has room.

        `letters`: size of the alphabet. `longest`: letters of the longest word. `exceedances`: number of
        feasible ones. `internal_words`: highest number of a letter or internal word. `codes`: the multisets
        of all words in the Parity-Exceedance Representation.
        """
        self.of_the_thesis: Final = (
            letters <= PARITY_BITS
            and longest <= 1 << POSITION_BITS
            and exceedances < 1 << EXCEEDANCE_BITS
            and internal_words < 1 << WORD_BITS
        )
        self._side_bits = self.side_bits(longest)
        self._codes = np.unique(codes)

    @staticmethod
    def side_bits(longest: int) -> int:
        """Return the bits of position and of length in the key of a placed internal word."""
        return POSITION_BITS if longest < 1 << POSITION_BITS else 5

    def placed(self, word: Numbers, position: Numbers, length: Numbers) -> Keys:
        """Return the keys of placed internal words, of numbers or arrays of the same size."""
        bits = self._side_bits
        return _joined((word, 2 * bits), (position, bits), (length, 0))

    def problems(self, word: Numbers, position: Numbers, codes: Keys) -> Keys:
        """Return the keys of Multiset-Interval problems, by the codes of their multisets.

        Multisets of which no word consists may be left out.
        """
        if self.of_the_thesis:
            return _joined((word, _WORD), (position, _POSITION), (codes, 0))
        number = np.searchsorted(self._codes, codes)
        found = self._codes[np.minimum(number, len(self._codes) - 1)] == codes
        keys = _joined((word, _NUMBERED_WORD), (position, _NUMBERED_POSITION), (number + 1, 0))
        known: Keys = keys[found]
        return known


def _joined(*fields: tuple[Numbers | NDArray[np.int64], int]) -> Keys:
    """Return the sum of numbers shifted to their places; the fields do not overlap."""
    key = np.zeros(1, np.uint64)
    for number, shift in fields:
        key = key | np.asarray(number).astype(np.uint64) << np.uint64(shift)
    return key
