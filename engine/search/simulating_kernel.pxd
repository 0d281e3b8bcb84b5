from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from engine.evaluation.evaluator_kernel cimport EvaluatorKernel
from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.search.choosing_kernel cimport Mover
from engine.search.mover cimport Standing
from engine.search.simulation cimport Candidate, Rollout
from engine.search.tile_order cimport Random


cdef class Candidates:
    cdef Tables tables
    cdef BoardKernel base                 # the board before the moves
    cdef list kept                        # by candidate: tiles kept, so that those with the same stand together
    cdef Candidate *items
    cdef int32_t count
    cdef int32_t next_draw                # of the step, the first that no thread has taken
    cdef int32_t letter_count
    cdef uint8_t unseen[65]               # by code: tiles of the bag and of the opponent
    cdef int32_t unseen_count
    cdef int32_t opponent_count           # tiles of the opponent's rack
    cdef int32_t scores[2]                # before the move, by seat; points
    cdef const uint8_t[:, ::1] held       # what the opponent may hold: count, codes
    cdef const double[::1] shares         # probabilities of the rows, summed up
    cdef const uint16_t[:, ::1] wins      # chances by unseen tiles and spread, or None
    cdef int32_t win_unit                 # of a certain win in it


cdef class Simulator:
    cdef Mover mover                      # chooses the replies of both seats
    cdef EvaluatorKernel replies          # what they go by
    cdef BoardKernel board                # scratch: the board of the rollout, once a reply lies on it
    cdef Rollout dealt                    # the draw that all candidates share
    cdef Rollout rollout
    cdef Rollout again                    # after the reply, for one of several own racks
    cdef Rollout *together                # by chosen candidate: its rollout of the draw
    cdef int32_t *order                   # chosen candidates, those that keep the same next to each other
    cdef int32_t room                     # candidates that these hold
    cdef Standing replying                # the opponent's rack of the draw beside all candidates
    cdef Standing going_on                # an own rack beside those that share it
    cdef int32_t plies
    cdef int32_t refills
    cdef bint play_out
    cdef bint sharing
    cdef int64_t deadline                 # nanoseconds of the monotonic clock; 0: none
    cdef bint stopped                     # another thread wants an end
    cdef void deal(self, Candidates c, uint64_t seed, uint64_t number) noexcept nogil
    cdef int reserve(self, int count) except -1
    cdef bint roll_out_together(self, Candidates c, const int32_t[::1] chosen,
                                int32_t[:, ::1] found) noexcept nogil
    cdef bint late(self) noexcept nogil
    cdef bint roll_out(self, Candidates c, const Candidate *candidate, int32_t *found) noexcept nogil
    cdef void begin(self, Candidates c, const Candidate *candidate, Rollout *r) noexcept nogil
    cdef void refill(self, Rollout *r, int seat, int exchanged) noexcept nogil
    cdef void end_turn(self, Rollout *r, int seat) noexcept nogil
    cdef void play_on(self, Candidates c, Rollout *r, int32_t *found) noexcept nogil
    cdef void lay_pending(self, Rollout *r) noexcept nogil
    cdef void take_turn(self, Candidates c, Rollout *r, int32_t *found, Standing *standing) noexcept nogil
    cdef void draw_anew(self, const Candidate *candidate, Rollout *r, Random *random) noexcept nogil
    cdef void judge(self, Candidates c, const Rollout *r, int32_t *found) noexcept nogil
