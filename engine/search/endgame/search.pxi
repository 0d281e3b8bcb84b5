"""The endgame search below the root: alpha-beta with a table of positions, null windows and cuts by going out.

Included by kernel.pxi.  Values are changes of the spread from a node to the end of the game, seen by the side on
turn there.
"""

cdef class EndgameSearch(EndgamePath):
    """Search nodes of a path until the budget is spent."""

    cdef TableEntry *table
    cdef uint64_t table_room             # entries there are
    cdef uint64_t table_mask             # entries that this solve uses - 1
    cdef uint64_t table_used             # the most of table_mask since the table was empty: the rest still is
    cdef uint64_t tables_filled          # entries written by this solve
    cdef int solve                       # number of the solve, 1 .. MOST_SOLVES
    cdef int32_t history[2][HISTORY]     # by side and mark: how often a move cut
    cdef uint32_t killers[MAX_PLY + 2][2]  # marks of the moves that cut last
    cdef uint64_t node_count, node_limit
    cdef int64_t deadline                # nanoseconds, 0: none
    cdef Ceiling ceiling                 # scratch of `find_ceiling`
    cdef int granted                     # side that has all it could score alone beyond the horizon, or NOBODY
    cdef bint stopped                    # the budget is spent: what is being searched is worth nothing

    cdef int estimate(self, int ply) noexcept nogil:
        """Guess the value of a node: both sides take what looks best, of the plays they had at their turns."""
        cdef Node *node = &self.nodes[ply]
        cdef int turn = node.side, gained = 0, sign = 1, best, worth, passes = 0, k, side
        cdef uint32_t first[2]
        cdef uint32_t count[2]
        cdef uint32_t racks[2]
        cdef int values[2]
        cdef int tiles[2]
        cdef SquareSet filled
        cdef uint32_t i, number, chosen = PASS, kept
        cdef const Candidate *c
        cdef uint32_t other_first, other_count
        self.base_list(ply, &first[turn], &count[turn])
        other_first = self.nodes[ply - 1].first
        other_count = self.nodes[ply - 1].count
        first[1 - turn] = other_first
        count[1 - turn] = other_count
        for side in range(2):
            racks[side] = node.racks[side]
            values[side] = node.values[side]
            tiles[side] = node.tiles[side]
        filled = self.nodes[ply - 1].laid
        if ply >= 2:
            unite(&filled, &self.nodes[ply - 2].laid)
        if not self.reserve(count[0] + count[1]):
            return 0
        kept = <uint32_t> self.list_count
        for side in range(2):  # what is left of both lists, on top of the stack
            number = 0
            for i in range(count[side]):
                c = &self.candidates[self.listed[first[side] + i]]
                if holds(racks[side], c.need) and not meet(&c.sensitive, &filled):
                    self.listed[kept + number] = self.listed[first[side] + i]
                    number += 1
            first[side] = kept
            count[side] = number
            kept += number
        while passes < 2:
            best = -1
            for i in range(count[turn]):
                number = self.listed[first[turn] + i]
                c = &self.candidates[number]
                if not holds(racks[turn], c.need):
                    continue
                worth = c.score + (2 * values[1 - turn] if c.placed == tiles[turn] else c.tile_points)
                if worth > best and not meet(&c.sensitive, &filled):
                    best = worth
                    chosen = number
            if best < 0:
                passes += 1
            else:
                passes = 0
                c = &self.candidates[chosen]
                gained += sign * c.score
                if c.placed == tiles[turn]:
                    return gained + sign * 2 * values[1 - turn]
                for k in range(c.placed):
                    add_square(&filled, c.cells[k])
                racks[turn] -= c.need
                values[turn] -= c.tile_points
                tiles[turn] -= c.placed
            turn = 1 - turn
            sign = -sign
        return gained + values[1 - node.side] - values[node.side]

    cdef void rank(self, const Node *node, uint32_t end, int ply, uint32_t table_mark) noexcept nogil:
        """Give each play of a node, up to an end of the list, its place in the order."""
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
        """Bring the best of the plays from `at` on to the front."""
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

    cdef int best_replies(self, int ply, uint32_t *replies) noexcept nogil:
        """Find plays by which the other side, were it on turn, would go out; those it had at its last turn."""
        cdef Node *node = &self.nodes[ply]
        cdef int other = 1 - node.side, found = 0, k
        cdef uint32_t first, count, i
        cdef const Candidate *c
        cdef uint32_t number, kept
        k = ply - 1 if ply else 0
        if self.began_empty and self.nodes[k].tiles[0] + self.nodes[k].tiles[1] == self.tile_count:
            return 0  # the first play on an empty board bars all others
        if ply >= 1:
            first = self.nodes[ply - 1].first
            count = self.nodes[ply - 1].count
        else:
            first = self.root_first[other]
            count = self.root_count[other]
        for i in range(count):
            number = self.listed[first + i]
            c = &self.candidates[number]
            if c.need != node.racks[other] or (ply and meet(&c.sensitive, &self.nodes[ply - 1].laid)):
                continue
            for k in range(MOST_REPLIES):
                if k == found:
                    replies[k] = number
                    found += 1
                    break
                if self.candidates[number].score > self.candidates[replies[k]].score:
                    kept = replies[k]
                    replies[k] = number
                    number = kept
        return found

    cdef int refuted(
            self, const Node *node, const Candidate *c, uint32_t *replies, int count) noexcept nogil:
        """Return a bound on the value of a play: the other side goes out by the best reply that it leaves."""
        cdef const Candidate *reply
        cdef SquareSet laid
        cdef int i
        memset(&laid, 0, sizeof(laid))
        for i in range(c.placed):
            add_square(&laid, c.cells[i])
        for i in range(count):
            reply = &self.candidates[replies[i]]
            if not meet(&reply.sensitive, &laid):
                return c.score - reply.score - 2 * (node.values[node.side] - c.tile_points)
        return INFINITE

    cdef void find_most(self, int ply, int side, int32_t *most) noexcept nogil:
        """Bound what a side can score alone on the board of a node, by the tiles of its rack already laid then."""
        cdef Node *node = &self.nodes[ply]
        cdef uint32_t rack = node.racks[side]
        cdef int values[7]
        cdef int count = 0, place, k, code, value, i
        self.show(ply)
        for place in range(self.distinct[side]):
            code = self.codes[side][place]
            value = self.board.board.values[code - 1] if code else 0
            for k in range((rack >> 4 * place) & 7):
                i = count
                while i > 0 and values[i - 1] < value:
                    values[i] = values[i - 1]
                    i -= 1
                values[i] = value
                count += 1
        find_ceiling(&self.ceiling, &self.board.board, values, count, self.bingo_bonus, self.bingo_tiles, most)

    cdef inline int most_of(
            self, const Node *node, const Candidate *c, int side, const int32_t *most) noexcept nogil:
        """Return a bound on the value of a side's play: what it gains if the other one only passes."""
        return c.score + most[c.placed] + 2 * node.values[1 - side]

    cdef int most_of_all(
            self, const Node *node, uint32_t first, uint32_t count, int side, const int32_t *most) noexcept nogil:
        """Return a bound on what a side gains that has the listed plays, if the other one only passes."""
        cdef int bound = node.values[1 - side] - node.values[side]
        cdef uint32_t i
        for i in range(first, first + count):
            bound = max(bound, self.most_of(node, &self.candidates[self.listed[i]], side, most))
        return bound

    cdef void reward(self, const Node *node, int ply, uint32_t mark, int depth) noexcept nogil:
        """Remember a move that cut."""
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
        """Count a node, and stop if the budget is spent."""
        self.node_count += 1
        if self.node_count >= self.node_limit:
            self.stopped = True
        elif self.node_count % CLOCK_EVERY == 0 and self.deadline and nanoseconds() >= self.deadline:
            self.stopped = True

    cdef int child_value(
            self, int ply, uint32_t move, int depth, int alpha, int beta, bint *complete) noexcept nogil:
        """Return the value of a move that does not go out, as `search` does that of a node."""
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

    cdef inline int bound_of(
            self, Node *node, const Candidate *c, uint32_t *replies, int reply_count,
            const int32_t *most) noexcept nogil:
        """Return a bound on the value of a play that does not go out; `most` may be missing."""
        cdef int bound = INFINITE
        if c.score == 0 and node.zeros != NOT_COUNTED and node.zeros + 1 >= self.zero_limit:
            return node.values[1 - node.side] - node.values[node.side] + c.tile_points
        if reply_count:
            bound = self.refuted(node, c, replies, reply_count)
        if most != NULL:
            bound = min(bound, self.most_of(node, c, node.side, most))
        return bound

    cdef int pass_bound(
            self, Node *node, const uint32_t *replies, int reply_count, const int32_t *most) noexcept nogil:
        """Return a bound on the value of a pass; `most` may be missing."""
        cdef int bound = INFINITE
        if self.ends_game(node, PASS):
            return node.values[1 - node.side] - node.values[node.side]
        if reply_count:
            bound = -(self.candidates[replies[0]].score + 2 * node.values[node.side])
        if most != NULL:
            bound = min(bound, self.most_of_all(node, node.first, node.count, node.side, most))
        return bound

    cdef uint32_t drop(
            self, Node *node, uint32_t at, uint32_t end, int alpha, int *best, uint32_t *replies,
            int reply_count, const int32_t *most) noexcept nogil:
        """Move the plays from `at` on that go out, or cannot exceed alpha, behind the others; return their end.

        `best` takes the bounds of the latter.
        """
        cdef const Candidate *c
        cdef uint32_t number
        cdef int32_t key
        cdef int bound
        while at < end:
            number = self.listed[at]
            c = &self.candidates[number]
            if c.placed != node.tiles[node.side]:
                bound = self.bound_of(node, c, replies, reply_count, most)
                if bound > alpha:
                    at += 1
                    continue
                best[0] = max(best[0], bound)
            end -= 1
            self.listed[at] = self.listed[end]
            self.listed[end] = number
            key = self.order[at]
            self.order[at] = self.order[end]
            self.order[end] = key
        return end

    cdef int search(self, int ply, int depth, int alpha, int beta, bint *complete) noexcept nogil:
        """Return the value of a node if it lies between alpha and beta, else a bound on that side.

        `complete`: the value, or the bound that it is, is proven. Where the horizon grants a side all it could
        score alone, only bounds are: at most for that side, at least for the other one. Worth nothing once
        `stopped`.
        """
        cdef Node *node = &self.nodes[ply]
        cdef int side = node.side, best = -INFINITE, value, i, first_alpha = alpha, reply_count, out = -1, kind
        cdef bint complete_best = False, complete_all = True, complete_child = False, passed = False, is_pass
        cdef bint relaxed = self.granted != NOBODY, bounded = False
        cdef uint32_t table_mark = NO_MARK, best_mark = NO_MARK, at, end, number
        cdef uint64_t key, relaxed_key = 0
        cdef TableEntry *entry
        cdef const Candidate *c
        cdef uint32_t replies[MOST_REPLIES]  # numbers: the arena may move below a node
        cdef int32_t most[8]
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
                if i == EXACT or (i == LEAST and entry.value >= beta) or (i == MOST and entry.value <= alpha):
                    complete[0] = entry.depth == COMPLETE
                    return entry.value
        if relaxed:  # what could not be proven stands apart
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
                # With one tile nothing is better: the other side could pass for ever.
                self.forget(ply)
                self.tables_filled += write_entry(self.table, self.table_mask, key, self.solve, best, COMPLETE,
                                                  EXACT if node.tiles[side] == 1 else LEAST, best_mark)
                complete[0] = True
                return best
            alpha = max(alpha, best)
        reply_count = self.best_replies(ply, replies)
        end = self.drop(node, node.first, end, alpha, &best, replies, reply_count, NULL)
        if node.count == 0:
            bounded = True  # nothing to score alone: nobody looks at `most`
        elif side == self.granted and (
                end > node.first or self.pass_bound(node, replies, reply_count, NULL) > alpha):
            self.find_most(ply, side, most)
            bounded = True
            i = INFINITE if depth <= 0 else alpha  # at the horizon the bounds are the answer
            end = self.drop(node, node.first, end, i, &best, replies, reply_count, most)
        if side == self.granted and depth <= 0:
            best = max(best, self.pass_bound(node, replies, reply_count, most if bounded else NULL))
            self.forget(ply)
            complete[0] = best < beta
            if complete[0]:
                self.tables_filled += write_entry(
                    self.table, self.table_mask, key, self.solve, best, COMPLETE, MOST, NO_MARK)
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
                    self.find_most(ply, side, most)
                    bounded = True
                    at -= 1
                    end = self.drop(node, at, end, alpha, &best, replies, reply_count, most)
                    continue
            searched += 1
            if is_pass and node.count == 0:  # a pass that nobody chose costs no depth
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
            kind = LEAST if best >= beta else EXACT if best > first_alpha else MOST
        elif side == self.granted:
            complete[0] = best < beta
            kind = MOST if complete[0] else LEAST
        else:
            complete[0] = best > first_alpha
            kind = LEAST if complete[0] else MOST
        self.tables_filled += write_entry(
            self.table, self.table_mask, key if complete[0] or not relaxed else relaxed_key, self.solve, best,
            COMPLETE if complete[0] else max(0, min(depth, COMPLETE - 1)), kind, best_mark)
        return best
