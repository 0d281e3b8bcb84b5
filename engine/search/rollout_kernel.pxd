from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from engine.evaluation.evaluator_kernel cimport EvaluatorKernel
from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.search.mover cimport BasePlays
from engine.search.mover_kernel cimport Mover
from engine.search.rollout cimport CODE_CAPACITY, SEATS, Candidate, Rollout
from engine.search.tile_order cimport Random


cdef class Candidates:
    cdef Tables tables
    cdef BoardKernel base                   # the board before the moves
    cdef list leaves                        # of each candidate, to sort candidates by leave
    cdef Candidate *items                   # the candidates
    cdef int32_t count                      # how many there are
    cdef int32_t next_draw                  # of the current block: the first draw that no thread has taken
    cdef int32_t letter_count               # letters of the tile set
    cdef uint8_t unseen[CODE_CAPACITY]      # by code: tiles in the bag or on the opponent's rack
    cdef int32_t unseen_count               # their sum
    cdef int32_t opponent_count             # tiles on the opponent's rack
    cdef int32_t scores[SEATS]              # before the move, in points
    cdef const uint8_t[:, ::1] opponent_racks  # tiles that the opponent may hold for certain: rows of count, codes
    cdef const double[::1] shares           # cumulative probabilities of these rows
    cdef const uint16_t[:, ::1] wins        # the win% table by unseen tiles and spread, or None
    cdef int32_t win_unit                   # its value of a certain win


cdef class Simulator:
    cdef Mover mover                        # chooses the replies of both seats
    cdef EvaluatorKernel replies            # the evaluator of the replies
    cdef BoardKernel board                  # scratch: the board of the rollout after a reply
    cdef Rollout dealt                      # the current draw, the start of every candidate's rollout
    cdef Rollout rollout                    # scratch: without sharing, the current rollout
    cdef Rollout refilled                   # scratch: a copy of it for one of several own racks
    cdef Rollout *rollouts                  # with sharing: the rollout of each chosen candidate
    cdef int32_t *order                     # indices of the chosen candidates, equal leaves next to each other
    cdef int32_t capacity                   # length of `rollouts` and `order`
    cdef BasePlays opponent_plays           # of the opponent's rack on the board before the candidates
    cdef BasePlays own_plays                # of an own rack on that board
    cdef int32_t plies                      # turns after the candidate
    cdef int32_t refills                    # own racks for each reply
    cdef bint play_out                      # play to the end once the bag is empty
    cdef bint sharing                       # play the rollouts of a draw together
    cdef int64_t deadline                   # nanoseconds of the monotonic clock; 0: none
    cdef bint stopped                       # `stop` was called
    cdef void deal(self, Candidates c, uint64_t seed, uint64_t number) noexcept nogil
    cdef int reserve(self, int count) except -1
    cdef bint roll_out_all(self, Candidates c, const int32_t[::1] chosen,
                           int32_t[:, ::1] found) noexcept nogil
    cdef bint late(self) noexcept nogil
    cdef bint roll_out(self, Candidates c, const Candidate *candidate, int32_t *found) noexcept nogil
    cdef void begin(self, Candidates c, const Candidate *candidate, Rollout *r) noexcept nogil
    cdef void refill(self, Rollout *r, int seat, int exchanged) noexcept nogil
    cdef void end_turn(self, Rollout *r, int seat) noexcept nogil
    cdef void play_on(self, Candidates c, Rollout *r, int32_t *found) noexcept nogil
    cdef void lay_pending(self, Rollout *r) noexcept nogil
    cdef void take_turn(self, Candidates c, Rollout *r, int32_t *found, BasePlays *base_plays) noexcept nogil
    cdef void draw_anew(self, const Candidate *candidate, Rollout *r, Random *random) noexcept nogil
    cdef void evaluate_end(self, Candidates c, const Rollout *r, int32_t *found) noexcept nogil
