"""The tables of the Internal-Words thesis: for study, not for speed.

Numbers of words ([Sanchez2025], section 5.5.5): 0 is the empty word, 1 to n are the letters. Then come the
words that are internal to another word, then all others, both in the order of the lexicon's ids.
literal_keys.py describes the keys. The sections:

* `literal_words`: the lexicon's id of each word, by its number minus n + 1;
* `literal_codes`: the multiset of each word, by id, in the Parity-Exceedance Representation;
* `literal_placed`, `literal_placed_starts`, `literal_high`: the **high-level table**. Keys of placed internal
  words, ascending; where the list of each begins, and the end of the last; the numbers of the words in the
  lists. The length of a list is the frequency (section 5.5.1);
* `literal_problems`, `literal_problem_starts`, `literal_low`: the **low-level table**, the same for keys of
  Multiset-Interval problems. In intervals without a tile the internal word is the empty word at position 0.

Both levels contain every placed internal word, so that any threshold can be tried. For a fixed threshold one
of the two suffices for each (section 5.5.4); `threshold_entries` counts the entries that are then left.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lab.multisets.parity_exceedance import ParityExceedance
from lab.tables.literal_keys import KeyLayout

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon

    Lists = tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint32]]

EMPTY_WORD: Final = 0
_SLICES: Final = 64


def build_literal(lexicon: Lexicon, progress: Callable[[str, float], None]) -> dict[str, NDArray[Any]]:
    """Build the sections for the words of a lexicon.

    `progress` is called with a stage and its completed share. Raises WordListError (code
    "too_many_exceedances") for alphabets of about 50 letters and more.
    """
    letters = lexicon.tile_set.alphabet.size
    words = list(lexicon.words())
    found = [np.frombuffer(column, column.typecode) for column in _occurrences(words, letters, progress)]
    inner, start, length, word = (column.astype(np.uint64) for column in found)
    order, number_of = _numbers(inner, len(words), letters)
    inner = number_of[inner]
    progress("tables of the thesis", 0.0)
    multisets = ParityExceedance(words, letters)
    codes = np.array([multisets.encode(each) for each in words], np.uint64)
    progress("tables of the thesis", 0.3)
    layout = KeyLayout(letters, lexicon.max_length, len(multisets.exceedances), int(inner.max()), codes)
    numbers = number_of[word + letters + 1].astype(np.uint32)
    placed = _lists(layout.placed(inner, start, length), numbers)
    progress("tables of the thesis", 0.6)
    problems = np.concatenate(
        [layout.problems(inner, start, codes[word]), layout.problems(EMPTY_WORD, 0, codes)]
    )
    low = _lists(problems, np.concatenate([numbers, number_of[letters + 1 :].astype(np.uint32)]))
    progress("tables of the thesis", 1.0)
    return {
        "literal_words": order,
        "literal_codes": codes,
        **dict(zip(("literal_placed", "literal_placed_starts", "literal_high"), placed, strict=True)),
        **dict(zip(("literal_problems", "literal_problem_starts", "literal_low"), low, strict=True)),
    }


def _occurrences(
    words: Sequence[bytes], letters: int, progress: Callable[[str, float], None]
) -> tuple[array[int], array[int], array[int], array[int]]:
    """List every occurrence of an internal word: its number, its start, and the length and id of the word.

    Numbers are provisional: 1 to `letters`, then the ids from `letters` + 1.
    """
    known = {bytes([code]): code for code in range(1, letters + 1)}
    known |= {word: letters + 1 + number for number, word in enumerate(words)}
    inner, starts, lengths, ids = array("I"), array("B"), array("B"), array("I")
    for place, word in enumerate(words):
        if place % (len(words) // _SLICES + 1) == 0:
            progress("internal words", place / len(words))
        length = len(word)
        for start in range(length):
            for end in range(start + 1, length + (start > 0)):
                number = known.get(word[start:end])
                if number is not None:
                    inner.append(number)
                    starts.append(start)
                    lengths.append(length)
                    ids.append(place)
    progress("internal words", 1.0)
    return inner, starts, lengths, ids


def _numbers(
    inner: NDArray[np.uint64], word_count: int, letters: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
    """Return the ids of the words in the order of their numbers, and the numbers by provisional number."""
    internal = np.zeros(letters + 1 + word_count, bool)
    internal[inner] = True
    internal = internal[letters + 1 :]
    order = np.concatenate([np.flatnonzero(internal), np.flatnonzero(~internal)]).astype(np.uint32)
    number_of = np.arange(letters + 1 + word_count, dtype=np.uint64)
    number_of[letters + 1 + order] = np.arange(letters + 1, letters + 1 + word_count, dtype=np.uint64)
    return order, number_of


def _lists(keys: NDArray[np.uint64], words: NDArray[np.uint32]) -> Lists:
    """Sort occurrences (a key and a word each) and return their table: index, starts of lists, lists."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    return keys[first], np.append(first, len(keys)).astype(np.uint32), words[order]


class LiteralTables:
    """The tables of one lexicon, open to be asked; words are answered by their ids in the lexicon."""

    def __init__(self, lexicon: Lexicon, sections: Mapping[str, NDArray[Any]]) -> None:
        """Open the sections of a lexicon, and build the tables for sums of multisets (seconds)."""
        self._words = sections["literal_words"]
        self.codes: Final[NDArray[np.uint64]] = sections["literal_codes"]
        self._placed: Lists = (
            sections["literal_placed"],
            sections["literal_placed_starts"],
            sections["literal_high"],
        )
        self._problems: Lists = (
            sections["literal_problems"],
            sections["literal_problem_starts"],
            sections["literal_low"],
        )
        self.letters: Final = lexicon.tile_set.alphabet.size
        """The size of the alphabet."""
        self.multisets: Final = ParityExceedance.of(lexicon)
        self._find = lexicon.tables.find
        self._numbers = np.empty(len(self._words), np.uint32)
        self._numbers[self._words] = np.arange(self.letters + 1, self.letters + 1 + len(self._words))
        internal = np.unique(self._placed[0] >> np.uint64(2 * KeyLayout.side_bits(lexicon.max_length)))
        self.used_letters: Final = bytes(internal[internal <= self.letters].tolist())
        """The letters of the words."""
        self.last_internal_word: Final = int(internal[-1])
        """The highest number of a letter or internal word."""
        self.layout: Final = KeyLayout(
            self.letters,
            lexicon.max_length,
            len(self.multisets.exceedances),
            self.last_internal_word,
            self.codes,
        )

    def number(self, letters: bytes) -> int | None:
        """Return the number of a letter or word, given as tile codes 1 to n; None if it is neither."""
        if len(letters) == 1:
            return letters[0]
        word = self._find(bytes(code - 1 for code in letters))
        return None if word < 0 else int(self._numbers[word])

    def frequency(self, word: int, position: int, length: int) -> int:
        """Return how many words of `length` letters contain the word with a number at `position`."""
        index, starts, _ = self._placed
        key = self.layout.placed(word, position, length)
        at = int(index.searchsorted(key)[0])
        return int(starts[at + 1] - starts[at]) if at < len(index) and index[at] == key[0] else 0

    def words_with(self, word: int, position: int, length: int) -> NDArray[np.uint32]:
        """Return the ids of these words: the high level."""
        return self._ids(self._placed, self.layout.placed(word, position, length))

    def words_of(self, word: int, position: int, codes: NDArray[np.uint64]) -> NDArray[np.uint32]:
        """Return the ids of the words that consist of one of the multisets and contain a word: the low level.

        `word` and `position`: number and place of that word. `codes`: the multisets.
        """
        return self._ids(self._problems, self.layout.problems(word, position, codes))

    def _ids(self, lists: Lists, keys: NDArray[np.uint64]) -> NDArray[np.uint32]:
        index, starts, words = lists
        at = index.searchsorted(keys)
        at = at[index[np.minimum(at, len(index) - 1)] == keys]
        found = [words[starts[i] : starts[i + 1]] for i in at.tolist()]
        numbers = np.concatenate(found) if found else np.zeros(0, np.uint32)
        return self._words[numbers - (self.letters + 1)]
