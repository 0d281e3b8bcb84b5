"""Declarations of simulation.h: the fields are described there."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.search.mover cimport GameRules
from engine.search.tile_order cimport Bag, Random


cdef extern from "simulation.h" nogil:
    const int PLAY_OUT_TURNS
    const int ROLLOUT_WENT_OUT
    const int FOUND_SPREAD
    const int FOUND_WIN
    const int FOUND_OPPONENT_SCORE
    const int FOUND_OWN_SCORE
    const int FOUND_OPPONENT_BINGO
    const int FOUND_OWN_BINGO
    const int FOUND_LEAVE
    const int FOUND_ENDED
    const int FOUND_COLUMNS
    const int WIN_SCALE

    ctypedef struct Candidate:
        LoadedBoardStruct board
        int32_t score
        int32_t leave_value
        int32_t zeros
        int32_t passes
        uint8_t kind
        uint8_t kept_count
        uint8_t returned_count
        uint8_t kept[7]
        uint8_t returned[7]
        uint8_t unplayed[65]
        uint64_t changed

    ctypedef struct Rollout:
        const LoadedBoardStruct *board
        Bag bag
        Random random
        int32_t scores[2]
        int32_t leave_values[2]
        int32_t rack_counts[2]
        int32_t zeros
        int32_t passes
        int32_t over
        int32_t turns
        uint8_t racks[2][7]
        uint8_t unplayed[65]
        uint64_t changed
        int32_t pending
        int cells[7]
        uint8_t codes[7]

    int rollout_end(const GameRules *rules, int rack_count, int zeros, int passes, int scoreless)
    int32_t final_spread(const GameRules *rules, const LoadedBoardStruct *board, const Rollout *r)
    int32_t win_chance(const uint16_t *values, int rows, int middle, int unit, int64_t spread, int unseen)
