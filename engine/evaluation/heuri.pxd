"""Declarations of heuri.h: the fields are described there."""
from libc.stdint cimport int32_t, uint32_t, uint64_t

from engine.evaluation.bingo_expectation cimport BingoScratch, BingoTableStruct
from engine.evaluation.valuation cimport Situation, Valuer
from engine.lexicon.tables cimport letter_mask
from engine.movegen.plays cimport Play


cdef extern from "heuri.h" nogil:
    ctypedef struct HeuriValuer:
        Valuer valuer
        const BingoTableStruct *table
        BingoScratch scratch
        int32_t version
        int32_t prefinal_bag
        double bonus
        double factor
        double open_factor
        uint32_t counted
        double prefinal_factor
        double tile_mean
        int32_t nine_timer
        int32_t six_timer
        int32_t four_timer
        letter_mask vowels

    void value_heuri_leaves(Valuer *self, const Situation *q, int32_t *values) noexcept
    void subtract_defence(Valuer *self, const Situation *q, Play *plays, uint64_t count) noexcept
