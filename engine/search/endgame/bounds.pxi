"""Estimates and bounds for nodes and moves of the endgame search, found without searching below them.

Included by endgame_kernel.pyx. Values are changes of the spread from a node to the end of the game, for the side
on turn there.
"""

cdef class EndgameBounds(EndgamePath):
    """Estimate nodes of a path, and bound the values of their moves."""

    cdef Ceiling ceiling                 # scratch of `find_ceiling`

    cdef int estimate(self, int ply) noexcept nogil:
        """Return an estimate of the value of a node: both sides play greedily the plays listed for their last
        turns.
        """
        cdef Node *node = &self.nodes[ply]
        cdef int turn = node.side, gained = 0, sign = 1, best, merit, passes = 0, k, side
        cdef uint32_t first[2]
        cdef uint32_t count[2]
        cdef uint32_t racks[2]
        cdef int values[2]
        cdef int tiles[2]
        cdef SquareSet filled
        cdef uint32_t i, number, chosen = PASS, top
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
        top = <uint32_t> self.list_count
        for side in range(2):  # the plays of both lists that are still possible, on top of the stack
            number = 0
            for i in range(count[side]):
                c = &self.candidates[self.listed[first[side] + i]]
                if holds(racks[side], c.need) and not meet(&c.sensitive, &filled):
                    self.listed[top + number] = self.listed[first[side] + i]
                    number += 1
            first[side] = top
            count[side] = number
            top += number
        while passes < 2:
            best = -1
            for i in range(count[turn]):
                number = self.listed[first[turn] + i]
                c = &self.candidates[number]
                if not holds(racks[turn], c.need):
                    continue
                merit = c.score + (2 * values[1 - turn] if c.placed == tiles[turn] else c.tile_points)
                if merit > best and not meet(&c.sensitive, &filled):
                    best = merit
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

    cdef int best_replies(self, int ply, uint32_t *replies) noexcept nogil:
        """Write up to MAX_REPLIES plays with which the other side could go out, the highest scores first; return
        how many.

        They are among the plays listed for the last turn of that side.
        """
        cdef Node *node = &self.nodes[ply]
        cdef int other = 1 - node.side, found = 0, k
        cdef uint32_t first, count, i
        cdef const Candidate *c
        cdef uint32_t number, displaced
        k = ply - 1 if ply else 0
        if self.began_empty and self.nodes[k].tiles[0] + self.nodes[k].tiles[1] == self.tile_count:
            return 0  # the first play on an empty board blocks all others
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
            for k in range(MAX_REPLIES):
                if k == found:
                    replies[k] = number
                    found += 1
                    break
                if self.candidates[number].score > self.candidates[replies[k]].score:
                    displaced = replies[k]
                    replies[k] = number
                    number = displaced
        return found

    cdef int refutation_bound(
            self, const Node *node, const Candidate *c, uint32_t *replies, int count) noexcept nogil:
        """Return an upper bound on the value of a play: the other side goes out by the best reply still possible.
        """
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

    cdef void find_gains(self, int ply, int side, int32_t *most) noexcept nogil:
        """Write what a side can score at most, alone on the board of a node: most[n] after it has placed n tiles.
        """
        cdef Node *node = &self.nodes[ply]
        cdef uint32_t rack = node.racks[side]
        cdef int values[RACK_CAPACITY]
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

    cdef inline int gain_bound(
            self, const Node *node, const Candidate *c, int side, const int32_t *most) noexcept nogil:
        """Return an upper bound on the value of a play: the gain of its side if the other side only passes."""
        return c.score + most[c.placed] + 2 * node.values[1 - side]

    cdef int total_gain_bound(
            self, const Node *node, uint32_t first, uint32_t count, int side, const int32_t *most) noexcept nogil:
        """Return an upper bound on the gain of a side with the listed plays if the other side only passes."""
        cdef int bound = node.values[1 - side] - node.values[side]
        cdef uint32_t i
        for i in range(first, first + count):
            bound = max(bound, self.gain_bound(node, &self.candidates[self.listed[i]], side, most))
        return bound

    cdef inline int bound_of(
            self, Node *node, const Candidate *c, uint32_t *replies, int reply_count,
            const int32_t *most) noexcept nogil:
        """Return an upper bound on the value of a play that does not go out; `most`: see `find_gains`, or NULL."""
        cdef int bound = INFINITE
        if c.score == 0 and node.zero_turns != NOT_COUNTED and node.zero_turns + 1 >= self.zero_limit:
            return node.values[1 - node.side] - node.values[node.side] + c.tile_points
        if reply_count:
            bound = self.refutation_bound(node, c, replies, reply_count)
        if most != NULL:
            bound = min(bound, self.gain_bound(node, c, node.side, most))
        return bound

    cdef int pass_bound(
            self, Node *node, const uint32_t *replies, int reply_count, const int32_t *most) noexcept nogil:
        """Return an upper bound on the value of a pass; `most`: see `find_gains`, or NULL."""
        cdef int bound = INFINITE
        if self.ends_game(node, PASS):
            return node.values[1 - node.side] - node.values[node.side]
        if reply_count:
            bound = -(self.candidates[replies[0]].score + 2 * node.values[node.side])
        if most != NULL:
            bound = min(bound, self.total_gain_bound(node, node.first, node.count, node.side, most))
        return bound

    cdef uint32_t drop_hopeless(
            self, Node *node, uint32_t at, uint32_t end, int alpha, int *best, uint32_t *replies,
            int reply_count, const int32_t *most) noexcept nogil:
        """Move plays that go out, or whose bound does not exceed alpha, to the end; return where they begin.

        `best` becomes the highest bound of the latter.
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
