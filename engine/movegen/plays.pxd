"""Declarations of plays.h: the fields are described there."""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from engine.lexicon.tables cimport LETTER_CAPACITY, LexiconTables, letter_mask
from engine.loaded_board.loaded_board cimport LoadedBoardStruct


cdef extern from "plays.h" nogil:
    const uint32_t ONE_TILE
    const int LEAVE_CAPACITY

    ctypedef struct Play:
        uint32_t word
        int32_t score
        int32_t equity
        uint32_t blanks
        uint8_t line
        uint8_t start
        uint8_t length
        uint8_t placed
        uint8_t leave

    ctypedef struct Hand:
        uint8_t counts[LETTER_CAPACITY]
        uint8_t leave_weights[LETTER_CAPACITY]
        uint8_t values[LETTER_CAPACITY]
        uint8_t blank_weight
        uint8_t full_leave
        int32_t tiles
        int32_t blanks
        letter_mask letters
        letter_mask playable
        int32_t bingo_bonus
        int32_t bingo_tiles
        const int32_t *leave_values

    ctypedef struct PlaySink:
        Play *plays
        uint64_t count
        uint64_t capacity
        uint64_t limit
        int32_t overflow

    void take_rack(Hand *hand, const LoadedBoardStruct *board, const uint8_t *tiles, int count)
    int reserve_plays(PlaySink *sink, uint64_t more)
    void write_play(PlaySink *sink, const Hand *hand, Play play, int spent)
    int lay_play(const LexiconTables *t, const LoadedBoardStruct *b, const Play *play, int *cells, uint8_t *codes)
    int comes_before(const Play *a, const Play *b)
