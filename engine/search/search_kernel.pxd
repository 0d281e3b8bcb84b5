from libc.stdint cimport int32_t, uint8_t, uint64_t

from engine.evaluation.valuation cimport Situation, Valuer
from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.movegen.internal_words_kernel cimport Generator
from engine.movegen.plays cimport Hand, Play
from engine.rules.game_rules cimport GameRules
from engine.search.mover cimport LEAVE_CAPACITY, BasePlays, Choice


cdef class Mover:
    cdef Generator generator  # of the same thread
    cdef Tables tables
    cdef GameRules rules
    cdef int32_t values[LEAVE_CAPACITY]  # millipoints: leaves of the last rack, by number
    cdef const Hand *hand     # the rack that the generator works on
    cdef const BasePlays *hand_owner  # the base plays of that rack, if it is valued; NULL: none
    cdef void choose(self, const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                     const uint8_t *unseen, int unseen_count, int bag_count, int spread, Valuer *valuer,
                     Choice *choice) noexcept nogil
    cdef void choose_beside(self, const LoadedBoardStruct *base, uint64_t changed, BasePlays *base_plays,
                            const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                            const uint8_t *unseen, int unseen_count, int bag_count, int spread, Valuer *valuer,
                            Choice *choice) noexcept nogil
    cdef void begin(self, BasePlays *base_plays, bint is_wanted) noexcept nogil
    cdef void look_at(self, Situation *situation, const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                      const uint8_t *unseen, int unseen_count, int bag_count, int spread) noexcept nogil
    cdef bint find_beside(self, const LoadedBoardStruct *base, uint64_t changed, BasePlays *base_plays,
                          const LoadedBoardStruct *board, Play *best) noexcept nogil
    cdef void settle(self, const Situation *situation, int count, Valuer *valuer, bint found,
                     Choice *choice) noexcept nogil
    cdef void consider_exchanges(self, const Situation *situation, int count, bint weighs_pass,
                                 Choice *choice) noexcept nogil
