"""Rollouts without the GIL: draw tiles, play replies, and evaluate the end.

The rollouts of one draw are played together and share work (`sharing`).  Their results are the same without:

- The opponent's rack is the same for every candidate, the own rack for candidates with equal leaves.  Each rack is
  valued, and its words looked up, only once (`Mover.choose_beside`).
- A candidate changes a few lines of the board.  The opponent's best play in the other lines is found once a draw,
  and only the changed lines are searched for a better one (`BasePlays`).
- The board after a candidate is loaded once.  Tiles of later moves are placed when the next move needs them.

Included by search_kernel.pyx.  Source: [Heuri], chapter 8.
"""

cdef enum:
    MIN_BOARDS = 3  # from this number of candidates on, BasePlays of the opponent save time

cdef extern from *:
    """
    #define take_next(counter) __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED)
    """
    int32_t take_next(int32_t *counter) nogil

COLUMNS = FOUND_COLUMNS
WIN_UNITS = WIN_SCALE
REPLY_SHIFT = LINE_SHIFT


cdef inline int64_t now() noexcept nogil:
    """Return the monotonic clock in nanoseconds."""
    cdef timespec at
    clock_gettime(CLOCK_MONOTONIC, &at)
    return <int64_t> at.tv_sec * 1000000000 + at.tv_nsec


cdef class Simulator:
    """Plays rollouts of candidates; holds the scratch memory of one thread."""
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
    cdef object endings                     # searches the end once the bag is empty (Endings), or None
    cdef object error                       # that it raised, or None
    cdef bint sharing                       # play the rollouts of a draw together
    cdef int64_t deadline                   # nanoseconds of the monotonic clock; 0: none
    cdef bint stopped                       # `stop` was called

    def __init__(self, Mover mover not None, EvaluatorKernel replies not None, int plies, int refills,
                 bint play_out, bint sharing, endings=None):
        """Take what chooses the replies, and how far a rollout goes.

        `plies`: turns after the candidate.  `refills`: own racks drawn for each reply; more than one only with 2
        plies.  `play_out`: play to the end of the game once the bag is empty.  `sharing`: see the module; it
        requires that `replies` values leaves by the rack alone while tiles are in the bag.  `endings`: called as
        Endings once the bag is empty, instead of playing out.
        """
        if plies < 0 or refills < 1 or (refills > 1 and (plies != 2 or play_out)):
            raise ValueError("several own racks need exactly 2 plies, and no playing out")
        self.mover = mover
        self.replies = replies
        self.board = BoardKernel.__new__(BoardKernel)
        self.board.tables = mover.tables
        self.plies = plies
        self.refills = refills
        self.play_out = play_out
        self.endings = endings
        self.sharing = sharing and plies > 0 and refills == 1

    def __dealloc__(self):
        free(self.rollouts)
        free(self.order)

    cdef int reserve(self, int count) except -1:
        """Allocate memory for the rollouts of one draw; raises MemoryError."""
        if count <= self.capacity:
            return 0
        free(self.rollouts)
        free(self.order)
        self.capacity = 0
        self.rollouts = <Rollout *> malloc(count * sizeof(Rollout))
        self.order = <int32_t *> malloc(count * sizeof(int32_t))
        if not self.rollouts or not self.order:
            raise MemoryError
        self.capacity = count
        return 0

    def run(self, Candidates candidates not None, const int32_t[::1] chosen not None, uint64_t seed,
            uint64_t first, int64_t deadline, int32_t[:, :, ::1] found not None,
            uint32_t[:, ::1] replies not None):
        """Play one rollout of each chosen candidate for every draw that no other thread has taken.

        `found`: the results, (draws, chosen, COLUMNS), written here.  Row i is draw first + i of the seed, which
        does not depend on the candidates.  `replies`: where the first reply lays tiles (laid_squares; 0 without a
        play), (draws, chosen), written here.  Returns the row of the draw that `deadline` (nanoseconds of the
        monotonic clock, 0: none) or `stop` interrupted, else the number of rows.
        """
        cdef int i, k, count = <int> found.shape[0]
        cdef bint completed = True
        if (found.shape[1] != chosen.shape[0] or found.shape[2] != FOUND_COLUMNS
                or replies.shape[0] != found.shape[0] or replies.shape[1] != found.shape[1]):
            raise ValueError("the array of results does not fit the candidates")
        if candidates.tables is not self.mover.tables:
            raise ValueError("the candidates belong to another lexicon")
        for k in range(chosen.shape[0]):
            if not 0 <= chosen[k] < candidates.count:
                raise ValueError("there is no such candidate")
        self.reserve(<int> chosen.shape[0])
        leaves = [candidates.leaves[k] for k in chosen]
        for i, k in enumerate(sorted(range(len(leaves)), key=leaves.__getitem__)):
            self.order[i] = k
        self.deadline = deadline
        with nogil:
            while True:
                i = take_next(&candidates.next_draw)
                if i >= count:
                    break
                self.deal(candidates, seed, first + i)
                if self.sharing:
                    completed = self.roll_out_all(candidates, chosen, found[i], replies[i])
                else:
                    for k in range(chosen.shape[0]):
                        completed = self.roll_out(candidates, &candidates.items[chosen[k]], &found[i, k, 0])
                        replies[i, k] = self.rollout.reply
                        if not completed:
                            break
                if not completed:
                    break
        if self.error is not None:
            raise self.error
        return count if completed else i

    def stop(self):
        """Stop `run` for good; any thread may call it."""
        self.stopped = True

    cdef bint late(self) noexcept nogil:
        return self.stopped or (self.deadline and now() > self.deadline)

    cdef void deal(self, Candidates c, uint64_t seed, uint64_t number) noexcept nogil:
        """Draw the opponent's rack and the order of the bag, the same for all candidates."""
        cdef Rollout *r = &self.dealt
        cdef Py_ssize_t low = 0, high = c.shares.shape[0] - 1, middle
        cdef uint8_t counts[CODE_CAPACITY]
        cdef double share
        cdef int i
        r.random = game_random(seed, number)
        share = (next_random(&r.random) >> 11) / 9007199254740992.0 * c.shares[high]
        while low < high:
            middle = (low + high) // 2
            if share < c.shares[middle]:
                high = middle
            else:
                low = middle + 1
        memcpy(counts, c.unseen, sizeof(counts))
        r.rack_counts[1] = c.opponent_racks[low, 0]
        for i in range(r.rack_counts[1]):
            r.racks[1][i] = c.opponent_racks[low, i + 1]
            counts[r.racks[1][i]] -= 1
        fill_bag(&r.bag, counts, c.letter_count, &r.random)
        while r.rack_counts[1] < c.opponent_count:
            r.racks[1][r.rack_counts[1]] = draw_tile(&r.bag, 1)
            r.rack_counts[1] += 1
        sort_tiles(r.racks[1], r.rack_counts[1])

    cdef bint roll_out_all(self, Candidates c, const int32_t[::1] chosen,
                           int32_t[:, ::1] found, uint32_t[::1] replies) noexcept nogil:
        """Play one rollout of each chosen candidate with shared work; false if the deadline has passed.

        First the opponent replies to all candidates, always with the same rack.  Then the rollouts continue,
        those with equal own racks one after the other.
        """
        cdef int count = <int> chosen.shape[0], at, k, own_count = 0
        cdef Rollout *r
        cdef uint8_t rack[RACK_CAPACITY]
        self.mover.begin(&self.opponent_plays, count >= MIN_BOARDS)
        for k in range(count):
            if self.late():
                return False
            r = &self.rollouts[k]
            memset(&found[k, 0], 0, FOUND_COLUMNS * sizeof(int32_t))
            self.begin(c, &c.items[chosen[k]], r)
            if not r.over:
                self.take_turn(c, r, &found[k, 0], &self.opponent_plays)
        for at in range(count):
            if self.late():
                return False
            k = self.order[at]
            r = &self.rollouts[k]
            if not at or own_count != r.rack_counts[0] or memcmp(rack, r.racks[0], own_count):
                own_count = r.rack_counts[0]
                memcpy(rack, r.racks[0], own_count)
                self.mover.begin(&self.own_plays, False)  # two moves change too many lines
            self.play_on(c, r, &found[k, 0])
            self.evaluate_end(c, r, &found[k, 0])
            replies[k] = r.reply
        return True

    cdef bint roll_out(self, Candidates c, const Candidate *candidate, int32_t *found) noexcept nogil:
        """Play one rollout, or one for each refill; false if the deadline has passed."""
        cdef Rollout *r = &self.rollout
        cdef int64_t sums[FOUND_COLUMNS]
        cdef int i
        if self.late():
            return False
        memset(found, 0, FOUND_COLUMNS * sizeof(int32_t))
        self.begin(c, candidate, r)
        if self.refills == 1 or r.over:
            self.play_on(c, r, found)
            self.evaluate_end(c, r, found)
            return True
        self.take_turn(c, r, found, NULL)
        if r.over:
            self.evaluate_end(c, r, found)
            return True
        self.lay_pending(r)
        memset(sums, 0, sizeof(sums))
        for _ in range(self.refills):
            if self.late():
                return False
            self.refilled = r[0]
            self.draw_anew(candidate, &self.refilled, &r.random)
            self.take_turn(c, &self.refilled, found, NULL)
            self.evaluate_end(c, &self.refilled, found)
            for i in range(FOUND_COLUMNS):
                sums[i] += found[i]
        for i in range(FOUND_COLUMNS):
            if i != FOUND_OPPONENT_SCORE and i != FOUND_OPPONENT_BINGO:
                found[i] = <int32_t> (sums[i] // self.refills)
        return True

    cdef void begin(self, Candidates c, const Candidate *candidate, Rollout *r) noexcept nogil:
        """Set the state after the candidate, with the tiles drawn for it."""
        cdef int i
        memcpy(r, &self.dealt, sizeof(Rollout))
        r.board = &candidate.board
        r.changed = candidate.changed
        r.pending = 0
        memcpy(r.unplayed, candidate.unplayed, sizeof(r.unplayed))
        memcpy(r.racks[0], candidate.leave, RACK_CAPACITY)
        r.rack_counts[0] = candidate.leave_count
        r.scores[0] = c.scores[0] + candidate.score
        r.scores[1] = c.scores[1]
        r.leave_values[0] = candidate.leave_value
        r.leave_values[1] = 0
        r.zero_turns = candidate.zero_turns
        r.passes = candidate.passes
        r.turns = r.searched = 0
        r.reply = 0
        r.bag_before = bag_count(&r.bag)
        if candidate.kind != PASS_MOVE:
            self.refill(r, 0, candidate.returned_count)
        for i in range(candidate.returned_count):
            return_tile(&r.bag, candidate.returned[i], &r.random)
        self.end_turn(r, 0)

    cdef void refill(self, Rollout *r, int seat, int exchanged) noexcept nogil:
        """Draw as many tiles as were exchanged, or else until the rack is full or the bag empty."""
        cdef int wanted = r.rack_counts[seat] + exchanged if exchanged else self.mover.rules.rack_size
        while r.rack_counts[seat] < wanted and bag_count(&r.bag):
            r.racks[seat][r.rack_counts[seat]] = draw_tile(&r.bag, seat)
            r.rack_counts[seat] += 1
        sort_tiles(r.racks[seat], r.rack_counts[seat])

    cdef void end_turn(self, Rollout *r, int seat) noexcept nogil:
        """Set whether the last turn, of a seat, ended the game."""
        r.over = rollout_end(&self.mover.rules, r.rack_counts[seat], r.zero_turns, r.passes,
                             not r.scores[0] and not r.scores[1])

    cdef void play_on(self, Candidates c, Rollout *r, int32_t *found) noexcept nogil:
        """Take turns up to the horizon, or to the end of the game once the bag is empty, unless it is searched."""
        while not r.over and (r.turns < self.plies or (self.play_out and self.endings is None
                                                       and not bag_count(&r.bag) and r.turns < PLAY_OUT_TURNS)):
            self.take_turn(c, r, found, &self.own_plays if self.sharing and r.turns == 1 else NULL)
        self.search_end(r)

    cdef void search_end(self, Rollout *r) noexcept nogil:
        """Search how the game ends, if the bag is empty and that is not known yet."""
        cdef int seat = 1 - (r.turns & 1), win
        if self.endings is None or r.over or r.searched or bag_count(&r.bag):
            return
        self.lay_pending(r)
        if r.board != &self.board.board:
            memcpy(&self.board.board, r.board, sizeof(LoadedBoardStruct))
        r.searched = True
        with gil:
            try:
                spread, win, r.final_doubt = self.endings(
                    self.board, r.racks[seat][:r.rack_counts[seat]], r.racks[1 - seat][:r.rack_counts[1 - seat]],
                    r.scores[seat] - r.scores[1 - seat], r.zero_turns, r.passes)
                r.final_spread = -spread if seat else spread
                r.final_win = WIN_SCALE // 2 * (2 - win if seat else win)
            except Exception as error:
                self.error = error
                self.stopped = True

    cdef void lay_pending(self, Rollout *r) noexcept nogil:
        """Place the pending tiles on the scratch board."""
        if not r.pending:
            return
        if r.board != &self.board.board:
            memcpy(&self.board.board, r.board, sizeof(LoadedBoardStruct))
            r.board = &self.board.board
        r.changed |= self.board.place_tiles(r.cells, r.codes, r.pending)
        r.pending = 0

    cdef void take_turn(self, Candidates c, Rollout *r, int32_t *found, BasePlays *base_plays) noexcept nogil:
        """Choose a move and carry it out, except that the tiles of a play stay pending.

        `base_plays`: shared by the rollouts whose rack is the same; NULL: share nothing.
        """
        cdef int seat = 1 - (r.turns & 1), i, laid, unseen_count = bag_count(&r.bag) + r.rack_counts[1 - seat]
        cdef int spread = r.scores[seat] - r.scores[1 - seat]
        cdef Choice choice
        cdef uint8_t unseen[CODE_CAPACITY]
        cdef uint8_t rack[RACK_CAPACITY]
        cdef uint8_t exchanged[RACK_CAPACITY]
        cdef int count = r.rack_counts[seat]
        r.bag_before = bag_count(&r.bag)
        self.lay_pending(r)
        self.search_end(r)
        memcpy(unseen, r.unplayed, sizeof(unseen))
        memcpy(rack, r.racks[seat], RACK_CAPACITY)
        for i in range(count):
            unseen[rack[i]] -= 1
        if base_plays == NULL:
            self.mover.choose(r.board, rack, count, unseen, unseen_count, bag_count(&r.bag), spread,
                              self.replies.valuer, &choice)
        else:
            self.mover.choose_beside(&c.base.board, r.changed, base_plays, r.board, rack, count, unseen,
                                     unseen_count, bag_count(&r.bag), spread, self.replies.valuer, &choice)
        if r.turns < 2:
            found[FOUND_OWN_SCORE if r.turns else FOUND_OPPONENT_SCORE] = 1000 * choice.play.score
            found[FOUND_OWN_BINGO if r.turns else FOUND_OPPONENT_BINGO] = \
                1000 * (choice.play.placed >= self.mover.rules.bingo_tiles)
        r.leave_values[seat] = 0 if self.replies.valuer == NULL else choice.equity - 1000 * choice.play.score
        r.rack_counts[seat] = choice.leave_count
        memcpy(r.racks[seat], choice.leave, RACK_CAPACITY)
        r.zero_turns = 0 if choice.kind == PLAY_MOVE and choice.play.score else r.zero_turns + 1
        r.passes = r.passes + 1 if choice.kind == PASS_MOVE else 0
        if choice.kind == PLAY_MOVE:
            r.pending = lay_play(&self.mover.tables.view, r.board, &choice.play, r.cells, r.codes)
            if not r.turns:
                r.reply = laid_squares(&choice.play, r.board.side, r.cells, r.pending)
            for i in range(r.pending):
                r.unplayed[0 if r.codes[i] & 0x80 else r.codes[i]] -= 1
            r.scores[seat] += choice.play.score
            self.refill(r, seat, 0)
        elif choice.kind == EXCHANGE_MOVE:
            laid = remove_played(rack, count, choice.leave, choice.leave_count, exchanged)
            self.refill(r, seat, laid)
            for i in range(laid):
                return_tile(&r.bag, exchanged[i], &r.random)
        r.turns += 1
        self.end_turn(r, seat)

    cdef void draw_anew(self, const Candidate *candidate, Rollout *r, Random *random) noexcept nogil:
        """Draw the own rack again: from the tiles drawn after the candidate and the bag, exchanged tiles excepted.
        """
        cdef uint8_t tiles[RACK_CAPACITY]
        cdef uint8_t back[CODE_CAPACITY]
        cdef uint8_t pool[BAG_CAPACITY]
        cdef uint8_t set_aside[RACK_CAPACITY]
        cdef int drawn, size, i, j, aside_count = 0
        cdef uint8_t tile
        drawn = remove_played(r.racks[0], r.rack_counts[0], candidate.leave, candidate.leave_count, tiles)
        memset(back, 0, sizeof(back))
        for i in range(candidate.returned_count):
            back[candidate.returned[i]] += 1
        memcpy(pool, tiles, drawn)
        size = drawn
        for i in range(r.bag.first, r.bag.end):
            tile = r.bag.tiles[i]
            if back[tile]:
                back[tile] -= 1
                set_aside[aside_count] = tile
                aside_count += 1
            else:
                pool[size] = tile
                size += 1
        memcpy(r.racks[0], candidate.leave, RACK_CAPACITY)
        for i in range(drawn):
            j = i + random_below(random, size - i)
            tile = pool[i]
            pool[i] = pool[j]
            pool[j] = tile
            r.racks[0][candidate.leave_count + i] = pool[i]
        sort_tiles(r.racks[0], r.rack_counts[0])
        memcpy(pool + size, set_aside, aside_count)
        r.bag.first = 0
        r.bag.end = size - drawn + aside_count
        memcpy(r.bag.tiles, pool + drawn, r.bag.end)

    cdef void evaluate_end(self, Candidates c, const Rollout *r, int32_t *found) noexcept nogil:
        """Write spread, chance of winning, leave and ended of a rollout.

        If the game has ended, or a search has found how, the spread is final and the chance is 0, 1/2 or 1.  Else
        the values of both last leaves are added to the spread, and the chance is that of the last mover by the
        win% table.  The table averages over the other's leave, so that only its difference from an average one
        counts.  With an empty bag before the last move the table takes the spread without leaves.
        """
        cdef int64_t spread = 1000 * <int64_t> (r.scores[0] - r.scores[1])
        cdef int seat = r.turns & 1, unseen = r.bag_before + r.rack_counts[1 - seat]  # of the last mover
        cdef int32_t chance
        found[FOUND_DOUBT] = 0
        if r.over or r.searched:
            found[FOUND_LEAVE] = 0
            found[FOUND_ENDED] = 1000
            if r.searched:
                found[FOUND_SPREAD] = 1000 * r.final_spread
                found[FOUND_WIN] = r.final_win
                found[FOUND_DOUBT] = r.final_doubt
                return
            spread = final_spread(&self.mover.rules, r.board, r)
            found[FOUND_SPREAD] = <int32_t> (1000 * spread)
            found[FOUND_WIN] = WIN_SCALE // 2 * (1 + (spread > 0) - (spread < 0))
            return
        found[FOUND_ENDED] = 0
        found[FOUND_LEAVE] = r.leave_values[0] - r.leave_values[1]
        found[FOUND_SPREAD] = <int32_t> (spread + found[FOUND_LEAVE])
        found[FOUND_WIN] = 0
        if c.wins is None:
            return
        if seat:
            spread = -spread
        if r.bag_before:
            spread += r.leave_values[seat]
            if r.turns:  # else the other's leave is unknown
                spread += c.average_leave - r.leave_values[1 - seat]
        chance = win_chance(&c.wins[0, 0], <int> c.wins.shape[0], <int> c.wins.shape[1] // 2, c.win_unit, spread,
                            unseen)
        found[FOUND_WIN] = WIN_SCALE - chance if seat else chance
