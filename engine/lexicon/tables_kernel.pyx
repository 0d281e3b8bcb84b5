"""The kernel of the Internal-Words tables: it opens them, looks words up, and builds the lists.

It is compiled for both geometries (geometry.h).
"""
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from engine.lexicon.tables cimport (
    GRAPH_LETTERS, LETTER_CAPACITY, LETTER_PLACEMENTS, MASK_BITS, NO_WORD, PLACED_LIMBS, SCAN_BITS, SIDE,
    SPARE_SLOTS, WORD_BYTES, AnagramSlot, InternalWord, LexiconTables, MultisetNode, find_keyed_word, find_word,
    internal_index, internal_words_before, letter_mask, list_placed, may_have_anagrams, placement_index,
    placement_number, placement_rank, scan_mask, word_letters,
)

import numpy as np

SIDE_CAPACITY = SIDE
LETTERS_CAPACITY = min(MASK_BITS, 63)
MASK_DTYPE = np.dtype(np.uint64 if MASK_BITS == 64 else np.uint32)
BITS_OF_A_SCAN_MASK = SCAN_BITS
LETTERS_OF_GRAPH = GRAPH_LETTERS
PADDED_WORD_BYTES = WORD_BYTES
INTERNAL_BYTES = sizeof(InternalWord)
PLACEMENTS_PER_LETTER = LETTER_PLACEMENTS
SLOTS_AFTER_HOMES = SPARE_SLOTS
WORDS_OF_A_BLOCK = 1 << BLOCK
MAX_WORDS_OF_A_LENGTH = 16 << BLOCK
SCAN_PADDING = ENTRIES_AFTER_END


cdef const void *_pointer(const uint8_t[::1] raw):
    return &raw[0] if raw.shape[0] else NULL


cdef class Tables:
    """Pointers into the sections of a table file, with references to the arrays."""

    def __init__(self, sections, int letter_count, int max_length, double_letters):
        """Open sections, given as one-dimensional arrays by name (see tables.h).

        Raises ValueError if the sizes of the sections do not fit together.
        """
        cdef LexiconTables *t = &self.view
        cdef int i
        memset(t, 0, sizeof(LexiconTables))
        self.sections = {name: np.ascontiguousarray(array) for name, array in sections.items()}
        raw = {name: array.reshape(-1).view(np.uint8) for name, array in self.sections.items()}
        lengths = self.sections["length_starts"]
        if len(lengths) != SIDE + 2 or not 0 < letter_count <= MASK_BITS or not 2 <= max_length <= SIDE:
            raise ValueError("the tables belong to the other geometry")
        least = {  # what the sizes of other sections follow from
            "letter_keys": letter_count * sizeof(uint64_t),
            "scan_bits": letter_count,
            "internal_words": sizeof(InternalWord),
            "list_starts": (LETTER_PLACEMENTS * letter_count + 1) * sizeof(uint32_t),
            "anagram_slots": (SPARE_SLOTS + 1) * sizeof(AnagramSlot),
            "anagram_filter": sizeof(uint32_t),
            "multiset_filter": sizeof(uint32_t),
            "multiset_nodes": (SPARE_SLOTS + 1) * sizeof(MultisetNode),
        }
        for name, size in least.items():
            if len(raw[name]) < size:
                raise ValueError(f"section {name} has {len(raw[name])} bytes, fewer than {size}")
        t.letter_count = letter_count
        t.max_length = max_length
        t.double_count = len(double_letters)
        for i in range(len(double_letters)):
            t.double_letters[i] = double_letters[i]
        for i in range(SIDE + 2):
            t.length_start[i] = lengths[i]
        t.word_count = t.length_start[SIDE + 1]
        keys = self.sections["letter_keys"]
        for i in range(letter_count):
            t.letter_keys[i] = keys[i]
        for i in range(letter_count):
            t.scan_bits[i] = self.sections["scan_bits"][i]
        t.internal_count = len(raw["internal_words"]) // sizeof(InternalWord) - 1
        t.list_count = len(self.sections["list_starts"]) - 1
        t.anagram_homes = len(raw["anagram_slots"]) // sizeof(AnagramSlot) - SPARE_SLOTS
        t.filter_bits = (len(raw["anagram_filter"]) * 8).bit_length() - 1
        t.node_homes = len(raw["multiset_nodes"]) // sizeof(MultisetNode) - SPARE_SLOTS
        t.node_filter_bits = (len(raw["multiset_filter"]) * 8).bit_length() - 1
        letters = 0
        for i in range(SIDE + 1):
            t.letters_start[i] = letters - i * <int64_t> t.length_start[i]
            letters += i * (t.length_start[i + 1] - <int64_t> t.length_start[i])
        entries = int(self.sections["list_starts"][t.list_count])
        largest = int(np.diff(lengths).max())
        expected = {
            "letters": letters + WORD_BYTES,
            "word_masks": (t.word_count + SCAN_PADDING) * 4,
            "internal_bits": (t.word_count + 63) // 64 * 8,
            "internal_before": (t.word_count + 63) // 64 * 4,
            "internal_words": (t.internal_count + 1) * sizeof(InternalWord),
            "list_placements": (t.list_count - LETTER_PLACEMENTS * letter_count) * sizeof(placement_number),
            "letter_lengths": letter_count * SIDE * 4,
            "list_masks": (entries + SCAN_PADDING) * 4,
            "list_words": entries * 2,
            "list_blocks": (entries + 1) // 2 if largest > WORDS_OF_A_BLOCK else 0,
            "anagram_slots": (t.anagram_homes + SPARE_SLOTS) * sizeof(AnagramSlot),
            "anagram_filter": (<uint64_t>1 << t.filter_bits) // 8,
            "multiset_nodes": (t.node_homes + SPARE_SLOTS) * sizeof(MultisetNode),
            "multiset_filter": (<uint64_t>1 << t.node_filter_bits) // 8,
        }
        for name, size in expected.items():
            if len(raw[name]) != size:
                raise ValueError(f"section {name} has {len(raw[name])} bytes instead of {size}")
        t.letters = <const uint8_t *> _pointer(raw["letters"])
        t.word_masks = <const uint32_t *> _pointer(raw["word_masks"])
        t.internal_bits = <const uint64_t *> _pointer(raw["internal_bits"])
        t.internal_before = <const uint32_t *> _pointer(raw["internal_before"])
        t.internal_words = <const InternalWord *> _pointer(raw["internal_words"])
        t.list_placements = <const placement_number *> _pointer(raw["list_placements"])
        t.letter_lengths = <const uint32_t *> _pointer(raw["letter_lengths"])
        t.list_starts = <const uint32_t *> _pointer(raw["list_starts"])
        t.list_masks = <const uint32_t *> _pointer(raw["list_masks"])
        t.list_words = <const uint16_t *> _pointer(raw["list_words"])
        t.list_blocks = <const uint8_t *> _pointer(raw["list_blocks"])
        t.anagram_slots = <const AnagramSlot *> _pointer(raw["anagram_slots"])
        t.anagram_filter = <const uint32_t *> _pointer(raw["anagram_filter"])
        t.nodes = <const MultisetNode *> _pointer(raw["multiset_nodes"])
        t.node_filter = <const uint32_t *> _pointer(raw["multiset_filter"])
        for i in range(SIDE + 2):
            at_end = t.length_start[i] == t.word_count
            t.internal_start[i] = t.internal_count if at_end else internal_words_before(t, t.length_start[i])
        self._hook_letters()

    cdef void _hook_letters(self) noexcept nogil:
        """Compute the hooks of single letters from the two-letter words."""
        cdef LexiconTables *t = &self.view
        cdef const uint8_t *letters
        cdef uint32_t w
        for w in range(t.length_start[2], t.length_start[3]):
            letters = word_letters(t, w, 2)
            t.back_hooks[letters[0]] |= <letter_mask> 1 << letters[1]
            t.front_hooks[letters[1]] |= <letter_mask> 1 << letters[0]

    def find(self, bytes letters not None):
        """Return the id of the word of these letter indices, -1 if it is not a word."""
        cdef uint32_t word = find_word(&self.view, <const uint8_t *> letters, <int> len(letters))
        return -1 if word == NO_WORD else int(word)

    def letters(self, uint32_t word):
        """Return the letter indices of a word; raise IndexError for an unknown id."""
        cdef int n = 2
        if word >= self.view.word_count:
            raise IndexError(word)
        while word >= self.view.length_start[n + 1]:
            n += 1
        return word_letters(&self.view, word, n)[:n]


def describe_lists(Tables tables not None):
    """Describe every list: return four arrays, each with an entry for every list.

    They are kind, index, position and word length. Kind 0 is a single letter (index = letter), kind 1 a longer
    internal word (index = word id). The order is that of `list_starts`; lists of letters can be empty.
    """
    cdef const LexiconTables *t = &tables.view
    cdef uint32_t[::1] index = np.empty(t.list_count, np.uint32)
    cdef uint8_t[::1] kind = np.zeros(t.list_count, np.uint8)
    cdef uint8_t[::1] position = np.empty(t.list_count, np.uint8)
    cdef uint8_t[::1] length = np.empty(t.list_count, np.uint8)
    cdef uint64_t placed[PLACED_LIMBS]
    cdef uint32_t w, which, q = 0
    cdef int letter, k = 2, p, n, bit
    for letter in range(t.letter_count):
        for p in range(SIDE):
            for n in range(max(2, p + 1), SIDE + 1):
                index[q], position[q], length[q] = letter, p, n
                q += 1
    for w in range(t.word_count):
        while w >= t.length_start[k + 1]:
            k += 1
        which = internal_index(t, w)
        if which == NO_WORD:
            continue
        list_placed(t, which, placed)
        for p in range(SIDE - k + 1):
            for n in range(max(k + 1, k + p), SIDE + 1):
                bit = placement_index(k, p, n)
                if placed[bit >> 6] >> (bit & 63) & 1:
                    q = t.internal_words[which].first + placement_rank(placed, bit)
                    kind[q], index[q], position[q], length[q] = 1, w, p, n
    return np.asarray(kind), np.asarray(index), np.asarray(position), np.asarray(length)


def count_others(Tables tables not None, int length, const uint8_t[::1] counts not None):
    """Return how many letters of each word of a length are beyond `counts`, the copies of each letter."""
    cdef const LexiconTables *t = &tables.view
    cdef uint32_t w, first = t.length_start[length], last = t.length_start[length + 1]
    cdef const uint8_t *letters
    cdef uint8_t left[LETTER_CAPACITY]
    cdef uint8_t unused[LETTER_CAPACITY]
    cdef int i
    others = np.zeros(last - first, np.uint8)
    cdef uint8_t[::1] view = others
    memset(unused, 0, sizeof(unused))
    for i in range(counts.shape[0]):
        unused[i] = counts[i]
    with nogil:
        for w in range(first, last):
            letters = word_letters(t, w, length)
            memcpy(left, unused, sizeof(left))
            for i in range(length):
                if left[letters[i]]:
                    left[letters[i]] -= 1
                else:
                    view[w - first] += 1
    return others


include "occurrences.pxi"
