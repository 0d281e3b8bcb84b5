"""How Python calls an evaluator.

Included by evaluation_kernel.pyx.
"""


def unseen_tiles(BoardKernel board not None, bytes rack not None, tuple counts not None):
    """Count the tiles that neither lie on a board nor on a rack, by tile code, as bytes.

    `counts`: tiles of the tile set by code. A number below 0 or above 255 is cut. Raises ValueError for a rack or
    counts that do not fit the tile set.
    """
    cdef const LoadedBoardStruct *b = &board.board
    cdef int codes = b.letter_count + 1, i, code
    cdef int taken[LETTER_CAPACITY + 1]
    cdef uint8_t unseen[LETTER_CAPACITY + 1]
    if <int> len(counts) != codes or (rack and max(rack) >= codes):
        raise ValueError("the rack or the counts do not fit the tile set")
    memset(taken, 0, sizeof(taken))
    for i in range(b.side * b.side):
        code = b.squares[i]
        if code:
            taken[0 if code & BLANK_BIT else code] += 1
    for code in rack:
        taken[code] += 1
    for code in range(codes):
        unseen[code] = <uint8_t> max(0, min(255, <int> counts[code] - taken[code]))
    return unseen[:codes]


cdef class SituationKernel:
    """The position that leaves are valued in, as kernels take it; immutable."""
    cdef Situation view
    cdef Hand hand
    cdef BoardKernel board
    cdef bytes rack
    cdef bytes unseen
    cdef RulesKernel rules

    def __init__(self, BoardKernel board not None, bytes rack not None, bytes unseen not None, int bag_count,
                 int spread, RulesKernel rules not None):
        """Take a position.

        `rack`: up to 7 tile codes, ascending (0 = blank); `unseen`: tiles by tile code, the blank first; `spread`:
        own score minus the other's. Raises ValueError for a rack or unseen tiles that do not fit the tile set.
        """
        cdef uint8_t count
        if len(rack) > RACK_CAPACITY or len(unseen) != board.board.letter_count + 1:
            raise ValueError("the rack or the unseen tiles do not fit the tile set")
        if rack and max(rack) > board.board.letter_count:
            raise ValueError("the rack holds tiles that the tile set lacks")
        self.board, self.rack, self.unseen, self.rules = board, rack, unseen, rules
        self.hand.bingo_bonus = rules.numbers.bingo_bonus
        self.hand.bingo_tiles = rules.numbers.bingo_tiles
        take_rack(&self.hand, &board.board, <const uint8_t *> rack, <int> len(rack))
        self.view.board = &board.board
        self.view.hand = &self.hand
        self.view.tiles = <const uint8_t *> rack
        self.view.unseen = <const uint8_t *> unseen
        for count in unseen:
            self.view.unseen_count += count
        self.view.bag_count = bag_count
        self.view.spread = spread


cdef object valued_leaves(EvaluatorKernel evaluator, SituationKernel situation, int32_t **first):
    """Return what `leave_values` returns; `first`: receives the address of the first value."""
    cdef Py_ssize_t size = (situation.hand.full_leave + 1) * <Py_ssize_t> sizeof(int32_t)
    memory = PyByteArray_FromStringAndSize(NULL, size)
    first[0] = <int32_t *> PyByteArray_AS_STRING(memory)
    if evaluator.valuer == NULL:
        memset(first[0], 0, size)
    elif evaluator.brief:  # it keeps the GIL: to reacquire it would cost more than it saves
        evaluator.valuer.value_leaves(evaluator.valuer, &situation.view, first[0])
    else:
        with nogil:
            evaluator.valuer.value_leaves(evaluator.valuer, &situation.view, first[0])
    return np.frombuffer(memory, np.int32)


def leave_values(EvaluatorKernel evaluator not None, SituationKernel situation not None):
    """Return the value of each leave of the rack in millipoints, in the order of `plays.leaves`."""
    cdef int32_t *first
    return valued_leaves(evaluator, situation, &first)


def best_play(Generator generator not None, EvaluatorKernel evaluator not None, SituationKernel situation not None,
              dtype):
    """Return (the values of `leave_values`, the best play by equity as `Generator.generate` returns it).

    Raises ValueError as `generate` does, and for an evaluator that adjusts plays.
    """
    cdef int32_t *first
    if evaluator.adjusts:
        raise ValueError("this evaluator values each play by itself")
    array = valued_leaves(evaluator, situation, &first)
    generator.take(situation.board, situation.rack, situation.rules)
    return array, generator.best_of_taken(first, dtype)


def adjust_plays(EvaluatorKernel evaluator not None, SituationKernel situation not None, plays):
    """Change the equity of plays (PLAY_DTYPE, in place) by what depends on more than their leaves."""
    cdef uint8_t[::1] view
    cdef Py_ssize_t count = len(plays)
    if evaluator.valuer == NULL or evaluator.valuer.adjust_plays == NULL or not count:
        return
    view = plays.view(np.uint8)
    with nogil:
        evaluator.valuer.adjust_plays(evaluator.valuer, &situation.view, <Play *> &view[0], count)
