from libc.stdint cimport int32_t, uint8_t

from engine.evaluation.valuation cimport Situation, Valuer
from engine.lexicon.tables_wide cimport Tables
from engine.movegen.internal_words_wide cimport Generator
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.search.mover cimport Choice, GameRules


cdef class Mover:
    cdef Generator generator  # the scratch memory of one thread
    cdef Tables tables
    cdef GameRules rules
    cdef int32_t values[128]  # LEAVE_CAPACITY: of the leaves of the rack last asked about, millipoints
    cdef void choose(self, const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                     const uint8_t *unseen, int unseen_count, int bag_count, int spread, Valuer *valuer,
                     Choice *choice) noexcept nogil
    cdef void consider_exchanges(self, const Situation *situation, int count, Choice *choice) noexcept nogil
