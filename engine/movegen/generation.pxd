"""Declarations of generation.h, bounds.h and interval_kernels.h: the fields are described there."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from engine.lexicon.tables cimport LETTER_CAPACITY, RACK_CAPACITY, LexiconTables, letter_mask
from engine.loaded_board.loaded_board cimport Line, LoadedBoardStruct
from engine.movegen.plays cimport Hand, Play, PlaySink


cdef extern from "generation.h" nogil:
    const int INTERVAL_CAPACITY
    const int MAX_SUBSET_BLANKS
    const int RACK_SUBSETS
    const int MEMO_LENGTHS
    const int BOUND_BUCKETS
    const uint8_t HOLDS_TILES
    const uint8_t HOLDS_ONE_TILE
    const uint8_t HOLDS_NO_TILE
    const uint8_t ONE_EMPTY_SQUARE

    ctypedef struct Interval:
        uint32_t list_begin
        uint32_t list_end
        uint8_t line
        uint8_t start
        uint8_t length
        uint8_t empty_count
        uint8_t first_run
        uint8_t run_count
        uint8_t kind

    ctypedef struct IntervalList:
        Interval *items
        int32_t count

    ctypedef struct RankedInterval:
        Interval interval
        int64_t bound
        int32_t word_factor
        int32_t next

    ctypedef struct MemoEntry:
        uint32_t word
        uint32_t next

    ctypedef struct Generation:
        const LexiconTables *tables
        const LoadedBoardStruct *board
        uint32_t threshold
        uint32_t fixed_threshold
        Hand hand
        PlaySink sink
        uint64_t subset_keys[RACK_CAPACITY + 1][RACK_SUBSETS]
        letter_mask subset_exhausted[RACK_CAPACITY + 1][RACK_SUBSETS]
        int32_t subset_points[RACK_CAPACITY + 1][RACK_SUBSETS]
        uint8_t subset_numbers[RACK_CAPACITY + 1][RACK_SUBSETS]
        int32_t subset_count[RACK_CAPACITY + 1]
        IntervalList with_tiles
        IntervalList with_one_tile
        IntervalList without_tiles
        uint32_t *rack_words[RACK_CAPACITY + 1]
        int32_t rack_word_count[RACK_CAPACITY + 1]
        letter_mask memo_letters
        uint32_t memo_needed[LETTER_CAPACITY][MEMO_LENGTHS]
        uint32_t memo_heads[LETTER_CAPACITY][MEMO_LENGTHS][MEMO_LENGTHS]
        MemoEntry *memo
        uint32_t memo_count
        uint32_t memo_capacity
        int32_t best_only
        int32_t has_best
        Play best
        RankedInterval *ranked
        int32_t ranked_count
        int32_t bound_heads[BOUND_BUCKETS]
        uint64_t interval_count
        uint64_t candidate_count
        uint64_t scanned_count

    void count_rack(Generation *g)
    bint may_have_anagrams(const LexiconTables *t, uint64_t key)
    void prefetch_ahead(const LoadedBoardStruct *board, int line)


cdef extern from "bounds.h" nogil:
    void load_rack_bounds(Generation *g)
    void load_line_bounds(Generation *g, const Line *line)
    int64_t interval_bound(const Generation *g, const Line *line, int start, int end, int empty_count,
                           int32_t *word_factor)
    Interval *rank_interval(Generation *g, int64_t bound, int32_t word_factor)


cdef extern from "interval_kernels.h" nogil:
    ctypedef struct IntervalKernels:
        const char *name
        void (*find_lists)(Generation *g) noexcept nogil
        void (*play_with_tiles)(Generation *g) noexcept nogil
        void (*play_with_one_tile)(Generation *g) noexcept nogil
        void (*play_without_tiles)(Generation *g) noexcept nogil
        void (*play_one_empty_square)(Generation *g, int line, int start, int length) noexcept nogil
        void (*play_ranked)(Generation *g) noexcept nogil

    const IntervalKernels *interval_kernels_at(int level)
