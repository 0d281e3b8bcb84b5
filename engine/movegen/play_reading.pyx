"""Reads lists of plays: the best of them in order, and the tiles that they put on the board.

Python would take 0.6 of the time of a generation more for its ten best plays, and 0.6 more for all plays as moves.
The kernel does not depend on the sizes of alphabet and board, so it is compiled once.
"""

from libc.stdint cimport uint8_t

from engine.movegen.plays cimport ONE_TILE, Play

import numpy as np

cdef enum:
    BLANK_BIT = 0x80  # of a tile code: a blank that stands for the letter
    MAX_SIDE = 64     # squares of a line, more than any board has


cdef inline bint stands_before(const Play *plays, Py_ssize_t a, Py_ssize_t b, bint by_score) noexcept nogil:
    """Tell whether play `a` stands before play `b` in the order of Plays.best."""
    cdef const Play *x = &plays[a]
    cdef const Play *y = &plays[b]
    cdef int mine = x.score if by_score else x.equity
    cdef int other = y.score if by_score else y.equity
    if mine != other:
        return mine > other
    if x.line != y.line:
        return x.line < y.line
    if x.start != y.start:
        return x.start < y.start
    if x.length != y.length:
        return x.length < y.length
    if x.word != y.word:
        return x.word < y.word
    if x.blanks != y.blanks:
        return x.blanks < y.blanks
    return a < b


cdef void sift_down(const Play *plays, Py_ssize_t *heap, Py_ssize_t count, Py_ssize_t index,
                    bint by_score) noexcept nogil:
    """Put `index` into a heap of indices whose root is free; the root is the last of them in order."""
    cdef Py_ssize_t at = 0, child
    while True:
        child = 2 * at + 1
        if child >= count:
            break
        if child + 1 < count and stands_before(plays, heap[child], heap[child + 1], by_score):
            child += 1
        if not stands_before(plays, index, heap[child], by_score):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = index


cdef void choose(const Play *plays, Py_ssize_t total, Py_ssize_t *heap, Py_ssize_t wanted,
                 bint by_score) noexcept nogil:
    """Write the indices of the `wanted` first of `total` plays, in order; `wanted` is from 1 to `total`."""
    cdef Py_ssize_t i, at, parent, last
    for i in range(wanted):
        at = i
        while at and stands_before(plays, heap[(at - 1) // 2], i, by_score):
            parent = (at - 1) // 2
            heap[at] = heap[parent]
            at = parent
        heap[at] = i
    for i in range(wanted, total):
        if stands_before(plays, i, heap[0], by_score):
            sift_down(plays, heap, wanted, i, by_score)
    for i in range(wanted - 1, 0, -1):
        last = heap[i]
        heap[i] = heap[0]
        sift_down(plays, heap, i, last, by_score)


def best(const uint8_t[::1] rows not None, Py_ssize_t count, bint by_score):
    """Return the indices of the best plays; see play_reading.pyi."""
    cdef Py_ssize_t total = rows.shape[0] // <Py_ssize_t> sizeof(Play)
    cdef Py_ssize_t wanted = min(count, total)
    cdef Py_ssize_t[::1] chosen
    if wanted <= 0:
        return np.empty(0, np.intp)
    array = np.empty(wanted, np.intp)
    chosen = array
    # This takes microseconds and keeps the GIL: to reacquire it would cost more than it saves.
    choose(<const Play *> &rows[0], total, &chosen[0], wanted, by_score)
    return array


cdef object tiles_of(const Play *play, object letters, const uint8_t *squares, int side):
    """Return (row, column, down, tile codes) of a play; the codes are 0 where a tile lies already.

    `letters`: returns the letters of a word by its id; `squares`: tile codes, row by row. Raises ValueError
    for a play that does not fit on the board or is longer than its word.
    """
    cdef bint down = play.line >= side
    cdef int row = play.start if down else play.line
    cdef int column = play.line - side if down else play.start
    cdef int i, code, square, step
    cdef bytes word = b""
    cdef const uint8_t *spelled
    cdef uint8_t tiles[MAX_SIDE]
    if column >= side or row >= side or play.start + play.length > side:
        raise ValueError("the play does not fit on the board")
    if not play.word & ONE_TILE:
        word = letters(play.word)
        if len(word) < play.length:
            raise ValueError("the play is longer than its word")
    spelled = word
    square = row * side + column
    step = side if down else 1
    for i in range(play.length):
        code = 0
        if not squares[square]:
            code = (<int> (play.word & ~ONE_TILE) if play.word & ONE_TILE else spelled[i]) + 1
            if i < 32 and play.blanks >> i & 1:
                code |= BLANK_BIT
        tiles[i] = <uint8_t> code
        square += step
    return row, column, down, tuple(tiles[:play.length])


def laid(const uint8_t[::1] rows not None, list indices not None, bytes squares not None, int side,
         letters not None):
    """Return what plays lay down; see play_reading.pyi."""
    cdef Py_ssize_t total = rows.shape[0] // <Py_ssize_t> sizeof(Play), index
    cdef list found = []
    if not 0 < side <= MAX_SIDE or len(squares) != side * side:
        raise ValueError("the squares are those of no board")
    for index in indices:
        if index < 0:
            index += total
        if not 0 <= index < total:
            raise IndexError(f"there is no play {index} among {total}")
        found.append(tiles_of(&(<const Play *> &rows[0])[index], letters, squares, side))
    return found
