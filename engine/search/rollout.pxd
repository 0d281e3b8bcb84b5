"""Declarations of rollout.h, which describes the fields."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from engine.lexicon.tables cimport RACK_CAPACITY
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.movegen.plays cimport Play
from engine.rules.game_rules cimport GameRules
from engine.search.tile_order cimport Bag, Random


cdef extern from "rollout.h" nogil:
    const int SEATS
    const int CODE_CAPACITY
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
    const int FOUND_DOUBT
    const int FOUND_COLUMNS
    const int WIN_SCALE
    const int LINE_SHIFT

    ctypedef struct Candidate:
        LoadedBoardStruct board
        uint64_t changed
        int32_t score
        int32_t leave_value
        int32_t zero_turns
        int32_t passes
        uint8_t kind
        uint8_t leave_count
        uint8_t returned_count
        uint8_t leave[RACK_CAPACITY]
        uint8_t returned[RACK_CAPACITY]
        uint8_t unplayed[CODE_CAPACITY]

    ctypedef struct Rollout:
        const LoadedBoardStruct *board
        uint64_t changed
        Bag bag
        Random random
        int32_t scores[SEATS]
        int32_t leave_values[SEATS]
        int32_t rack_counts[SEATS]
        int32_t bag_before
        int32_t zero_turns
        int32_t passes
        int32_t over
        int32_t turns
        int32_t searched
        int32_t final_spread
        int32_t final_win
        int32_t final_doubt
        uint8_t racks[SEATS][RACK_CAPACITY]
        uint8_t unplayed[CODE_CAPACITY]
        int32_t pending
        int cells[RACK_CAPACITY]
        uint8_t codes[RACK_CAPACITY]
        uint32_t reply

    uint32_t laid_squares(const Play *play, int side, const int *cells, int count)
    int rollout_end(const GameRules *rules, int rack_count, int zero_turns, int passes, int scoreless)
    int32_t final_spread(const GameRules *rules, const LoadedBoardStruct *board, const Rollout *r)
    int32_t win_chance(const uint16_t *values, int rows, int middle, int unit, int64_t spread, int unseen)
