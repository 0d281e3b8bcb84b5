"""Declarations of bingo_expectation.h, delta_set.h and bingo_table.h: the fields are described there."""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from engine.evaluation.valuation cimport Situation
from engine.lexicon.tables cimport SIDE, LexiconTables
from engine.loaded_board.loaded_board cimport LoadedBoardStruct


cdef extern from "bingo_expectation.h" nogil:
    const int BINGO_LEVELS
    const int OCTET_LETTERS
    const int MAX_COPIES
    const int FILTER_BITS

    ctypedef struct Part:
        uint32_t parent
        uint8_t letter
        uint8_t copies

    ctypedef struct BingoTableStruct "BingoTable":
        const LexiconTables *lexicon
        int32_t levels
        uint32_t entry_count
        uint32_t regular[BINGO_LEVELS + 1]
        uint32_t crowded[BINGO_LEVELS]
        uint32_t helpers[BINGO_LEVELS]
        uint32_t ends[BINGO_LEVELS]
        uint32_t front_count
        uint32_t back_count
        const Part *fronts
        const Part *backs
        const uint32_t *front_starts
        const uint32_t *entry_backs
        const uint64_t *keys
        const uint32_t *slots
        const uint64_t *filter
        int32_t slot_bits
        uint32_t septet_count
        const uint64_t *septets
        const uint64_t *counted
        const uint32_t *children[BINGO_LEVELS]
        const uint32_t *septet_of
        const uint32_t *octet_of
        const uint64_t *rows
        uint64_t row_first[SIDE + 2]
        uint32_t row_limbs[SIDE + 2]

    ctypedef struct BingoScratch:
        uint64_t *delta
        uint64_t marked_longer
        int32_t levels
        int32_t side
        uint8_t squares[SIDE * SIDE]

    void free_bingo_scratch(BingoScratch *s)
    int make_bingo_scratch(BingoScratch *s, const BingoTableStruct *t)
    void load_delta(const BingoTableStruct *t, BingoScratch *s, const LoadedBoardStruct *board, int levels)
    uint32_t count_entries(const BingoTableStruct *t, const uint64_t *bits)
    uint64_t hash_key(uint64_t key)
    uint32_t find_entry(const BingoTableStruct *t, uint64_t key)
    void expect_bingos(const BingoTableStruct *t, BingoScratch *s, const uint64_t *entries, const Situation *q,
                       double bonus, double factor, double *expected)
