"""Calls an evaluator from Python; compiled twice, for two sizes of alphabet and board (geometry.h)."""
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from engine.evaluation.evaluator_kernel cimport EvaluatorKernel
from engine.evaluation.valuation cimport Situation
from engine.lexicon.tables cimport RACK_CAPACITY
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.movegen.plays cimport Hand, Play, take_rack

import numpy as np


cdef void take_situation(Situation *s, Hand *hand, BoardKernel board, const uint8_t *rack, int count,
                         const uint8_t[::1] unseen, int bag_count, int spread,
                         int bingo_bonus, int bingo_tiles):
    """Fill in a situation and its rack; `rack` and `unseen` must live as long."""
    cdef Py_ssize_t code
    memset(hand, 0, sizeof(Hand))
    hand.bingo_bonus = bingo_bonus
    hand.bingo_tiles = bingo_tiles
    take_rack(hand, &board.board, rack, count)
    s.board = &board.board
    s.hand = hand
    s.tiles = rack
    s.unseen = &unseen[0]
    s.unseen_count = 0
    for code in range(unseen.shape[0]):
        s.unseen_count += unseen[code]
    s.bag_count = bag_count
    s.spread = spread


def leave_values(EvaluatorKernel evaluator not None, BoardKernel board not None, bytes rack not None,
                 const uint8_t[::1] unseen not None, int bag_count, int spread, int bingo_bonus, int bingo_tiles):
    """Return the value of each leave of a rack in millipoints, in the order of `plays.leaves`.

    `rack`: up to 7 tile codes, ascending (0 = blank); `unseen`: tiles by tile code, the blank first. Raises
    ValueError for a rack or array that does not fit.
    """
    cdef Situation situation
    cdef Hand hand
    cdef int32_t[::1] values
    if len(rack) > RACK_CAPACITY or unseen.shape[0] != board.board.letter_count + 1:
        raise ValueError("the rack or the unseen tiles do not fit the tile set")
    if rack and max(rack) > board.board.letter_count:
        raise ValueError("the rack holds tiles that the tile set lacks")
    take_situation(&situation, &hand, board, <const uint8_t *> rack, <int> len(rack), unseen, bag_count, spread,
                   bingo_bonus, bingo_tiles)
    array = np.zeros(hand.full_leave + 1, np.int32)
    values = array
    if evaluator.brief:  # it keeps the GIL: to reacquire it would cost more than it saves
        evaluator.valuer.value_leaves(evaluator.valuer, &situation, &values[0])
    elif evaluator.valuer != NULL:
        with nogil:
            evaluator.valuer.value_leaves(evaluator.valuer, &situation, &values[0])
    return array


def adjust_plays(EvaluatorKernel evaluator not None, BoardKernel board not None, bytes rack not None,
                 const uint8_t[::1] unseen not None, int bag_count, int spread, int bingo_bonus, int bingo_tiles,
                 plays):
    """Change the equity of plays (PLAY_DTYPE, in place) by what depends on more than their leaves."""
    cdef Situation situation
    cdef Hand hand
    cdef uint8_t[::1] view
    cdef Py_ssize_t count = len(plays)
    if evaluator.valuer == NULL or evaluator.valuer.adjust_plays == NULL or not count:
        return
    take_situation(&situation, &hand, board, <const uint8_t *> rack, <int> len(rack), unseen, bag_count, spread,
                   bingo_bonus, bingo_tiles)
    view = plays.view(np.uint8)
    with nogil:
        evaluator.valuer.adjust_plays(evaluator.valuer, &situation, <Play *> &view[0], count)
