"""The bingo table of a lexicon, the delta sets of boards, and Heuri's evaluators [Heuri, chapter 7].

The inner loops are in bingo_table.h, delta_set.h, bingo_expectation.h and heuri.h. Included by
evaluation_kernel.pyx.
"""

MAX_LEVELS = BINGO_LEVELS
MAX_LETTER_COPIES = MAX_COPIES


cdef class BingoTables:
    """The arrays of one lexicon's bingo table (bingo_table.py), and the pointers of bingo_table.h into them."""
    cdef BingoTableStruct view   # pointers into `arrays` and the tables
    cdef Tables tables
    cdef dict arrays             # by name

    def __init__(self, Tables tables not None, int levels, ranges, arrays):
        """Take the lexicon's tables, the number of levels, the ranges of each (regular, crowded, helpers, end)
        and the arrays by name; derives the slots and the rows of words."""
        cdef BingoTableStruct *t = &self.view
        cdef const LexiconTables *lexicon = &tables.view
        cdef const uint32_t[::1] numbers
        cdef const uint64_t[::1] limbs
        cdef const uint8_t[::1] parts
        cdef int level
        memset(t, 0, sizeof(BingoTableStruct))
        self.tables = tables
        self.arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        t.lexicon = lexicon
        t.levels = levels
        t.entry_count = len(self.arrays["keys"])
        for level in range(levels):
            t.regular[level], t.crowded[level], t.helpers[level], t.ends[level] = ranges[level]
        t.regular[levels] = t.entry_count
        numbers = self.arrays["front_starts"]
        t.front_starts = &numbers[0]
        numbers = self.arrays["entry_backs"]
        t.entry_backs = &numbers[0]
        for level in range(levels - 1):
            numbers = self.arrays[f"children_{level}"]
            t.children[level] = &numbers[0]
        numbers = self.arrays["septet_of"]
        t.septet_of = &numbers[0]
        numbers = self.arrays["octet_of"]
        t.octet_of = &numbers[0]
        limbs = self.arrays["keys"]
        t.keys = &limbs[0]
        limbs = self.arrays["septets"]
        t.septets = &limbs[0]
        limbs = self.arrays["counted"]
        t.counted = &limbs[0]
        parts = self.arrays["fronts"].view(np.uint8)
        t.fronts = <const Part *> &parts[0]
        t.front_count = len(self.arrays["fronts"])
        parts = self.arrays["backs"].view(np.uint8)
        t.backs = <const Part *> &parts[0]
        t.back_count = len(self.arrays["backs"])
        t.septet_count = count_entries(t, t.septets)
        self._fill_slots()
        self._fill_rows()

    cdef _fill_slots(self):
        """Make the hash table and the bit set that find an entry by its key."""
        cdef BingoTableStruct *t = &self.view
        cdef uint64_t h
        cdef uint32_t entry, slot, mask
        cdef int level
        t.slot_bits = max(4, int(t.entry_count).bit_length())
        mask = (<uint32_t> 1 << t.slot_bits) - 1
        cdef uint32_t[::1] slots = np.zeros(1 << t.slot_bits, np.uint32)
        cdef uint64_t[::1] filtered = np.zeros(1 << (FILTER_BITS - 6), np.uint64)
        for level in range(t.levels):
            for entry in range(t.regular[level], t.ends[level]):
                h = hash_key(t.keys[entry])
                slot = <uint32_t> (h >> (64 - t.slot_bits))
                while slots[slot]:
                    slot = (slot + 1) & mask
                slots[slot] = entry + 1
                h >>= 64 - FILTER_BITS
                filtered[h >> 6] |= <uint64_t> 1 << (h & 63)
        self.arrays["slots"] = slots
        self.arrays["filter"] = filtered
        t.slots = &slots[0]
        t.filter = &filtered[0]

    cdef _fill_rows(self):
        """Make the bit sets of words by length from seven, position and letter."""
        cdef BingoTableStruct *t = &self.view
        cdef const LexiconTables *lexicon = t.lexicon
        cdef uint64_t total = 0
        cdef uint32_t words, w
        cdef const uint8_t *letters
        cdef int n, i
        for n in range(RACK_CAPACITY, SIDE + 1):
            words = lexicon.length_start[n + 1] - lexicon.length_start[n]
            t.row_first[n] = total
            t.row_limbs[n] = (words + 63) // 64
            total += <uint64_t> t.row_limbs[n] * n * lexicon.letter_count
        cdef uint64_t[::1] rows = np.zeros(total + 1, np.uint64)
        for n in range(RACK_CAPACITY, SIDE + 1):
            words = lexicon.length_start[n + 1] - lexicon.length_start[n]
            for w in range(words):
                letters = word_letters(lexicon, lexicon.length_start[n] + w, n)
                for i in range(n):
                    rows[t.row_first[n] + <uint64_t> t.row_limbs[n] * (i * lexicon.letter_count + letters[i])
                         + (w >> 6)] |= <uint64_t> 1 << (w & 63)
        self.arrays["rows"] = rows
        t.rows = &rows[0]

    def find(self, uint64_t key):
        """Return the entry with a key (tile codes ascending, the first in the highest of 7 bytes), or -1."""
        cdef uint32_t entry = find_entry(&self.view, key)
        return -1 if entry == self.view.entry_count - 1 else int(entry)

    @property
    def bytes(self):
        """Bytes of the arrays."""
        return sum(np.asarray(array).nbytes for array in self.arrays.values())


cdef class DeltaFinder:
    """Computes delta sets; owns the scratch memory of one thread."""
    cdef BingoTables tables
    cdef BingoScratch scratch

    def __init__(self, BingoTables tables not None):
        """Take the bingo table; raises MemoryError."""
        self.tables = tables
        if not make_bingo_scratch(&self.scratch, &tables.view):
            raise MemoryError

    def __dealloc__(self):
        free_bingo_scratch(&self.scratch)

    def compute(self, BoardKernel board not None):
        """Return the delta set of a board as limbs of 64 entries, helpers included."""
        cdef uint64_t[::1] out
        if board.tables is not self.tables.tables:
            raise ValueError("the board was loaded with another lexicon")
        with nogil:
            load_delta(&self.tables.view, &self.scratch, &board.board, self.tables.view.levels)
        array = np.empty(self.tables.view.entry_count // 64, np.uint64)
        out = array
        memcpy(&out[0], self.scratch.delta, array.nbytes)
        return array


cdef class HeuriKernel(EvaluatorKernel):
    """One of Heuri's evaluators for one thread; it caches the delta set of the last board."""
    cdef BingoTables tables
    cdef HeuriValuer heuri

    def __init__(self, BingoTables tables not None, int version, constants not None, vowels, bint weighs_pass):
        """Take the bingo table, the version 1 to 6 and its HeuriConstants; raises MemoryError.

        `vowels`: letter indices; `weighs_pass`: the pass has the e of the full rack (valuation.h).
        """
        self.tables = tables
        if not make_bingo_scratch(&self.heuri.scratch, &tables.view):
            raise MemoryError
        self.heuri.table = &tables.view
        self.heuri.version = version
        self.heuri.counted = count_entries(&tables.view, tables.view.counted)
        self.heuri.bonus = constants.bonus
        self.heuri.factor = constants.factor
        self.heuri.open_factor = constants.open_factor
        self.heuri.prefinal_bag = constants.prefinal_bag
        self.heuri.prefinal_factor = constants.prefinal_factor
        self.heuri.tile_mean = constants.tile_mean
        self.heuri.nine_timer = constants.nine_timer
        self.heuri.six_timer = constants.six_timer
        self.heuri.four_timer = constants.four_timer
        for letter in vowels:
            self.heuri.vowels |= <letter_mask> 1 << <int> letter
        self.heuri.valuer.value_leaves = value_heuri_leaves
        self.heuri.valuer.weighs_pass = weighs_pass
        if version == 1:
            self.heuri.valuer.adjust_plays = subtract_defence
        self.valuer = &self.heuri.valuer

    def __dealloc__(self):
        free_bingo_scratch(&self.heuri.scratch)

    def adopt(self, BoardKernel board not None, const uint64_t[::1] delta not None):
        """Take the delta set that `DeltaFinder.compute` returned for a board, instead of computing it again."""
        cdef BingoScratch *s = &self.heuri.scratch
        if delta.shape[0] != self.tables.view.entry_count // 64:
            raise ValueError("the delta set is of another lexicon")
        memcpy(s.delta, &delta[0], delta.shape[0] * sizeof(uint64_t))
        memcpy(s.squares, board.board.squares, board.board.side * board.board.side)
        s.side = board.board.side
        s.levels = self.tables.view.levels
