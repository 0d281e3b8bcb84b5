"""The Internal-Words generator as an object, for other kernels and for Python; included by the kernel."""


def simd_name(int level):
    """Return the name of kernel level 0 (plain C), 1 (AVX2) or 2 (AVX-512), None if the processor lacks it."""
    cdef const IntervalKernels *kernels = interval_kernels_at(level)
    return kernels.name.decode() if kernels != NULL else None


cdef class Generator:
    """Generates the plays of one lexicon; owns the scratch memory of one thread.

    Other kernels call `hold`, then `find_plays` or `find_best`; or `hold`, `value_rack`, and `find_better` for one
    board after another, which prepares the rack only once.
    """

    def __init__(self, Tables tables not None, uint32_t threshold, uint32_t fixed_threshold, int level,
                 uint64_t play_limit):
        """Take the tables, the two terms of the threshold (generation.h), the vector path and the limit of plays.

        Raises ValueError if the processor lacks the instructions of that path, MemoryError.
        """
        cdef Generation *g = &self.g
        cdef int n
        cdef size_t entries
        self.kernels = interval_kernels_at(level)
        if self.kernels == NULL:
            raise ValueError(f"this processor cannot run kernel {level}")
        self.tables = tables
        g.tables = &tables.view
        g.threshold = threshold
        g.fixed_threshold = fixed_threshold
        g.sink.limit = play_limit
        give_block(&g.sink)
        g.memo_capacity = FIRST_MEMO_ENTRIES
        g.memo = <MemoEntry *> malloc(FIRST_MEMO_ENTRIES * sizeof(MemoEntry))
        g.with_tiles.items = <Interval *> malloc(INTERVAL_CAPACITY * sizeof(Interval))
        g.with_one_tile.items = <Interval *> malloc(INTERVAL_CAPACITY * sizeof(Interval))
        g.without_tiles.items = <Interval *> malloc(INTERVAL_CAPACITY * sizeof(Interval))
        g.ranked = <RankedInterval *> malloc(INTERVAL_CAPACITY * sizeof(RankedInterval))
        if not (g.ranked and g.memo
                and g.with_tiles.items and g.with_one_tile.items and g.without_tiles.items):
            raise MemoryError
        for n in range(2, RACK_CAPACITY + 1):
            entries = g.tables.length_start[n + 1] - g.tables.length_start[n] if n <= SIDE else 0
            g.rack_words[n] = <uint32_t *> malloc((entries + 1) * sizeof(uint32_t))
            if not g.rack_words[n]:
                raise MemoryError

    def __dealloc__(self):
        cdef int n
        free(self.g.sink.plays)
        free(self.g.memo)
        free(self.g.with_tiles.items)
        free(self.g.with_one_tile.items)
        free(self.g.without_tiles.items)
        free(self.g.ranked)
        for n in range(2, RACK_CAPACITY + 1):
            free(self.g.rack_words[n])

    @property
    def simd(self):
        """Name of the vector path in use."""
        return self.kernels.name.decode()

    cdef const Hand *hold(self, const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                          const GameRules *rules) noexcept nogil:
        """Take a board of the same tables and a rack of up to 7 tile codes (0 = blank).

        Returns the rack, which numbers its leaves.
        """
        cdef Generation *g = &self.g
        g.board = board
        g.hand.bingo_bonus = rules.bingo_bonus
        g.hand.bingo_tiles = rules.bingo_tiles
        load_rack(g, tiles, count)
        g.hand.leave_values = NULL
        return &g.hand

    cdef const PlaySink *find_plays(self, const int32_t *leave_values) noexcept nogil:
        """List the plays of the rack held.

        `leave_values`: millipoints by leave; NULL if equity is to be the score.
        """
        self.g.hand.leave_values = leave_values
        list_plays(&self.g, self.kernels, NULL)
        return &self.g.sink

    cdef const PlaySink *find_plays_through(self, const uint32_t *through) noexcept nogil:
        """List the plays of the rack held whose word covers one of some squares; equity is the score.

        `through`: by line, a bit set of squares (bit 0 is the first).
        """
        self.g.hand.leave_values = NULL
        list_plays(&self.g, self.kernels, through)
        return &self.g.sink

    cdef bint find_best(self, const int32_t *leave_values, Play *best) noexcept nogil:
        """Write the best play by equity (`comes_before`) of the rack held; return false if there is none."""
        self.value_rack(leave_values)
        return self.find_better(self.g.board, ALL_LINES, False, best)

    cdef void value_rack(self, const int32_t *leave_values) noexcept nogil:
        """Prepare the rack held for `find_better`; `leave_values` as for `find_plays`, owned by the caller."""
        self.g.hand.leave_values = leave_values
        forget_rack_words(&self.g)
        load_rack_bounds(&self.g)

    cdef bint find_better(self, const LoadedBoardStruct *board, uint64_t lines, bint found,
                          Play *best) noexcept nogil:
        """Write the best play on some lines of a board (bit set) if it is better than `best`.

        `found`: whether `best` holds a play. Returns whether it does now. The board must have the tile values of
        the one that was passed to `hold`.
        """
        cdef Generation *g = &self.g
        g.board = board
        g.has_best = found
        if found:
            g.best = best[0]
        else:
            g.best.equity = INT32_MIN
        improve_best(g, self.kernels, lines)
        if g.has_best:
            best[0] = g.best
        return g.has_best

    cdef int take(self, BoardKernel board, bytes rack, RulesKernel rules) except -1:
        """Take a board and a rack as `hold` does; raise ValueError if one of them does not fit."""
        if len(rack) > RACK_CAPACITY or (rack and max(rack) > self.g.tables.letter_count):
            raise ValueError("the rack holds at most 7 tiles of the tile set")
        if board.tables is not self.tables:
            raise ValueError("the board was loaded with another lexicon")
        self.hold(&board.board, <const uint8_t *> rack, <int> len(rack), &rules.numbers)
        return 0

    cdef object best_of_taken(self, const int32_t *leave_values, dtype):
        """Return the best play of the rack taken, or none, as `generate` does."""
        cdef Generation *g = &self.g
        cdef Play best
        cdef bint found
        with nogil:
            found = self.find_best(leave_values, &best)
        if g.sink.overflow:
            raise MemoryError
        return play_array(&best, found, dtype), g.interval_count, g.candidate_count, g.scanned_count

    def generate(self, BoardKernel board not None, bytes rack not None, RulesKernel rules not None,
                 leave_values, dtype, bint best_only=False):
        """Return (plays as an array of `dtype`, intervals, candidates, list entries read).

        `rack`: up to 7 tile codes, 0 = blank; `leave_values`: one int32 (millipoints) a leave, or None;
        `best_only`: at most one play, the best by equity.
        Raises OverflowError if there are more plays than the limit, ValueError if the rack does not fit.
        """
        cdef Generation *g = &self.g
        cdef const int32_t[::1] values
        cdef const int32_t *first = NULL
        self.take(board, rack, rules)
        if leave_values is not None:
            values = leave_values
            if values.shape[0] != g.hand.full_leave + 1:
                raise ValueError(f"the rack has {g.hand.full_leave + 1} leaves, not {values.shape[0]}")
            first = &values[0]
        if best_only:
            return self.best_of_taken(first, dtype)
        if SIDE <= MAX_BRIEF_SIDE and not g.hand.blanks:
            # So short that it keeps the GIL: to reacquire it would cost more than it saves.
            self.find_plays(first)
        else:
            with nogil:
                self.find_plays(first)
        return listed_plays(&g.sink, dtype), g.interval_count, g.candidate_count, g.scanned_count
