"""Declarations of game_rules.h, which describes them, and the object that takes rules to the kernels."""
from libc.stdint cimport int32_t


cdef extern from "game_rules.h" nogil:
    const int MAX_PLAYERS
    const int WENT_OUT
    const int ZERO_TURNS
    const int ALL_PASSED
    const int GIVEN_UP
    const int CONTINUES

    ctypedef struct GameRules:
        int32_t bingo_bonus
        int32_t bingo_tiles
        int32_t rack_size
        int32_t exchange_limit
        int32_t zero_turn_limit
        int32_t passes_each
        int32_t zero_turns_need_points
        int32_t ending_is_double

    int game_ending(const GameRules *rules, int players, int tiles_left, int zero_turns, int passes, int scoreless)
    void add_ending(const GameRules *rules, int players, int out, const int32_t *left, int32_t *added)


cdef class RulesKernel:
    cdef GameRules numbers
