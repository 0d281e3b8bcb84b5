"""The Anagram Method: racks and intervals; anagram_kernel.inc.h answers the intervals [Anagram2018, section 3].

The build compiles it twice, for two sizes of alphabet and board (geometry.h).
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from lab.tables.anagrams cimport BLANK_KEY, BLANKS_INDEXED, letter_excess
from lab.tables.anagrams_kernel cimport Strings
from engine.lexicon.tables cimport (
    LETTER_CAPACITY, RACK_CAPACITY, LexiconTables,
)
from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.loaded_board.loaded_board cimport BLANK_BIT, Line, LoadedBoardStruct
from lab.generators.anagram cimport AnagramGeneration, AnagramKernels, RackString, anagram_kernels_at
from engine.movegen.generation cimport Generation, count_rack
from engine.movegen.plays cimport take_rack

include "engine/movegen/play_array.pxi"

cdef extern from *:
    """
    #define lowest_bit(x) __builtin_ctz(x)
    """
    int lowest_bit(uint32_t x) nogil


cdef void list_strings(AnagramGeneration *a) noexcept nogil:
    """List the sub-multisets of the rack by size, with no more blanks than the strings of the index have."""
    cdef const LexiconTables *t = a.shared.tables
    cdef RackString *string
    cdef uint64_t keys[RACK_CAPACITY + 1]  # keys of the distinct tiles, the blank first
    cdef int copies[RACK_CAPACITY + 1]     # how many of each the rack has
    cdef int digits[RACK_CAPACITY + 1]     # how many of each the present sub-multiset has
    cdef int distinct = 0, size = 0, first_letter = 0, i, letter
    cdef uint64_t key = 0
    memset(a.string_count, 0, sizeof(a.string_count))
    if a.shared.hand.blanks:
        keys[0], copies[0], digits[0] = BLANK_KEY, min(a.shared.hand.blanks, BLANKS_INDEXED), 0
        distinct = first_letter = 1
    for letter in range(t.letter_count):
        if a.shared.hand.counts[letter]:
            keys[distinct] = t.letter_keys[letter]
            copies[distinct] = a.shared.hand.counts[letter]
            digits[distinct] = 0
            distinct += 1
    while True:
        string = &a.strings[size][a.string_count[size]]
        a.string_count[size] += 1
        string.blanks = digits[0] if first_letter else 0
        string.key = key
        string.letters = key - BLANK_KEY * <uint64_t> string.blanks
        i = 0
        while i < distinct:
            if digits[i] < copies[i]:
                digits[i] += 1
                size += 1
                key += keys[i]
                break
            size -= digits[i]
            key -= keys[i] * <uint64_t> digits[i]
            digits[i] = 0
            i += 1
        if i == distinct:
            return


cdef void take_hand(AnagramGeneration *a, const uint8_t *tiles, int count) noexcept nogil:
    """Take a rack of tile codes (0 = blank), and find out whether the index answers every interval (a.indexed)."""
    cdef Generation *g = &a.shared
    cdef uint8_t counts[LETTER_CAPACITY]
    cdef int letter, square
    take_rack(&g.hand, g.board, tiles, count)
    count_rack(g)
    list_strings(a)
    a.indexed = 1
    if g.hand.blanks:
        memcpy(counts, g.hand.counts, sizeof(counts))
        for square in range(g.board.side * g.board.side):
            if g.board.squares[square]:
                letter = (g.board.squares[square] & ~BLANK_BIT) - 1
                if counts[letter] < 255:
                    counts[letter] += 1
        a.indexed = g.hand.blanks + letter_excess(a.index, counts, g.tables.letter_count) <= BLANKS_INDEXED


cdef void play_line(AnagramGeneration *a, const AnagramKernels *kernels, int line) noexcept nogil:
    """Answer every interval of a line.

    It has two squares or more, no tile just before or after it, at least one empty square and no more than the
    rack has tiles, and touches the halo.
    """
    cdef const LoadedBoardStruct *board = a.shared.board
    cdef const Line *x = &board.lines[line]
    cdef int side = board.side, start, stop, lowest, end, k
    cdef uint32_t squares = (<uint32_t> 1 << side) - 1
    cdef uint32_t starts = ~(x.occupied << 1) & squares
    cdef uint32_t ends_of_line = ~(x.occupied >> 1) & squares
    cdef uint32_t ends, here
    while starts:
        start = lowest_bit(starts)
        starts &= starts - 1
        here = x.halo >> start
        if not here:
            return
        stop = side
        k = x.empty_before[start] + a.shared.hand.tiles
        if k < x.empty_before[side]:
            stop = x.empties[k]
        lowest = start + max(1, lowest_bit(here))
        if lowest >= stop:
            continue
        ends = ends_of_line & ((<uint32_t> 1 << stop) - 1) & ~((<uint32_t> 1 << lowest) - 1)
        while ends:
            end = lowest_bit(ends)
            ends &= ends - 1
            k = x.empty_before[end + 1] - x.empty_before[start]
            # A play of one tile is listed once: down only if it makes no word across.
            if k == 0 or k == 1 and line >= side and x.crossed >> x.empties[x.empty_before[start]] & 1:
                continue
            a.shared.interval_count += 1
            kernels.play_interval(a, line, start, end - start + 1)
        if a.shared.sink.overflow:
            return


cdef void generate_plays(AnagramGeneration *a, const AnagramKernels *kernels) noexcept nogil:
    """List the plays of the rack taken on the board."""
    cdef Generation *g = &a.shared
    cdef int line
    g.sink.count = g.interval_count = g.candidate_count = g.scanned_count = 0
    a.lookup_count = a.unindexed_count = 0
    g.sink.overflow = 0
    if not g.hand.tiles:
        return
    for line in range(2 * g.board.side):
        if g.board.lines[line].halo:
            play_line(a, kernels, line)


cdef class Generator:
    """Generates the plays of one lexicon; owns the scratch memory of one thread."""
    cdef AnagramGeneration a
    cdef const AnagramKernels *kernels
    cdef Tables tables
    cdef Strings strings

    def __init__(self, Tables tables not None, Strings strings not None, int level, uint64_t play_limit):
        """Take the tables, their anagram index, the vector path and the limit of plays.

        Raises ValueError if the processor lacks the instructions of that path, MemoryError.
        """
        self.kernels = anagram_kernels_at(level)
        if self.kernels == NULL:
            raise ValueError(f"this processor cannot run kernel {level}")
        self.tables = tables
        self.strings = strings
        self.a.shared.tables = &tables.view
        self.a.index = &strings.view
        self.a.shared.sink.limit = play_limit
        give_block(&self.a.shared.sink)

    def __dealloc__(self):
        free(self.a.shared.sink.plays)

    def generate(self, BoardKernel board not None, bytes rack not None, int bingo_bonus, int bingo_tiles,
                 leave_values, dtype):
        """Return (plays as an array of `dtype`, intervals, candidates, strings looked up, `unindexed`, `scanned`).

        `unindexed`: intervals that the index does not answer; `scanned`: words read for them; `rack`: up to 7
        tile codes, 0 = blank; `leave_values`: one int32 (millipoints) a leave, or None.
        Raises OverflowError if there are more plays than the limit, ValueError if the rack does not fit.
        """
        cdef Generation *g = &self.a.shared
        cdef const int32_t[::1] values
        if len(rack) > RACK_CAPACITY or (rack and max(rack) > g.tables.letter_count):
            raise ValueError("the rack holds at most 7 tiles of the tile set")
        if board.tables is not self.tables:
            raise ValueError("the board was loaded with another lexicon")
        g.board = &board.board
        g.hand.bingo_bonus = bingo_bonus
        g.hand.bingo_tiles = bingo_tiles
        take_hand(&self.a, <const uint8_t *> rack, <int> len(rack))
        g.hand.leave_values = NULL
        if leave_values is not None:
            values = leave_values
            if values.shape[0] != g.hand.full_leave + 1:
                raise ValueError(f"the rack has {g.hand.full_leave + 1} leaves, not {values.shape[0]}")
            g.hand.leave_values = &values[0]
        with nogil:
            generate_plays(&self.a, self.kernels)
        plays = listed_plays(&g.sink, dtype)
        return (plays, g.interval_count, g.candidate_count, self.a.lookup_count, self.a.unindexed_count,
                g.scanned_count)
