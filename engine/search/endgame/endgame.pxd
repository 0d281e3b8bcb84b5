"""Declarations of endgame.h, which describes the fields."""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from engine.lexicon.tables cimport LexiconTables
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.movegen.plays cimport Play


cdef extern from "endgame.h" nogil:
    const int SQUARE_LIMBS
    const int MAX_PLY
    const int MAX_PLAYS
    const int INFINITE
    const int COMPLETE
    const uint32_t NO_MARK
    const uint32_t PASS_MARK
    const uint32_t PASS
    const int FIRST_CANDIDATES
    const int HISTORY
    const int BUCKET
    const int EXACT
    const int LOWER_BOUND
    const int UPPER_BOUND

    ctypedef struct SquareSet:
        uint64_t limbs[11]

    ctypedef struct Candidate:
        SquareSet sensitive
        uint64_t key
        uint32_t need
        uint32_t mark
        int32_t score
        int32_t tile_points
        uint32_t word
        uint32_t blanks
        uint16_t cells[7]
        uint8_t codes[7]
        uint8_t placed
        uint8_t line
        uint8_t start
        uint8_t length

    ctypedef struct Node:
        SquareSet laid
        uint32_t changed[52]
        uint64_t key
        uint32_t racks[2]
        int32_t values[2]
        uint32_t first
        uint32_t count
        uint32_t arena
        uint32_t saved
        uint32_t move
        uint8_t tiles[2]
        uint8_t side
        uint8_t passes
        uint8_t zero_turns

    ctypedef struct TableEntry:
        uint64_t key
        int32_t value
        uint16_t mark
        uint8_t depth
        uint8_t kind

    uint64_t mixed(uint64_t x)
    void add_square(SquareSet *set, int cell)
    void unite(SquareSet *a, const SquareSet *b)
    bint meet(const SquareSet *a, const SquareSet *b)
    bint holds(uint32_t rack, uint32_t need)
    uint32_t run_ends(uint32_t occupied, int i, int side)
    void make_candidate(Candidate *c, const LoadedBoardStruct *b, const LexiconTables *t, const Play *play,
                        const uint8_t *places)
    uint64_t table_key(const Node *n)
    TableEntry *find_entry(TableEntry *table, uint64_t mask, uint64_t key, int solve)
    bint write_entry(TableEntry *table, uint64_t mask, uint64_t key, int solve, int value, int depth, int kind,
                     uint32_t mark)


cdef extern from "ceiling.h" nogil:
    ctypedef struct Ceiling:
        int32_t sums[8]

    void find_ceiling(Ceiling *c, const LoadedBoardStruct *b, const int *values, int count, int bonus,
                      int bingo_tiles, bint has_avx2, int32_t *most)
