"""The Parity-Exceedance Representation: a multiset of letters in one 64-bit integer.

The *parity* of a multiset contains each letter as often as its multiplicity modulo 2: a bit for each letter.
Its *exceedance* contains each letter half as often, rounded down. Both together determine the multiset. A
multiset is *feasible* if some word contains it. Few exceedances are feasible (4,953 in a list of 196,601
English words), so each has a number, and parity and number fit into one integer.

The layout (the thesis defines it for up to 32 letters):

* parity: bit i for letter index i (tile-set order), in the low 32 bits, or in the low n bits of an alphabet
  of n > 32 letters (Czech: 39);
* exceedance: its number, from 1 in the order of `exceedances`, in the bits above (32, or 64 - n: 25 for
  Czech). 1 is the empty exceedance, so 0 is never a multiset: it means "not feasible";
* at most 65,535 exceedances, so that a triad of numbers and its result fit into one 64-bit slot; with more
  than 48 letters at most 2^(64 - n) - 1.

The integer contains nothing else. The low-level key of the thesis also has a position and a word number
(lab/tables/literal_keys.py); the kernels of kibitz use an additive hash of anagrams instead.

The sum of two multisets takes one XOR (parity), one AND (the carry: letters odd in both), one look-up of the
carry in the carry-mask table, and one of (carry, exceedance, exceedance) in the table of feasible triads,
which contains the exceedance of every feasible sum. Inclusion is the same with a borrow (letters odd in the
part and even in the other multiset) and look-ups of (borrow, part, other). Source: [Sanchez2025], chapter 3.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.errors import WordListError
from lab.multisets.parity_kernel import MAX_EXCEEDANCES, ParityKernel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.lexicon.lexicon import Lexicon

NOT_FEASIBLE: Final = 0
_LEAST_PARITY_BITS = 32


class ParityExceedance:
    """The representation for the words of one lexicon.

    Multisets come and go as bytes of tile codes 1..n (in any order; sorted when they come back).
    """

    def __init__(self, words: Iterable[bytes], letters: int) -> None:
        """Find the feasible exceedances of some words over an alphabet of `letters`, and build both tables.

        Raises WordListError (code "too_many_exceedances") if their numbers do not fit.
        """
        self.parity_bits: Final = max(_LEAST_PARITY_BITS, letters)
        self.exceedances: Final = tuple(sorted(feasible_exceedances(words), key=lambda e: (len(e), e)))
        most = min(MAX_EXCEEDANCES, (1 << 64 - self.parity_bits) - 1)
        if len(self.exceedances) > most:
            raise WordListError(
                f"{len(self.exceedances):,} feasible exceedances are more than the {most:,} that {letters} "
                "letters leave room for",
                code="too_many_exceedances",
                params={"count": len(self.exceedances), "most": most, "letters": letters},
            )
        self._numbers: Final = {exceedance: i + 1 for i, exceedance in enumerate(self.exceedances)}
        binary = [exceedance for exceedance in self.exceedances if len(set(exceedance)) == len(exceedance)]
        triads = np.array([row for whole in self.exceedances for row in self._triads_of(whole)], np.uint64)
        self.carry_count: Final = len(binary)
        self.triad_count: Final = len(triads)
        self._kernel: Final = ParityKernel(
            self.parity_bits,
            np.array([self._parity(exceedance) for exceedance in binary], np.uint64),
            np.array([self._numbers[exceedance] for exceedance in binary], np.uint64),
            triads,
        )

    @classmethod
    def of(cls, lexicon: Lexicon) -> ParityExceedance:
        """Build the representation for a lexicon: a second or two, nothing of it is stored."""
        return cls(lexicon.words(), lexicon.tile_set.alphabet.size)

    @property
    def kernel(self) -> ParityKernel:
        """The tables, for timing."""
        return self._kernel

    def encode(self, letters: bytes) -> int:
        """Return the code of a multiset, NOT_FEASIBLE if no word's part has its exceedance."""
        number = self._numbers.get(exceedance_of(letters), 0)
        return number << self.parity_bits | self._parity(letters) if number else NOT_FEASIBLE

    def decode(self, code: int) -> bytes:
        """Return the multiset of a code, sorted; raises ValueError for NOT_FEASIBLE and what is no code."""
        number = code >> self.parity_bits
        if not 1 <= number <= len(self.exceedances):
            raise ValueError(f"{code:#x} is the code of no multiset")
        parity = bytes(i + 1 for i in range(self.parity_bits) if code >> i & 1)
        return bytes(sorted(parity + self.exceedances[number - 1] * 2))

    def sum(self, x: int, y: int) -> int:
        """Return the code of the multisum of two codes, NOT_FEASIBLE if it has none or one of them is."""
        return self._kernel.sum(x, y)

    def difference(self, whole: int, part: int) -> int:
        """Return the code of a whole without a part, NOT_FEASIBLE if the part is not in it."""
        return self._kernel.difference(whole, part)

    def included(self, part: int, whole: int) -> bool:
        """Return whether a multiset is part of another; False if either code is NOT_FEASIBLE."""
        return self._kernel.included(part, whole)

    def figures(self) -> dict[str, int]:
        """Count what the thesis counts, by its literal definitions.

        Feasible exceedances: those of all sub-multisets of words, the empty one included. Triads: ordered
        (carry, exceedance, exceedance) whose sum is feasible, the carry without repeated letters.
        """
        return {
            "feasible_exceedances": len(self.exceedances),
            "carry_masks": self.carry_count,
            "feasible_triads": self.triad_count,
            "parity_bits": self.parity_bits,
            "table_bytes": self._kernel.table_bytes,
        }

    @staticmethod
    def _parity(letters: bytes) -> int:
        mask = 0
        for code in letters:
            mask ^= 1 << code - 1
        return mask

    def _triads_of(self, whole: bytes) -> Iterator[tuple[int, int, int, int]]:
        """Yield (carry, a, b, whole) as numbers for every split of an exceedance: 2m + 1 a letter."""
        splits = [(b"", b"", b"")]
        for code, count in Counter(whole).items():
            one = bytes([code])
            splits = [
                (carry + one * carried, a + one * first, b + one * (count - carried - first))
                for carry, a, b in splits
                for carried in (0, 1)
                for first in range(count - carried + 1)
            ]
        numbers = self._numbers
        return ((numbers[carry], numbers[a], numbers[b], numbers[whole]) for carry, a, b in splits)


def exceedance_of(letters: bytes) -> bytes:
    """Return the exceedance of a multiset, sorted: every letter half as often, rounded down."""
    if len(set(letters)) == len(letters):
        return b""
    return b"".join(bytes([code]) * (count // 2) for code, count in sorted(Counter(letters).items()))


def feasible_exceedances(words: Iterable[bytes]) -> set[bytes]:
    """Return the exceedances of all parts of words: those of words, and every part of them."""
    found: set[bytes] = {b""}
    waiting = list({exceedance_of(word) for word in words})
    while waiting:
        exceedance = waiting.pop()
        if exceedance not in found:
            found.add(exceedance)
            waiting += {exceedance[:i] + exceedance[i + 1 :] for i in range(len(exceedance))}
    return found
