"""The index of the Anagram Method.

The method searches for sub-multisets of rack and interval among *strings*: multisets of letters and blanks
that are anagrams of a word. A string u has at most 2 - e(u) blanks, where the excess e(u) is the number of
its letters beyond those of the tile set: each of them must be a blank already. Strings without blanks are the
anagram classes of every table file. These sections contain those with one or two blanks:

* `anagram_strings`: hash slots (key, first, count), ascending by key, so that a probe ends early;
* `anagram_words`: word ids, string by string;
* `anagram_filter_blanks`: one bit for the top bits of each key;
* `anagram_tile_counts`: the number of tiles of each letter in the tile set.

Source: [Anagram2018], section 3.1; [Heuri], section 6.1.2, where the index has a file for each length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.lexicon.key_table import filter_bits, key_filter, key_table
from lab.tables import anagrams_narrow, anagrams_wide

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from numpy.typing import NDArray

    from engine.lexicon import Lexicon

KERNELS: Final[Mapping[str, ModuleType]] = {"narrow": anagrams_narrow, "wide": anagrams_wide}
SECTIONS: Final = ("anagram_strings", "anagram_words", "anagram_filter_blanks", "anagram_tile_counts")
_LOAD = 0.7  # strings per home; slots are sorted, so an unsuccessful probe ends at the first larger key
_FILTER_BITS_PER_KEY = 8


def build_anagrams(lexicon: Lexicon, progress: Callable[[str, float], None]) -> dict[str, NDArray[Any]]:
    """Build the four sections of the index for a lexicon and its tile set.

    `progress` is called with a stage and its completed share.
    """
    kernel = KERNELS[lexicon.geometry]
    counts = np.array(lexicon.tile_set.counts[1:], np.uint8)
    progress("anagrams with blanks", 0.0)
    keys, words = kernel.strings_of_words(lexicon.tables, counts)
    order = np.argsort(keys, kind="stable")  # stable, so the words of a string stay in order
    keys, words = keys[order], words[order]
    progress("anagrams with blanks", 0.6)

    new = np.ones(len(keys), bool)
    new[1:] = keys[1:] != keys[:-1]
    firsts = np.flatnonzero(new)
    strings = np.zeros(len(firsts), kernel.STRING_DTYPE)
    strings["key"] = keys[firsts]
    strings["first"] = firsts
    strings["count"] = np.diff(np.append(firsts, len(keys)))
    sections = {
        "anagram_strings": key_table(strings, strings["key"], _LOAD, kernel.SLOTS_AFTER_HOMES).view(np.uint8),
        "anagram_words": np.append(words, np.uint32(0)),  # a mapped section is never empty
        "anagram_filter_blanks": key_filter(strings["key"], filter_bits(len(strings), _FILTER_BITS_PER_KEY)),
        "anagram_tile_counts": counts,
    }
    progress("anagrams with blanks", 1.0)
    return sections


def open_anagrams(sections: Mapping[str, NDArray[Any]], geometry: str) -> anagrams_narrow.Strings:
    """Return the kernel's view of the index.

    Raises KeyError if a section is missing, ValueError if they do not fit together.
    """
    return KERNELS[geometry].Strings(*(sections[name] for name in SECTIONS))  # type: ignore[no-any-return]
