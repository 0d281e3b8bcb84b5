"""The endgame search below the root: alpha-beta with a transposition table and null windows.

Included by endgame_kernel.pyx. Values are changes of the spread from a node to the end of the game, for the side
on turn there.
"""

cdef class EndgameSearch(EndgameBounds):
    """Search nodes of a path until the budget is spent."""

    cdef TableEntry *table               # the transposition table
    cdef uint64_t table_capacity         # entries allocated, a power of two
    cdef uint64_t table_mask             # entries that this solve uses, less 1
    cdef uint64_t table_used             # the largest table_mask since the table was cleared: the rest is empty
    cdef uint64_t tables_filled          # entries written by this solve
    cdef int solve                       # number of this solve, 1 to MAX_SOLVES
    cdef int32_t history[2][HISTORY]     # by side and low bits of the mark: how often a move caused a cut
    cdef uint32_t killers[MAX_PLY + 2][2]  # by ply: marks of the last two moves that caused a cut
    cdef uint64_t node_count, node_limit  # nodes searched, and at which number to stop
    cdef int64_t deadline                # monotonic clock in nanoseconds at which to stop; 0: none
    cdef int granted                     # side that gets all it could score alone beyond the horizon, or NOBODY
    cdef bint stopped                    # a limit was reached: values being searched are meaningless

    cdef void rank(self, const Node *node, uint32_t end, int ply, uint32_t table_mark) noexcept nogil:
        """Set `order` of each play of a node, up to an end of its list."""
        cdef uint32_t i
        cdef const Candidate *c
        cdef int key, side = node.side
        for i in range(node.first, end):
            c = &self.candidates[self.listed[i]]
            if c.mark == table_mark:
                self.order[i] = TABLE_MOVE
                continue
            key = 16 * c.score + 8 * c.tile_points + TILE_ORDER * c.placed
            key += self.history[side][c.mark & (HISTORY - 1)]
            if c.mark == self.killers[ply][0] or c.mark == self.killers[ply][1]:
                key += KILLER
            self.order[i] = key

    cdef inline void pick(self, uint32_t at, uint32_t end) noexcept nogil:
        """Move the play with the highest order from `at` on to `at`."""
        cdef uint32_t i, best = at
        cdef int32_t key
        cdef uint32_t number
        for i in range(at + 1, end):
            if self.order[i] > self.order[best]:
                best = i
        key = self.order[best]
        number = self.listed[best]
        self.order[best] = self.order[at]
        self.listed[best] = self.listed[at]
        self.order[at] = key
        self.listed[at] = number

    cdef void reward(self, const Node *node, int ply, uint32_t mark, int depth) noexcept nogil:
        """Record a move that caused a cut, to search it early elsewhere."""
        cdef int32_t *counter = &self.history[node.side][mark & (HISTORY - 1)]
        cdef int i, k
        counter[0] += 1 if depth >= COMPLETE else 4
        if counter[0] > 4000:
            for i in range(HISTORY):
                for k in range(2):
                    self.history[k][i] //= 2
        if self.killers[ply][0] != mark:
            self.killers[ply][1] = self.killers[ply][0]
            self.killers[ply][0] = mark

    cdef inline void count_node(self) noexcept nogil:
        """Count a node; set `stopped` if a limit is reached."""
        self.node_count += 1
        if self.node_count >= self.node_limit:
            self.stopped = True
        elif self.node_count % CLOCK_EVERY == 0 and self.deadline and nanoseconds() >= self.deadline:
            self.stopped = True

    cdef int child_value(
            self, int ply, uint32_t move, int depth, int alpha, int beta, bint *complete) noexcept nogil:
        """Return the value of a move that does not go out, in the way of `search`."""
        cdef Node *node = &self.nodes[ply]
        cdef int score = 0, points = 0
        if move != PASS:
            score = self.candidates[move].score
            points = self.candidates[move].tile_points
        if score == 0 and self.ends_game(node, move):
            complete[0] = True
            return node.values[1 - node.side] - node.values[node.side] + points
        self.enter(ply, move)
        return score - self.search(ply + 1, depth - 1, score - beta, score - alpha, complete)

    cdef int search(self, int ply, int depth, int alpha, int beta, bint *complete) noexcept nogil:
        """Return the value of a node if it lies between alpha and beta, else a bound beyond alpha or beta.

        `complete` becomes true if the returned value or bound is proven.  While a side is `granted` all that it
        could score alone, only upper bounds for that side and lower bounds for the other can be proven.  The
        result is meaningless once `stopped`.
        """
        cdef Node *node = &self.nodes[ply]
        cdef int side = node.side, best = -INFINITE, value, i, first_alpha = alpha, reply_count, out = -1, kind
        cdef bint complete_best = False, complete_all = True, complete_child = False, passed = False, is_pass
        cdef bint relaxed = self.granted != NOBODY, bounded = False
        cdef uint32_t table_mark = NO_MARK, best_mark = NO_MARK, at, end, number
        cdef uint64_t key, relaxed_key = 0
        cdef TableEntry *entry
        cdef const Candidate *c
        cdef uint32_t replies[MAX_REPLIES]  # numbers: the arena may move below a node
        cdef int32_t most[RACK_CAPACITY + 1]
        cdef int tried = 0, searched = 0
        complete[0] = False
        self.count_node()
        if self.stopped:
            return 0
        key = table_key(node)
        entry = find_entry(self.table, self.table_mask, key, self.solve)
        if entry != NULL:
            table_mark = entry.mark
            if entry.depth >= (COMPLETE if relaxed else depth):
                i = entry.kind & 3
                if (i == EXACT or (i == LOWER_BOUND and entry.value >= beta)
                        or (i == UPPER_BOUND and entry.value <= alpha)):
                    complete[0] = entry.depth == COMPLETE
                    return entry.value
        if relaxed:  # unproven values of this question have entries of their own
            relaxed_key = mixed(key + <uint64_t> self.granted + 1)
            entry = find_entry(self.table, self.table_mask, relaxed_key, self.solve)
            if entry != NULL:
                if entry.mark != NO_MARK:
                    table_mark = entry.mark
                if entry.depth >= depth and (
                        entry.value >= beta if side == self.granted else entry.value <= alpha):
                    return entry.value
            if ply >= MAX_PLY:
                return INFINITE // 4 if side == self.granted else -INFINITE // 4
        elif depth <= 0 or ply >= MAX_PLY:
            return self.estimate(ply)
        if not self.list_plays(ply):
            self.forget(ply)
            return 0
        end = node.first + node.count
        for at in range(node.first, end):
            c = &self.candidates[self.listed[at]]
            if c.placed == node.tiles[side] and c.score > out:
                out = c.score
                best_mark = c.mark
        if out >= 0:
            best = out + 2 * node.values[1 - side]
            complete_best = True
            if node.tiles[side] == 1 or best >= beta:
                # With one tile nothing is better than going out: it ends the game, and waiting gains nothing.
                self.forget(ply)
                self.tables_filled += write_entry(self.table, self.table_mask, key, self.solve, best, COMPLETE,
                                                  EXACT if node.tiles[side] == 1 else LOWER_BOUND, best_mark)
                complete[0] = True
                return best
            alpha = max(alpha, best)
        reply_count = self.best_replies(ply, replies)
        end = self.drop_hopeless(node, node.first, end, alpha, &best, replies, reply_count, NULL)
        if node.count == 0:
            bounded = True  # without plays `most` is never read
        elif side == self.granted and (
                end > node.first or self.pass_bound(node, replies, reply_count, NULL) > alpha):
            self.find_gains(ply, side, most)
            bounded = True
            i = INFINITE if depth <= 0 else alpha  # at the horizon the bounds are the answer
            end = self.drop_hopeless(node, node.first, end, i, &best, replies, reply_count, most)
        if side == self.granted and depth <= 0:
            best = max(best, self.pass_bound(node, replies, reply_count, most if bounded else NULL))
            self.forget(ply)
            complete[0] = best < beta
            if complete[0]:
                self.tables_filled += write_entry(
                    self.table, self.table_mask, key, self.solve, best, COMPLETE, UPPER_BOUND, NO_MARK)
            return best
        self.rank(node, end, ply, table_mark)
        at = node.first
        while at < end or not passed:
            is_pass = at == end or (not passed and table_mark == PASS_MARK)
            if is_pass:
                passed = True
                number = PASS
                i = self.pass_bound(node, replies, reply_count, most if bounded else NULL)
                if i <= alpha:
                    best = max(best, i)
                    continue
            else:
                self.pick(at, end)
                number = self.listed[at]
                at += 1
                i = self.bound_of(
                    node, &self.candidates[number], replies, reply_count, most if bounded else NULL)
                if i <= alpha:
                    best = max(best, i)
                    continue
                tried += 1
                if tried > CEILING_AFTER and not bounded and alpha > -INFINITE:
                    self.find_gains(ply, side, most)
                    bounded = True
                    at -= 1
                    end = self.drop_hopeless(node, at, end, alpha, &best, replies, reply_count, most)
                    continue
            searched += 1
            if is_pass and node.count == 0:  # a forced pass costs no depth
                value = self.child_value(ply, number, depth + 1, alpha, beta, &complete_child)
            elif (searched == 1 and out < 0) or beta - alpha == 1:
                value = self.child_value(ply, number, depth, alpha, beta, &complete_child)
            else:
                value = self.child_value(ply, number, depth, alpha, alpha + 1, &complete_child)
                if alpha < value < beta and not self.stopped:
                    value = self.child_value(ply, number, depth, alpha, beta, &complete_child)
            if self.stopped:
                self.forget(ply)
                return 0
            complete_all = complete_all and complete_child
            if value > best:
                best = value
                complete_best = complete_child
                best_mark = PASS_MARK if is_pass else self.candidates[number].mark
                alpha = max(alpha, best)
                if best >= beta:
                    if not is_pass:
                        self.reward(node, ply, best_mark, depth)
                    break
        self.forget(ply)
        if not relaxed:
            complete[0] = complete_best if best >= beta else complete_all
            kind = LOWER_BOUND if best >= beta else EXACT if best > first_alpha else UPPER_BOUND
        elif side == self.granted:
            complete[0] = best < beta
            kind = UPPER_BOUND if complete[0] else LOWER_BOUND
        else:
            complete[0] = best > first_alpha
            kind = LOWER_BOUND if complete[0] else UPPER_BOUND
        self.tables_filled += write_entry(
            self.table, self.table_mask, key if complete[0] or not relaxed else relaxed_key, self.solve, best,
            COMPLETE if complete[0] else max(0, min(depth, COMPLETE - 1)), kind, best_mark)
        return best
