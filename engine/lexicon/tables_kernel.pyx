"""The kernel of the Internal-Words tables: it opens and builds them.

It is compiled for both geometries (geometry.h).
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from engine.lexicon.tables cimport (
    COUNT_PLANES, GRAPH_LETTERS, LETTER_PLACEMENTS, MASK_BITS, NO_WORD, PLACED_LIMBS, SIDE, WORD_BYTES,
    AnagramSlot, InternalWord, LexiconTables, MultisetNode, WordRecord, find_keyed_word, find_word,
    letter_mask, may_have_anagrams, placement_index, placement_rank, scan_mask,
)

import numpy as np

cdef enum:
    BLOCK = 16             # bits of the number of a word among those of its length that list_words holds

SIDE_CAPACITY = SIDE
LETTERS_CAPACITY = min(MASK_BITS, 63)
MASK_DTYPE = np.dtype(np.uint64 if MASK_BITS == 64 else np.uint32)
RECORD_BYTES = sizeof(WordRecord)
INTERNAL_BYTES = sizeof(InternalWord)
SLOT_BYTES = sizeof(AnagramSlot)
LETTERS_OF_GRAPH = GRAPH_LETTERS
WORD_LETTER_BYTES = WORD_BYTES
PLACEMENTS_PER_LETTER = LETTER_PLACEMENTS
WORDS_OF_A_BLOCK = 1 << BLOCK
MAX_WORDS_OF_A_LENGTH = 16 << BLOCK
NOT_STORED = NO_WORD  # the cursor of a list that is not stored
SCAN_PADDING = 64  # entries after the end of arrays that vector loops read in blocks


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
        t.internal_count = len(raw["internal_words"]) // sizeof(InternalWord)
        t.list_count = len(self.sections["list_starts"]) - 1
        t.anagram_bits = (len(raw["anagram_slots"]) // sizeof(AnagramSlot)).bit_length() - 1
        t.filter_bits = (len(raw["anagram_filter"]) * 8).bit_length() - 1
        t.node_bits = (len(raw["multiset_nodes"]) // sizeof(MultisetNode)).bit_length() - 1
        t.node_filter_bits = (len(raw["multiset_filter"]) * 8).bit_length() - 1
        occurrences = int(self.sections["list_starts"][t.list_count])
        largest = int(np.diff(lengths).max())
        expected = {
            "words": t.word_count * sizeof(WordRecord),
            "word_masks": (t.word_count + SCAN_PADDING) * sizeof(letter_mask),
            "word_internal": t.word_count * 4,
            "letter_lengths": letter_count * SIDE * 4,
            "list_masks": (occurrences + SCAN_PADDING) * sizeof(letter_mask),
            "list_words": occurrences * 2,
            "list_blocks": (occurrences + 1) // 2 if largest > WORDS_OF_A_BLOCK else 0,
            "anagram_slots": (<uint64_t>1 << t.anagram_bits) * sizeof(AnagramSlot),
            "anagram_filter": (<uint64_t>1 << t.filter_bits) // 8,
            "multiset_nodes": (<uint64_t>1 << t.node_bits) * sizeof(MultisetNode),
            "multiset_filter": (<uint64_t>1 << t.node_filter_bits) // 8,
        }
        for name, size in expected.items():
            if len(raw[name]) != size:
                raise ValueError(f"section {name} has {len(raw[name])} bytes instead of {size}")
        t.words = <const WordRecord *> _pointer(raw["words"])
        t.word_masks = <const letter_mask *> _pointer(raw["word_masks"])
        t.word_internal = <const uint32_t *> _pointer(raw["word_internal"])
        t.internal_words = <const InternalWord *> _pointer(raw["internal_words"])
        t.letter_lengths = <const uint32_t *> _pointer(raw["letter_lengths"])
        t.list_starts = <const uint32_t *> _pointer(raw["list_starts"])
        t.list_masks = <const letter_mask *> _pointer(raw["list_masks"])
        t.list_words = <const uint16_t *> _pointer(raw["list_words"])
        t.list_blocks = <const uint8_t *> _pointer(raw["list_blocks"])
        t.anagram_slots = <const AnagramSlot *> _pointer(raw["anagram_slots"])
        t.anagram_filter = <const uint32_t *> _pointer(raw["anagram_filter"])
        t.nodes = <const MultisetNode *> _pointer(raw["multiset_nodes"])
        t.node_filter = <const uint32_t *> _pointer(raw["multiset_filter"])
        self._hook_letters()

    cdef void _hook_letters(self) noexcept nogil:
        """Compute the hooks of single letters from the two-letter words."""
        cdef LexiconTables *t = &self.view
        cdef const uint8_t *letters
        cdef uint32_t w
        for w in range(t.length_start[2], t.length_start[3]):
            letters = &t.words[w].letters[0]
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
        return self.view.words[word].letters[:n]


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
    cdef uint32_t w, q = 0
    cdef int letter, k, p, n, bit
    for letter in range(t.letter_count):
        for p in range(SIDE):
            for n in range(max(2, p + 1), SIDE + 1):
                index[q], position[q], length[q] = letter, p, n
                q += 1
    for w in range(t.word_count):
        if t.word_internal[w] == NO_WORD:
            continue
        internal = t.internal_words[t.word_internal[w]]
        k = internal.length
        for p in range(SIDE - k + 1):
            for n in range(max(k + 1, k + p), SIDE + 1):
                bit = placement_index(k, p, n)
                if internal.placed[bit >> 6] >> (bit & 63) & 1:
                    q = internal.first + placement_rank(internal.placed, bit)
                    kind[q], index[q], position[q], length[q] = 1, w, p, n
    return np.asarray(kind), np.asarray(index), np.asarray(position), np.asarray(length)


# --------------------------------------------------------------------------------------------- building

def word_records(const uint8_t[:, ::1] letters not None, const uint8_t[::1] lengths not None):
    """Return the WordRecord bytes of words given as letter indices, (words, WORD_BYTES) uint8."""
    cdef Py_ssize_t w, count = letters.shape[0]
    cdef int i, n, c
    cdef uint8_t seen[64]
    raw = np.zeros(count * sizeof(WordRecord), np.uint8)
    cdef uint8_t[::1] view = raw
    cdef WordRecord *records = <WordRecord *> &view[0] if count else NULL
    with nogil:
        for w in range(count):
            n = lengths[w]
            memset(seen, 0, sizeof(seen))
            for i in range(n):
                c = letters[w, i]
                records[w].letters[i] = <uint8_t> c
                if seen[c] < COUNT_PLANES:
                    records[w].at_least[seen[c]] |= <letter_mask> 1 << c
                elif n < WORD_BYTES:
                    records[w].letters[WORD_BYTES - 1] = 1
                seen[c] += 1
    return raw


def word_scan_masks(Tables tables not None):
    """Return the scan masks of all words, followed by SCAN_PADDING zeros."""
    cdef const LexiconTables *t = &tables.view
    masks = np.zeros(t.word_count + SCAN_PADDING, MASK_DTYPE)
    cdef letter_mask[::1] view = masks
    cdef uint32_t w
    for w in range(t.word_count):
        view[w] = scan_mask(t, t.words[w].at_least[0], t.words[w].at_least[1])
    return masks


cdef struct Occurrence:
    uint32_t internal  # word id of the internal word, or NO_WORD for a single letter
    int start          # position of the internal word in the word
    int end            # square after its last letter


cdef class OccurrenceScan:
    """Passes over all occurrences of internal words in words, which number them and fill their lists.

    Each pass works on a slice of the words, so that the caller can show its progress.
    """
    cdef Tables tables
    cdef const uint32_t[::1] word_internal  # [word_count] index of the internal word, or NO_WORD
    cdef object internal_raw                # the bytes behind internal_words
    cdef InternalWord *internal_words

    def __init__(self, Tables tables not None):
        """Scan the words of `tables`; their internal words are numbered already, or will be by `number`."""
        self.tables = tables
        self.word_internal = tables.sections["word_internal"]
        self.internal_words = <InternalWord *> tables.view.internal_words

    cdef Py_ssize_t _occurrences(self, uint32_t word, int n, Occurrence *found) noexcept nogil:
        """List the internal words of a word: all proper substrings that are a letter or a word."""
        cdef const LexiconTables *t = &self.tables.view
        cdef const uint8_t *letters = &t.words[word].letters[0]
        cdef Py_ssize_t count = 0
        cdef uint32_t id
        cdef uint64_t key
        cdef int i, j
        for i in range(n):
            found[count].internal = NO_WORD
            found[count].start = i
            found[count].end = i + 1
            count += 1
            key = t.letter_keys[letters[i]]
            for j in range(i + 1, n):
                key += t.letter_keys[letters[j]]
                if j - i + 1 == n:
                    break
                id = find_keyed_word(t, letters + i, j - i + 1, key) if may_have_anagrams(t, key) else NO_WORD
                if id != NO_WORD:
                    found[count].internal = id
                    found[count].start = i
                    found[count].end = j + 1
                    count += 1
        return count

    def mark_internal(self, uint8_t[::1] internal not None, uint32_t first, uint32_t last):
        """Set internal[id] to 1 for every internal word of the words first .. last - 1."""
        cdef Occurrence found[SIDE * SIDE]
        cdef const LexiconTables *t = &self.tables.view
        cdef uint32_t w
        cdef Py_ssize_t i, count
        cdef int n = 2
        with nogil:
            for w in range(first, last):
                while w >= t.length_start[n + 1]:
                    n += 1
                count = self._occurrences(w, n, found)
                for i in range(count):
                    if found[i].internal != NO_WORD:
                        internal[found[i].internal] = 1

    def number(self, const uint32_t[::1] word_internal not None, uint8_t[::1] internal_raw not None):
        """Set the numbers of the internal words, and the array for their records."""
        cdef const LexiconTables *t = &self.tables.view
        cdef uint32_t w
        cdef int n = 2
        self.word_internal = word_internal
        self.internal_raw = internal_raw
        self.internal_words = <InternalWord *> _pointer(internal_raw)
        for w in range(t.word_count):
            while w >= t.length_start[n + 1]:
                n += 1
            if word_internal[w] != NO_WORD:
                self.internal_words[word_internal[w]].length = n

    def mark_placements(self, uint32_t[:, ::1] letter_lengths not None, uint32_t first, uint32_t last):
        """Set the placements and hooks of internal words that follow from the words first .. last - 1."""
        cdef Occurrence found[SIDE * SIDE]
        cdef const LexiconTables *t = &self.tables.view
        cdef const uint8_t *letters
        cdef InternalWord *internal
        cdef uint32_t w
        cdef Py_ssize_t i, count
        cdef int n = 2, k, bit
        with nogil:
            for w in range(first, last):
                while w >= t.length_start[n + 1]:
                    n += 1
                letters = &t.words[w].letters[0]
                count = self._occurrences(w, n, found)
                for i in range(count):
                    k = found[i].end - found[i].start
                    if k == 1:
                        letter_lengths[letters[found[i].start], found[i].start] |= <uint32_t> 1 << n
                        continue
                    internal = self.internal_words + self.word_internal[found[i].internal]
                    bit = placement_index(k, found[i].start, n)
                    internal.placed[bit >> 6] |= <uint64_t> 1 << (bit & 63)
                    if k == n - 1:
                        if found[i].start == 0:
                            internal.back_hooks |= <letter_mask> 1 << letters[n - 1]
                        else:
                            internal.front_hooks |= <letter_mask> 1 << letters[0]

    def assign_lists(self):
        """Number the lists of every internal word; return the number of all lists."""
        cdef uint32_t base = LETTER_PLACEMENTS * self.tables.view.letter_count
        cdef Py_ssize_t i, count = len(self.internal_raw) // sizeof(InternalWord)
        for i in range(count):
            self.internal_words[i].first = base
            base += placement_rank(self.internal_words[i].placed, 64 * PLACED_LIMBS - 1)
            # The last bit is unused: a word of two letters has 119 placements of 128 bits (narrow), 324 of 384.
        return base

    cdef uint32_t _list_of(self, const Occurrence *o, const uint8_t *letters, int n) noexcept nogil:
        cdef int k = o.end - o.start
        cdef int bit = placement_index(k, o.start, n)
        cdef const InternalWord *internal
        if k == 1:
            return LETTER_PLACEMENTS * <uint32_t> letters[o.start] + bit
        internal = self.internal_words + self.word_internal[o.internal]
        return internal.first + placement_rank(internal.placed, bit)

    def count_lists(self, uint32_t[::1] counts not None, uint32_t first, uint32_t last,
                    const uint32_t[::1] classes=None):
        """Add to counts[list] the number of words first .. last - 1 in each list.

        `classes`, the ascending class of each word: add the number of different classes of these words instead.
        """
        cdef Occurrence found[SIDE * SIDE]
        cdef const LexiconTables *t = &self.tables.view
        cdef bint by_class = classes is not None
        cdef uint32_t[::1] latest = np.full(len(counts) if by_class else 0, NO_WORD, np.uint32)
        cdef uint32_t w, which
        cdef Py_ssize_t i, count
        cdef int n = 2
        with nogil:
            for w in range(first, last):
                while w >= t.length_start[n + 1]:
                    n += 1
                count = self._occurrences(w, n, found)
                for i in range(count):
                    which = self._list_of(&found[i], t.words[w].letters, n)
                    if by_class:
                        if latest[which] == classes[w]:
                            continue
                        latest[which] = classes[w]
                    counts[which] += 1

    def fill_lists(self, uint32_t[::1] cursors not None, letter_mask[::1] masks not None,
                   uint16_t[::1] list_words not None, uint8_t[::1] list_blocks not None,
                   uint32_t first, uint32_t last):
        """Write the words first .. last - 1 and the scan masks of their other letters at the cursors of lists.

        `masks`, `list_words` and `list_blocks` receive the entries (tables.h). A list whose cursor is NOT_STORED
        is left out.
        """
        cdef Occurrence found[SIDE * SIDE]
        cdef const LexiconTables *t = &self.tables.view
        cdef const uint8_t *letters
        cdef letter_mask once, twice, bit
        cdef uint32_t w, at, which, number
        cdef bint in_blocks = list_blocks.shape[0] > 0
        cdef Py_ssize_t i, count
        cdef int n = 2, j
        with nogil:
            for w in range(first, last):
                while w >= t.length_start[n + 1]:
                    n += 1
                letters = &t.words[w].letters[0]
                count = self._occurrences(w, n, found)
                for i in range(count):
                    which = self._list_of(&found[i], letters, n)
                    at = cursors[which]
                    if at == NO_WORD:
                        continue
                    once = twice = 0
                    for j in range(n):
                        if j < found[i].start or j >= found[i].end:
                            bit = <letter_mask> 1 << letters[j]
                            twice |= once & bit
                            once |= bit
                    cursors[which] = at + 1
                    masks[at] = scan_mask(t, once, twice)
                    number = w - t.length_start[n]
                    list_words[at] = <uint16_t> number
                    if in_blocks:
                        list_blocks[at >> 1] |= <uint8_t> (number >> BLOCK << 4 * (at & 1))


def hash_slots(const uint64_t[::1] keys not None, const uint64_t[::1] tags not None, int bits):
    """Return the slot of each key in a table of 1 << bits slots with open addressing, (keys,) uint32.

    A key's home is its top bits; the next free slot follows. Keys with equal tags share a slot.
    """
    cdef uint64_t slot, last = (<uint64_t> 1 << bits) - 1
    cdef Py_ssize_t i
    cdef uint8_t[::1] taken = np.zeros(1 << bits, np.uint8)
    cdef uint64_t[::1] tag_of = np.zeros(1 << bits, np.uint64)
    slots = np.empty(keys.shape[0], np.uint32)
    cdef uint32_t[::1] slot_of = slots
    with nogil:
        for i in range(keys.shape[0]):
            slot = keys[i] >> (64 - bits)
            while taken[slot] and tag_of[slot] != tags[i]:
                slot = (slot + 1) & last
            taken[slot] = 1
            tag_of[slot] = tags[i]
            slot_of[i] = <uint32_t> slot
    return slots
