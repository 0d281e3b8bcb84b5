"""Declarations of ending.h: what they do is described there."""
from libc.stdint cimport int32_t

from engine.search.mover cimport GameRules


cdef extern from "ending.h" nogil:
    const int MAX_PLAYERS
    const int WENT_OUT
    const int ZERO_TURNS
    const int ALL_PASSED
    const int GIVEN_UP
    const int CONTINUES

    int game_ending(const GameRules *rules, int players, int tiles_left, int zero_turns, int passes, int scoreless)
    void add_ending(const GameRules *rules, int players, int out, const int32_t *left, int32_t *added)
