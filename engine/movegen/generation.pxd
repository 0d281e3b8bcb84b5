"""Declarations of generation.h and interval_kernels.h: the fields are described there."""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from engine.lexicon.tables cimport LexiconTables, letter_mask
from engine.loaded_board.loaded_board cimport Line, LoadedBoardStruct
from engine.movegen.plays cimport Hand, Play, PlaySink


cdef extern from "generation.h" nogil:
    const int INTERVAL_CAPACITY
    const int MEMO_LENGTHS
    const int MOST_SUBSET_BLANKS
    const uint8_t LISTED
    const uint8_t LETTERED
    const uint8_t OPEN
    const uint8_t ONE_EMPTY

    ctypedef struct Interval:
        uint32_t first
        uint32_t last
        uint8_t line
        uint8_t start
        uint8_t length
        uint8_t placed
        uint8_t run
        uint8_t run_count
        uint8_t kind

    ctypedef struct RankedInterval:
        Interval interval
        int32_t bound
        int32_t next

    ctypedef struct MemoEntry:
        uint32_t word
        uint32_t next

    ctypedef struct IntervalList:
        Interval *items
        int32_t count

    ctypedef struct Generation:
        const LexiconTables *tables
        const LoadedBoardStruct *board
        uint32_t threshold
        uint32_t fixed_threshold
        Hand hand
        PlaySink sink
        letter_mask held
        letter_mask at_least[4]
        uint64_t subset_keys[8][35]
        letter_mask subset_spent[8][35]
        int32_t subset_count[8]
        IntervalList listed
        IntervalList lettered
        IntervalList open
        uint32_t *rack_words[8]
        int32_t rack_word_count[8]
        uint32_t memo_needed[64][9]
        uint32_t memo_heads[64][9][9]
        letter_mask memo_letters
        MemoEntry *memo
        uint32_t memo_count
        uint32_t memo_capacity
        int32_t best_only
        int32_t found
        Play best
        RankedInterval *ranked
        int32_t ranked_count
        int32_t bound_heads[128]
        uint64_t interval_count
        uint64_t candidate_count
        uint64_t scanned_count


cdef extern from "bounds.h" nogil:
    void take_reach(Generation *g)
    void take_line_reach(Generation *g, const Line *line)
    int32_t interval_bound(const Generation *g, const Line *line, int start, int end, int placed)
    Interval *rank_interval(Generation *g, int32_t bound)


cdef extern from "interval_kernels.h" nogil:
    ctypedef struct IntervalKernels:
        const char *name
        void (*resolve_lists)(Generation *g) noexcept nogil
        void (*play_listed)(Generation *g) noexcept nogil
        void (*play_lettered)(Generation *g) noexcept nogil
        void (*play_open)(Generation *g) noexcept nogil
        void (*play_one_tile)(Generation *g, int line, int start, int length) noexcept nogil
        void (*play_ranked)(Generation *g) noexcept nogil

    const IntervalKernels *interval_kernels_at(int level)
