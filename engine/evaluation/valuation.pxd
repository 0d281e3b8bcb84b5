"""Declarations of valuation.h: the fields are described there."""
from libc.stdint cimport int32_t, uint8_t, uint64_t

from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.movegen.plays cimport Hand, Play


cdef extern from "valuation.h" nogil:
    ctypedef struct Situation:
        const LoadedBoardStruct *board
        const Hand *hand
        const uint8_t *tiles
        const uint8_t *unseen
        int32_t unseen_count
        int32_t bag_count
        int32_t spread

    ctypedef struct Valuer:
        void (*value_leaves)(Valuer *self, const Situation *situation, int32_t *values) noexcept nogil
        void (*adjust_plays)(Valuer *self, const Situation *situation, Play *plays, uint64_t count) noexcept nogil
        int32_t weighs_pass
