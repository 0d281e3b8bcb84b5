"""The move with the most equity, as static players choose it in games and in rollouts.

Included by search_kernel.pyx.
"""

cdef uint64_t ALL_LINES = 0xFFFFFFFFFFFFFFFF


cdef class Mover:
    """Chooses moves with one lexicon and one rule set; holds the scratch memory of one thread."""

    def __init__(self, Generator generator not None, RulesKernel rules not None):
        """Take a generator that only this thread uses, and the rules."""
        self.generator = generator
        self.tables = generator.tables
        self.rules = rules.numbers

    cdef void choose(self, const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                     const uint8_t *unseen, int unseen_count, int bag_count, int spread, Valuer *valuer,
                     Choice *choice) noexcept nogil:
        """Write the play or exchange with the most equity, the pass if there is none.

        `tiles`: the rack as codes, ascending (0 = blank).  `unseen`: tiles that the player cannot see, by code,
        and `unseen_count` their sum.  `spread`: own score minus the other's.  `valuer`: NULL for the greedy
        player, who exchanges only without a play, and then as many tiles as possible.  Of moves with equal
        equity plays come first, then exchanges of fewer tiles (the leave with the higher number).
        """
        cdef const PlaySink *sink
        cdef Situation situation
        cdef Play *best
        cdef bint found = False
        cdef uint64_t i
        memset(choice, 0, sizeof(Choice))
        self.hand_owner = NULL
        self.hand = self.generator.hold(board, tiles, count, &self.rules)
        self.look_at(&situation, board, tiles, count, unseen, unseen_count, bag_count, spread)
        if valuer == NULL:
            found = self.generator.find_best(NULL, &choice.play)
        else:
            valuer.value_leaves(valuer, &situation, self.values)
            if valuer.adjust_plays == NULL:
                found = self.generator.find_best(self.values, &choice.play)
            else:
                sink = self.generator.find_plays(self.values)
                valuer.adjust_plays(valuer, &situation, sink.plays, sink.count)
                best = sink.plays
                for i in range(1, sink.count):
                    if comes_before(&sink.plays[i], best):
                        best = &sink.plays[i]
                if sink.count:
                    found = True
                    choice.play = best[0]
        self.settle(&situation, count, valuer, found, choice)

    cdef void begin(self, BasePlays *base_plays, bint is_wanted) noexcept nogil:
        """Reset `base_plays` for a new rack in `choose_beside`.

        `is_wanted`: enough boards will follow for the base plays to save time.
        """
        base_plays.count = 0
        base_plays.exhausted = False
        base_plays.is_wanted = is_wanted
        self.hand_owner = NULL

    cdef void choose_beside(self, const LoadedBoardStruct *base, uint64_t changed, BasePlays *base_plays,
                            const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                            const uint8_t *unseen, int unseen_count, int bag_count, int spread, Valuer *valuer,
                            Choice *choice) noexcept nogil:
        """Do what `choose` does, for one rack on several boards, each time with the same `base_plays`.

        Each board may differ from `base` in the lines of the bit set `changed` only.  The valuer, if any, must not
        adjust plays and, while tiles are in the bag, must value leaves by the rack alone: the rack is valued once.
        """
        cdef Situation situation
        cdef bint found
        if bag_count == 0:
            self.choose(board, tiles, count, unseen, unseen_count, bag_count, spread, valuer, choice)
            return
        memset(choice, 0, sizeof(Choice))
        if self.hand_owner != base_plays:
            self.hand = self.generator.hold(board, tiles, count, &self.rules)
            self.look_at(&situation, board, tiles, count, unseen, unseen_count, bag_count, spread)
            if valuer != NULL:
                valuer.value_leaves(valuer, &situation, self.values)
            self.generator.value_rack(NULL if valuer == NULL else self.values)
            self.hand_owner = base_plays
        else:
            self.look_at(&situation, board, tiles, count, unseen, unseen_count, bag_count, spread)
        found = self.find_beside(base, changed, base_plays, board, &choice.play)
        self.settle(&situation, count, valuer, found, choice)

    cdef bint find_beside(self, const LoadedBoardStruct *base, uint64_t changed, BasePlays *base_plays,
                          const LoadedBoardStruct *board, Play *best) noexcept nogil:
        """Write the best play of the generator's rack; false if there is none.

        Unchanged lines allow the same plays as on the base board.  The best of these is among the base plays, so
        only the changed lines are searched for a better one.
        """
        cdef uint64_t beyond = ALL_LINES
        cdef int k
        if not base_plays.is_wanted:
            return self.generator.find_better(board, ALL_LINES, False, best)
        for k in range(MAX_BASE_PLAYS):
            if k == base_plays.count and not base_plays.exhausted:
                if self.generator.find_better(base, beyond, False, &base_plays.plays[k]):
                    base_plays.count += 1
                else:
                    base_plays.exhausted = True
            if k == base_plays.count:
                return self.generator.find_better(board, changed, False, best)
            if not changed >> base_plays.plays[k].line & 1:
                best[0] = base_plays.plays[k]
                return self.generator.find_better(board, changed, True, best)
            beyond &= ~(<uint64_t> 1 << base_plays.plays[k].line)
        return self.generator.find_better(board, ALL_LINES, False, best)

    cdef void look_at(self, Situation *situation, const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                      const uint8_t *unseen, int unseen_count, int bag_count, int spread) noexcept nogil:
        """Write the situation of the generator's rack."""
        situation.board = board
        situation.hand = self.hand
        situation.tiles = tiles
        situation.unseen = unseen
        situation.unseen_count = unseen_count
        situation.bag_count = bag_count
        situation.spread = spread

    cdef void settle(self, const Situation *situation, int count, Valuer *valuer, bint found,
                     Choice *choice) noexcept nogil:
        """Complete a choice: compare the best play, if one was found, with the exchanges and the pass."""
        cdef const uint8_t *tiles = situation.tiles
        cdef int cells[SIDE]
        cdef uint8_t codes[SIDE]
        cdef int i
        choice.equity = INT32_MIN
        choice.kind = <uint8_t> PASS_MOVE
        if found:
            choice.kind = <uint8_t> PLAY_MOVE
            choice.equity = choice.play.equity
            i = lay_play(&self.tables.view, situation.board, &choice.play, cells, codes)
            choice.leave_count = <uint8_t> remove_played(tiles, count, codes, i, choice.leave)
        if valuer != NULL:
            self.consider_exchanges(situation, count, valuer.weighs_pass, choice)
        elif not found:
            choice.leave_count = <uint8_t> count
            choice.equity = 0
            if situation.bag_count >= self.rules.exchange_limit and situation.bag_count:
                choice.kind = <uint8_t> EXCHANGE_MOVE
                choice.leave_count = <uint8_t> (count - min(count, situation.bag_count))
            memcpy(choice.leave, tiles + count - choice.leave_count, choice.leave_count)

    cdef void consider_exchanges(self, const Situation *situation, int count, bint weighs_pass,
                                 Choice *choice) noexcept nogil:
        """Choose the best exchange if its equity exceeds that of the play; pass if there is neither.

        `weighs_pass`: pass also if the value of the full rack exceeds the equity of all other moves.
        """
        cdef uint8_t sizes[LEAVE_CAPACITY]
        cdef int full = situation.hand.full_leave, number, best = -1
        cdef int least = count - situation.bag_count  # nobody exchanges more tiles than the bag holds
        if situation.bag_count >= self.rules.exchange_limit:
            leave_sizes(situation.tiles, count, sizes)
            for number in range(full):
                if sizes[number] >= least and (best < 0 or self.values[number] >= self.values[best]):
                    best = number
        if best < 0 and choice.kind == PLAY_MOVE and not weighs_pass:
            return
        if best < 0 or (weighs_pass and self.values[full] > self.values[best]):
            best = full
        if self.values[best] <= choice.equity:
            return
        memset(&choice.play, 0, sizeof(Play))
        choice.equity = self.values[best]
        choice.kind = <uint8_t> (PASS_MOVE if best == full else EXCHANGE_MOVE)
        choice.leave_count = <uint8_t> leave_tiles(situation.tiles, count, best, choice.leave)
