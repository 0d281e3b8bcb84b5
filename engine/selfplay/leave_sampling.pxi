"""The equity of the best move for random racks on the boards of self-play games.

Included by selfplay_kernel.pyx.  leave_training.py turns the sums into leave values.
"""

cdef enum:
    RACK = 7  # tiles of a full rack
    SUMS = 4  # columns of the sums of a leave


cdef void deal(Random *random, const uint8_t *pool, int codes, int total, uint8_t *rack) noexcept nogil:
    """Draw a rack of seven tiles from a pool (number of tiles by code), in ascending order."""
    cdef uint8_t left[LETTER_CAPACITY]
    cdef int i, code
    cdef int32_t at
    memcpy(left, pool, LETTER_CAPACITY)
    for i in range(RACK):
        at = <int32_t> random_below(random, <uint32_t> (total - i))
        code = 0
        while at >= left[code]:
            at -= left[code]
            code += 1
        left[code] -= 1
        rack[i] = <uint8_t> code
    sort_tiles(rack, RACK)


cdef void count_ways(const uint8_t *tiles, int64_t *ways) noexcept nogil:
    """Write in how many ways each leave can be chosen from the tiles of a rack, by the number of the leave."""
    cdef int i = 0, copies, combinations = 1, k, number
    cdef int64_t choose
    ways[0] = 1
    while i < RACK:
        copies = 1
        while i + copies < RACK and tiles[i + copies] == tiles[i]:
            copies += 1
        choose = 1
        for k in range(copies + 1):
            if k:
                choose = choose * (copies - k + 1) // k
                for number in range(combinations):
                    ways[combinations * k + number] = ways[number] * choose
        combinations *= copies + 1
        i += copies


cdef class LeaveSampler:
    """Samples racks on the boards of the games of one GameLoop; holds the scratch memory of one thread."""
    cdef GameLoop loop
    cdef Mover mover          # finds the best moves; its rules may differ from those of the games
    cdef EvaluatorKernel evaluator  # of the racks
    cdef LeaveRanksStruct ranks     # where the sums of a leave are
    cdef int32_t per_turn     # racks dealt for each turn
    cdef int32_t least_bag    # turns with fewer tiles in the bag do not count

    def __init__(self, GameLoop loop not None, Mover mover not None, EvaluatorKernel evaluator not None,
                 const uint32_t[::1] base not None, const uint32_t[:, :, ::1] offset not None,
                 int per_turn, int least_bag):
        """Take the games, what finds and values the best moves, the ranks of the leaves (leave_ranks.py), the
        number of racks a turn, and the smallest bag of a turn that counts."""
        self.loop = loop
        self.mover = mover
        self.evaluator = evaluator
        if base.shape[0] != 8 or offset.shape[0] * offset.shape[1] != LETTER_CAPACITY * RACK or least_bag < 1:
            raise ValueError("the ranks are not those of leave_ranks.py")
        self.ranks.count = base[7]
        memcpy(self.ranks.base, &base[0], sizeof(self.ranks.base))
        memcpy(self.ranks.offset, &offset[0, 0, 0], sizeof(self.ranks.offset))
        self.per_turn = per_turn
        self.least_bag = least_bag

    cdef void add(self, const uint8_t *rack, int64_t equity, int64_t[:, ::1] sums) noexcept nogil:
        """Add the equity of a rack's best move, in hundredths of a point, to the sums of each of its leaves."""
        cdef uint32_t ranks[LEAVE_CAPACITY]
        cdef uint8_t sizes[LEAVE_CAPACITY]
        cdef int64_t ways[LEAVE_CAPACITY]
        cdef int64_t *entry
        cdef int number = 0
        rank_leaves(&self.ranks, rack, RACK, ranks, sizes)
        count_ways(rack, ways)
        while ranks[number] != NO_RANK:  # the last leave is the full rack
            entry = &sums[ranks[number], 0]
            entry[0] += ways[number] * equity
            entry[1] += ways[number] * equity * equity
            entry[2] += ways[number]
            entry[3] += 1
            number += 1

    cdef void sample_game(self, Random *random, int64_t[:, ::1] sums) noexcept nogil:
        """Draw racks on each board of the last game."""
        cdef LoadedBoardStruct *board = &self.loop.board.board
        cdef int codes = self.loop.empty.letter_count + 1, total = self.loop.tile_count, k, i, j, laid
        cdef const TurnLog *turn
        cdef uint8_t pool[LETTER_CAPACITY]
        cdef uint8_t unseen[LETTER_CAPACITY]
        cdef uint8_t rack[RACK]
        cdef Choice choice
        cdef int cells[SIDE]
        cdef uint8_t laid_codes[SIDE]
        memcpy(board, &self.loop.empty, sizeof(LoadedBoardStruct))
        memcpy(pool, self.loop.counts, sizeof(pool))
        for k in range(self.loop.log.turn_count):
            turn = &self.loop.log.turns[k]
            if turn.bag_before < self.least_bag:
                return
            for _ in range(self.per_turn):
                deal(random, pool, codes, total, rack)
                memcpy(unseen, pool, sizeof(unseen))
                for j in range(RACK):
                    unseen[rack[j]] -= 1
                self.mover.choose(board, rack, RACK, unseen, total - RACK, turn.bag_before, 0,
                                  self.evaluator.valuer, &choice)
                self.add(rack, choice.equity // 10, sums)
            if turn.kind == PLAY_MOVE:
                laid = lay_play(&self.loop.board.tables.view, board, &turn.play, cells, laid_codes)
                for i in range(laid):
                    pool[0 if laid_codes[i] & 0x80 else laid_codes[i]] -= 1
                total -= laid
                self.loop.board.place_tiles(cells, laid_codes, laid)

    def sample(self, uint64_t seed, uint64_t first, uint64_t games, int64_t[:, ::1] sums not None):
        """Play games from number `first` on and add to `sums`, four columns by rank of the leave.

        They are the equity in hundredths of a point and its square, each times the number of ways to choose the
        leave from the rack; those ways; and the racks.
        """
        cdef uint64_t i
        cdef Random random
        if sums.shape[0] != self.ranks.count or sums.shape[1] != SUMS:
            raise ValueError("the sums are not those of the tile set")
        with nogil:
            for i in range(games):
                self.loop.play(seed, first + i, False)
                random = game_random(~seed, first + i)
                self.sample_game(&random, sums)
