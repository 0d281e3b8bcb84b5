"""The index of the Anagram Method: the view of its sections, and the kernel that lists its strings.

The build compiles it for both geometries (geometry.h).
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from lab.tables.anagrams cimport (
    BLANK_KEY, BLANKS_INDEXED, AnagramIndex, AnagramString, find_string, letter_excess,
)
from engine.lexicon.tables cimport LETTER_CAPACITY, SPARE_SLOTS, LexiconTables, word_letters
from engine.lexicon.tables_kernel cimport Tables

import numpy as np

STRING_DTYPE = np.dtype([("key", "<u8"), ("first", "<u4"), ("count", "<u4")])
MAX_BLANKS = BLANKS_INDEXED
SLOTS_AFTER_HOMES = SPARE_SLOTS


cdef class Strings:
    """Pointers into the index sections of one table file; with references to the arrays."""

    def __init__(self, strings not None, words not None, filter_words not None, tile_counts not None):
        """Take the four sections (see anagrams.py); raises ValueError if they do not fit together."""
        cdef const uint8_t[::1] slots = np.ascontiguousarray(strings).view(np.uint8).reshape(-1)
        cdef const uint32_t[::1] word_view = np.ascontiguousarray(words)
        cdef const uint32_t[::1] filter_view = np.ascontiguousarray(filter_words)
        cdef const uint8_t[::1] counts = np.ascontiguousarray(tile_counts)
        cdef Py_ssize_t slot_count = slots.shape[0] // <Py_ssize_t> sizeof(AnagramString)
        cdef AnagramIndex *x = &self.view
        cdef Py_ssize_t i
        if (slots.shape[0] % <Py_ssize_t> sizeof(AnagramString) or slot_count <= SPARE_SLOTS
                or not 0 < word_view.shape[0] or counts.shape[0] > LETTER_CAPACITY
                or filter_view.shape[0] & (filter_view.shape[0] - 1) or not filter_view.shape[0]):
            raise ValueError("the sections of the anagram index do not fit together")
        self.arrays = (slots, word_view, filter_view)
        memset(x, 0, sizeof(AnagramIndex))
        x.strings = <const AnagramString *> &slots[0]
        x.words = &word_view[0]
        x.filter = &filter_view[0]
        x.home_count = slot_count - SPARE_SLOTS
        x.filter_bits = (32 * filter_view.shape[0]).bit_length() - 1
        for i in range(counts.shape[0]):
            x.tile_counts[i] = counts[i]
        if x.strings[slot_count - 1].key:
            raise ValueError("the anagram index has no free slot at its end")

    def words_of(self, Tables tables not None, bytes letters not None, int blanks):
        """Return the ascending ids of the words that letter indices and 1 or 2 blanks form."""
        cdef uint64_t key = BLANK_KEY * <uint64_t> blanks
        cdef const AnagramString *found
        for letter in letters:
            key += tables.view.letter_keys[<int> letter]
        found = find_string(&self.view, key)
        return [self.view.words[found.first + i] for i in range(found.count)] if found != NULL else []


cdef Py_ssize_t add_strings(const LexiconTables *t, const AnagramIndex *index, uint32_t word, int n,
                            uint64_t *keys, uint32_t *words, bint write) noexcept nogil:
    """Count the strings of a word with one or two blanks, each once; if `write`, also store them.

    One or two letters, equal or not, are replaced by blanks. A string u has at most 2 - e(u) blanks
    ([Anagram2018], section 3.1).
    """
    cdef uint8_t counts[64]
    cdef uint8_t distinct[64]
    cdef const uint8_t *letters = word_letters(t, word, n)
    cdef uint64_t key = 0
    cdef Py_ssize_t found = 0
    cdef int i, j, excess, kinds = 0
    memset(counts, 0, sizeof(counts))
    for i in range(n):
        if not counts[letters[i]]:
            distinct[kinds] = letters[i]
            kinds += 1
        counts[letters[i]] += 1
        key += t.letter_keys[letters[i]]
    for i in range(kinds):
        counts[distinct[i]] -= 1
        key += BLANK_KEY - t.letter_keys[distinct[i]]
        if letter_excess(index, counts, t.letter_count) <= BLANKS_INDEXED - 1:
            if write:
                keys[found] = key
                words[found] = word
            found += 1
        for j in range(i, kinds):
            if not counts[distinct[j]]:
                continue
            counts[distinct[j]] -= 1
            excess = letter_excess(index, counts, t.letter_count)
            counts[distinct[j]] += 1
            if excess <= BLANKS_INDEXED - 2:
                if write:
                    keys[found] = key + BLANK_KEY - t.letter_keys[distinct[j]]
                    words[found] = word
                found += 1
        counts[distinct[i]] += 1
        key -= BLANK_KEY - t.letter_keys[distinct[i]]
    return found


def strings_of_words(Tables tables not None, const uint8_t[::1] tile_counts not None):
    """Return (keys, word ids) of the strings with blanks of all words, word by word."""
    cdef const LexiconTables *t = &tables.view
    cdef AnagramIndex index
    cdef Py_ssize_t total = 0, at = 0
    cdef uint32_t w
    cdef int n, i
    cdef uint64_t *key_out = NULL
    cdef uint32_t *word_out = NULL
    memset(&index, 0, sizeof(index))
    for i in range(tile_counts.shape[0]):
        index.tile_counts[i] = tile_counts[i]
    with nogil:
        n = 2
        for w in range(t.word_count):
            while w >= t.length_start[n + 1]:
                n += 1
            total += add_strings(t, &index, w, n, NULL, NULL, False)
    cdef uint64_t[::1] keys = np.empty(total, np.uint64)
    cdef uint32_t[::1] words = np.empty(total, np.uint32)
    if total:
        key_out, word_out = &keys[0], &words[0]
    with nogil:
        n = 2
        for w in range(t.word_count):
            while w >= t.length_start[n + 1]:
                n += 1
            if total > at:
                at += add_strings(t, &index, w, n, key_out + at, word_out + at, True)
    return np.asarray(keys), np.asarray(words)
