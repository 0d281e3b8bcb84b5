from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from engine.evaluation.evaluator_kernel cimport EvaluatorKernel
from engine.evaluation.valuation cimport Valuer
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.search.choosing_kernel cimport Mover
from engine.search.mover cimport Choice
from engine.search.tile_order cimport Bag, Random
from engine.selfplay.game_log cimport GameLog


cdef class GameLoop:
    cdef Mover mover                  # chooses the moves of both seats
    cdef BoardKernel board            # the board of the game at hand
    cdef LoadedBoardStruct empty      # the board on which games begin
    cdef EvaluatorKernel first        # of the player who begins, unless the seats are swapped
    cdef EvaluatorKernel second
    cdef uint8_t counts[64]           # by tile code: tiles of the set
    cdef uint8_t unplayed[64]         # by tile code: tiles not yet on the board
    cdef uint8_t unseen[64]           # by tile code: of those, all but the mover's
    cdef int32_t tile_count           # of the set
    cdef Bag bag
    cdef Random random
    cdef uint8_t racks[2][7]          # by seat: codes, ascending
    cdef int32_t rack_counts[2]
    cdef int32_t scores[2]
    cdef object thinkers              # of the two players: what is asked for a move, or None
    cdef object error                 # what a thinker raised, or None
    cdef bint failed                  # it did
    cdef int32_t thinks               # bit 0: the first player has a thinker, bit 1: the second
    cdef int32_t asks[2]              # by seat: of the game at hand
    cdef bint swapped                 # the second player began it
    cdef int32_t zeros                # turns without points, in a row
    cdef int32_t laid                 # tiles that the last turn laid
    cdef int cells[26]                # where they lie
    cdef uint8_t codes[26]
    cdef GameLog log                  # of the last game
    cdef void play(self, uint64_t seed, uint64_t number, bint swapped) noexcept nogil
    cdef void take_turn(self, int seat, Valuer *valuer) noexcept nogil
    cdef void ask(self, int seat, Choice *choice) noexcept with gil
    cdef int raise_error(self) except -1
    cdef bint is_over(self, int seat, int zeros, int passes) noexcept nogil
    cdef void refill(self, int seat) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef void count_words(self, uint32_t *played, uint32_t *bingos, uint32_t *made) noexcept nogil
    cdef uint32_t word_at(self, int line, int first, int length) noexcept nogil
