from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.movegen.generation cimport Generation, IntervalKernels
from engine.movegen.plays cimport Hand, Play, PlaySink
from engine.rules.game_rules cimport GameRules, RulesKernel


cdef class Generator:
    cdef Generation g                    # the scratch memory of one thread
    cdef const IntervalKernels *kernels  # the vector path in use
    cdef Tables tables                   # what g.tables points into
    cdef const Hand *hold(self, const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                          const GameRules *rules) noexcept nogil
    cdef const PlaySink *find_plays(self, const int32_t *leave_values) noexcept nogil
    cdef const PlaySink *find_plays_through(self, const uint32_t *through) noexcept nogil
    cdef bint find_best(self, const int32_t *leave_values, Play *best) noexcept nogil
    cdef void value_rack(self, const int32_t *leave_values) noexcept nogil
    cdef bint find_better(self, const LoadedBoardStruct *board, uint64_t lines, bint found,
                          Play *best) noexcept nogil
    cdef int take(self, BoardKernel board, bytes rack, RulesKernel rules) except -1
    cdef object best_of_taken(self, const int32_t *leave_values, dtype)
