"""The passes over all occurrences of internal words in words, which build the lists of the tables.

Included by tables_kernel.pyx.
"""

cdef extern from *:
    """
    #define lowest_bit(x) __builtin_ctzll(x)
    #define bit_count(x) __builtin_popcountll(x)
    """
    int lowest_bit(uint64_t x) nogil
    int bit_count(uint64_t x) nogil

PLACEMENT_DTYPE = np.dtype(np.uint16 if sizeof(placement_number) == 2 else np.uint8)
LIMBS_OF_PLACEMENTS = PLACED_LIMBS
NOT_STORED = NO_WORD  # the cursor of a list that is not stored


def word_scan_masks(Tables tables not None):
    """Return the scan masks of all words, followed by ENTRIES_AFTER_END zeros."""
    cdef const LexiconTables *t = &tables.view
    masks = np.zeros(t.word_count + ENTRIES_AFTER_END, np.uint32)
    cdef uint32_t[::1] view = masks
    cdef uint32_t w
    cdef int n = 2
    for w in range(t.word_count):
        while w >= t.length_start[n + 1]:
            n += 1
        view[w] = outer_mask(t, word_letters(t, w, n), n, 0, 0)
    return masks


cdef uint32_t outer_mask(const LexiconTables *t, const uint8_t *letters, int n, int start, int end) noexcept nogil:
    """Return the scan mask of a word of n letters without those at positions start .. end - 1."""
    cdef letter_mask once = 0, twice = 0, bit
    cdef int i
    for i in range(n):
        if i < start or i >= end:
            bit = <letter_mask> 1 << letters[i]
            twice |= once & bit
            once |= bit
    return scan_mask(t, once, twice)


cdef struct Occurrence:
    uint32_t internal  # word id of the internal word, or NO_WORD for a single letter
    int start          # position of the internal word in the word
    int end            # square after its last letter


cdef class OccurrenceScan:
    """Passes over all occurrences of internal words in words, which find their placements and fill their lists.

    Each pass works on a slice of the words, so that the caller can show its progress.
    """
    cdef Tables tables

    def __init__(self, Tables tables not None):
        """Scan the words of `tables`, which need no more than the results of the passes before."""
        self.tables = tables

    cdef Py_ssize_t _occurrences(self, uint32_t word, int n, Occurrence *found) noexcept nogil:
        """List the internal words of a word: all proper substrings that are a letter or a word."""
        cdef const LexiconTables *t = &self.tables.view
        cdef const uint8_t *letters = word_letters(t, word, n)
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

    def mark_placements(self, uint32_t[:, ::1] letter_lengths not None, uint64_t[:, ::1] placed not None,
                        uint8_t[::1] internal_raw not None, uint32_t first, uint32_t last):
        """Set the placements and hooks of internal words that follow from the words first .. last - 1.

        `placed`, (internal words, LIMBS_OF_PLACEMENTS), has a bit for each placement of an internal word;
        `internal_raw` are the bytes of their records.
        """
        cdef Occurrence found[SIDE * SIDE]
        cdef const LexiconTables *t = &self.tables.view
        cdef const uint8_t *letters
        cdef InternalWord *records = <InternalWord *> &internal_raw[0]
        cdef uint32_t w, which
        cdef Py_ssize_t i, count
        cdef int n = 2, k, bit
        with nogil:
            for w in range(first, last):
                while w >= t.length_start[n + 1]:
                    n += 1
                letters = word_letters(t, w, n)
                count = self._occurrences(w, n, found)
                for i in range(count):
                    k = found[i].end - found[i].start
                    if k == 1:
                        letter_lengths[letters[found[i].start], found[i].start] |= <uint32_t> 1 << n
                        continue
                    which = internal_index(t, found[i].internal)
                    bit = placement_index(k, found[i].start, n)
                    placed[which, bit >> 6] |= <uint64_t> 1 << (bit & 63)
                    if k == n - 1:
                        if found[i].start == 0:
                            records[which].back_hooks |= <letter_mask> 1 << letters[n - 1]
                        else:
                            records[which].front_hooks |= <letter_mask> 1 << letters[0]

    cdef uint32_t _list_of(self, const Occurrence *o, const uint8_t *letters, int n) noexcept nogil:
        cdef const LexiconTables *t = &self.tables.view
        cdef int k = o.end - o.start
        cdef int bit = placement_index(k, o.start, n)
        cdef uint32_t letter_lists = LETTER_PLACEMENTS * <uint32_t> t.letter_count
        cdef uint32_t which, low, high, middle
        if k == 1:
            return LETTER_PLACEMENTS * <uint32_t> letters[o.start] + bit
        which = internal_index(t, o.internal)
        low, high = t.internal_words[which].first, t.internal_words[which + 1].first - 1
        while low < high:  # the placements of its lists ascend
            middle = (low + high) // 2
            if t.list_placements[middle - letter_lists] < bit:
                low = middle + 1
            else:
                high = middle
        return low

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
                    which = self._list_of(&found[i], word_letters(t, w, n), n)
                    if by_class:
                        if latest[which] == classes[w]:
                            continue
                        latest[which] = classes[w]
                    counts[which] += 1

    def fill_lists(self, uint32_t[::1] cursors not None, uint32_t[::1] masks not None,
                   uint16_t[::1] list_words not None, uint8_t[::1] list_blocks not None,
                   uint32_t first, uint32_t last):
        """Write the words first .. last - 1 and the scan masks of their other letters at the cursors of lists.

        `masks`, `list_words` and `list_blocks` receive the entries (tables.h). A list whose cursor is NOT_STORED
        is left out.
        """
        cdef Occurrence found[SIDE * SIDE]
        cdef const LexiconTables *t = &self.tables.view
        cdef const uint8_t *letters
        cdef uint32_t w, at, which, number
        cdef bint in_blocks = list_blocks.shape[0] > 0
        cdef Py_ssize_t i, count
        cdef int n = 2
        with nogil:
            for w in range(first, last):
                while w >= t.length_start[n + 1]:
                    n += 1
                letters = word_letters(t, w, n)
                count = self._occurrences(w, n, found)
                for i in range(count):
                    which = self._list_of(&found[i], letters, n)
                    at = cursors[which]
                    if at == NO_WORD:  # NOT_STORED
                        continue
                    cursors[which] = at + 1
                    masks[at] = outer_mask(t, letters, n, found[i].start, found[i].end)
                    number = w - t.length_start[n]
                    list_words[at] = <uint16_t> number
                    if in_blocks:
                        list_blocks[at >> 1] |= <uint8_t> (number >> BLOCK << 4 * (at & 1))


def number_lists(const uint64_t[:, ::1] placed not None, uint8_t[::1] internal_raw not None, int letter_count):
    """Number the lists, those of letters first; return the placement of each list of a longer internal word.

    `placed` and `internal_raw` are those of `mark_placements`; the numbers of the first lists are written into
    the records, of which the last one marks the end.
    """
    cdef InternalWord *records = <InternalWord *> &internal_raw[0]
    cdef uint32_t letter_lists = LETTER_PLACEMENTS * letter_count, lists = 0, i
    cdef int limb
    cdef uint64_t bits
    for i in range(placed.shape[0]):
        for limb in range(PLACED_LIMBS):
            lists += bit_count(placed[i, limb])
    placements = np.empty(lists, PLACEMENT_DTYPE)
    cdef placement_number[::1] view = placements
    lists = 0
    for i in range(placed.shape[0]):
        records[i].first = letter_lists + lists
        for limb in range(PLACED_LIMBS):
            bits = placed[i, limb]
            while bits:
                view[lists] = <placement_number> (64 * limb + lowest_bit(bits))
                lists += 1
                bits &= bits - 1
    records[placed.shape[0]].first = letter_lists + lists
    return placements
