from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from engine.evaluation.evaluator_kernel cimport EvaluatorKernel
from engine.evaluation.valuation cimport Valuer
from engine.lexicon.tables cimport LETTER_CAPACITY, RACK_CAPACITY, SIDE
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.search.mover_kernel cimport Mover
from engine.search.mover cimport Choice
from engine.search.tile_order cimport Bag, Random
from engine.selfplay.game_log cimport GameLog


cdef class GameLoop:
    cdef Mover mover                  # chooses the moves of players without a chooser
    cdef BoardKernel board            # of the current game
    cdef LoadedBoardStruct empty      # the board on which games begin
    cdef EvaluatorKernel first        # of the first player
    cdef EvaluatorKernel second       # of the second player
    cdef uint8_t counts[LETTER_CAPACITY]    # by code: tiles of the set
    cdef uint8_t unplayed[LETTER_CAPACITY]  # by code: tiles that are not on the board
    cdef uint8_t unseen[LETTER_CAPACITY]    # by code: tiles that the player on turn cannot see
    cdef int32_t tile_count           # tiles of the set
    cdef Bag bag
    cdef Random random
    cdef uint8_t racks[2][RACK_CAPACITY]    # by seat: codes, ascending
    cdef int32_t rack_counts[2]       # by seat: tiles on the rack
    cdef int32_t scores[2]            # by seat: points
    cdef object choosers              # by player: a callable that chooses the moves, or None
    cdef object error                 # raised by a chooser, or None
    cdef bint failed                  # a chooser raised an error
    cdef int32_t chooser_bits         # bit 0: the first player has a chooser, bit 1: the second
    cdef int32_t has_chooser[2]       # by seat, in the current game
    cdef bint swapped                 # the second player began the current game
    cdef int32_t zero_turns           # turns without points in a row
    cdef int32_t laid                 # tiles that the last turn placed
    cdef int cells[SIDE]              # their squares: row * side + column
    cdef uint8_t codes[SIDE]          # their codes
    cdef GameLog log                  # of the last game
    cdef void play(self, uint64_t seed, uint64_t number, bint swapped) noexcept nogil
    cdef void take_turn(self, int seat, Valuer *valuer) noexcept nogil
    cdef void ask_chooser(self, int seat, Choice *choice) noexcept with gil
    cdef int raise_error(self) except -1
    cdef bint is_over(self, int seat, int zero_turns, int passes) noexcept nogil
    cdef void refill(self, int seat) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef void count_words(self, uint32_t *played, uint32_t *bingos, uint32_t *formed) noexcept nogil
    cdef uint32_t word_at(self, int line, int first, int length) noexcept nogil
