"""Declarations of loaded_board.h: the fields are described there."""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from engine.lexicon.tables cimport letter_mask


cdef extern from "loaded_board.h" nogil:
    const uint32_t BOARD_FORMAT
    const int NO_LETTER
    const int LINE_PADDING
    const int RUN_CAPACITY

    ctypedef struct Run:
        uint8_t first
        uint8_t last
        uint8_t key_first
        uint8_t key_length
        uint32_t internal
        uint32_t lists
        letter_mask front_hooks
        letter_mask back_hooks
        uint64_t placed[6]

    ctypedef struct StoredRun:
        letter_mask front_hooks
        letter_mask back_hooks
        uint32_t internal
        uint8_t key_offset
        uint8_t key_length

    ctypedef struct Line:
        letter_mask admissible[52]
        uint64_t key_before[27]
        int32_t points_before[27]
        int32_t across_before[27]
        int16_t cross_points[26]
        int16_t own_factor[52]
        int16_t across_factor[52]
        uint8_t tiles[26]
        uint8_t letter_factor[26]
        uint8_t word_factor[26]
        uint8_t empty_before[27]
        uint8_t empties[26]
        uint8_t doubled_before[27]
        uint8_t tripled_before[27]
        uint8_t quadrupled_before[27]
        uint32_t occupied
        uint32_t crossed
        uint32_t halo
        uint32_t premium
        uint32_t starts
        uint32_t doubles
        uint32_t triples
        uint32_t quadruples
        uint32_t word_premiums
        uint32_t openings
        uint32_t ends[26]
        uint8_t runs_before[27]
        int32_t run_count
        Run runs[14]

    ctypedef struct LoadedBoardStruct "LoadedBoard":
        int32_t side
        int32_t letter_count
        int32_t tile_count
        int32_t both_ways
        int16_t values[64]
        uint8_t squares[676]
        Line lines[52]

    void count_before(uint32_t set, uint8_t *before)
