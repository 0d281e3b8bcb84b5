"""Declarations of loaded_board.h: the fields are described there."""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from engine.lexicon.tables cimport LETTER_CAPACITY, PLACED_LIMBS, SIDE, letter_mask


cdef extern from "loaded_board.h" nogil:
    const uint32_t BOARD_FORMAT
    const int NO_LETTER
    const int BLANK_BIT
    const int LINE_PADDING
    const int RUN_CAPACITY

    ctypedef struct Run:
        uint8_t first
        uint8_t last
        uint8_t internal_first
        uint8_t internal_length
        uint32_t internal_word
        uint32_t first_list
        letter_mask front_hooks
        letter_mask back_hooks
        uint64_t placements[PLACED_LIMBS]

    ctypedef struct StoredRun:
        letter_mask front_hooks
        letter_mask back_hooks
        uint32_t internal_word
        uint8_t internal_offset
        uint8_t internal_length

    ctypedef struct Line:
        letter_mask admissible[LINE_PADDING]
        uint64_t key_before[SIDE + 1]
        int32_t points_before[SIDE + 1]
        int32_t cross_points_before[SIDE + 1]
        int16_t cross_points[SIDE]
        int16_t along_factor[LINE_PADDING]
        int16_t across_factor[LINE_PADDING]
        uint8_t tiles[SIDE]
        uint8_t letter_factor[SIDE]
        uint8_t word_factor[SIDE]
        uint8_t empty_before[SIDE + 1]
        uint8_t empties[SIDE]
        uint8_t doubled_before[SIDE + 1]
        uint8_t tripled_before[SIDE + 1]
        uint8_t quadrupled_before[SIDE + 1]
        uint32_t occupied
        uint32_t crossed
        uint32_t halo
        uint32_t open_word_premiums
        uint32_t starts
        uint32_t doubles
        uint32_t triples
        uint32_t quadruples
        uint32_t word_premiums
        uint32_t interval_starts
        uint32_t interval_ends[SIDE]
        uint8_t runs_before[SIDE + 1]
        int32_t run_count
        Run runs[RUN_CAPACITY]

    ctypedef struct LoadedBoardStruct "LoadedBoard":
        int32_t side
        int32_t letter_count
        int32_t tile_count
        int32_t both_ways
        int16_t values[LETTER_CAPACITY]
        uint8_t squares[SIDE * SIDE]
        Line lines[2 * SIDE]

    void count_before(uint32_t set, uint8_t *before)
