"""Declarations of leave_ranks.h: the fields are described there."""
from libc.stdint cimport uint8_t, uint32_t

from engine.lexicon.tables cimport LETTER_CAPACITY


cdef extern from "leave_ranks.h" nogil:
    const int LEAVE_TILES
    const uint32_t NO_RANK

    ctypedef struct LeaveRanksStruct "LeaveRanks":
        uint32_t count
        uint32_t base[LEAVE_TILES + 2]
        uint32_t offset[LETTER_CAPACITY][LEAVE_TILES + 1][LEAVE_TILES + 1]

    void rank_leaves(const LeaveRanksStruct *r, const uint8_t *tiles, int count, uint32_t *ranks, uint8_t *sizes)
