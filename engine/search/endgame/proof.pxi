"""Proof-number search: can the side on turn gain at least so many points to the end of the game?

Included by endgame_kernel.pyx. A question is a node and a target; its *efforts* (endgame.h) estimate how much work
remains to prove or to disprove that the side on turn reaches the target. The search follows the least effort, so
that it goes deep where replies are few instead of equally deep everywhere. Source: [Nagai2002]; a node with many
open moves takes their largest effort plus their number instead of the sum, as in [UedaEtAl2008], because most
orders of the same plays lead to the same position.
"""

cdef struct Answer:
    # What a visit of a node has found.
    Effort effort      # that remains
    int value          # if proven a lower bound on the value of the node, if disproven an upper bound


cdef struct Question:
    # A node that is being visited.
    uint64_t key       # of the position in the table
    TableEntry *bucket  # there
    int target         # points
    int best           # upper bound on the value of all moves that do not reach the target
    bint passes        # the pass is open
    Effort of_pass     # if so
    uint32_t end       # the plays from Node.first up to here are open; their efforts are in `efforts`


cdef class EndgameProof(EndgameRoot):
    """Answer one question at a time, following the least effort."""

    cdef Effort *efforts                 # beside each entry of `listed`
    cdef uint64_t effort_capacity        # length
    cdef uint32_t reaching               # the move that reached the target at the last proven node

    cdef bint reserve_efforts(self) noexcept nogil:
        """Ensure room for as many efforts as list entries; false if there is no memory."""
        cdef void *grown
        if self.effort_capacity >= self.list_capacity:
            return True
        grown = realloc(self.efforts, self.list_capacity * sizeof(Effort))
        if grown == NULL:
            return False
        self.efforts = <Effort *> grown
        self.effort_capacity = self.list_capacity
        return True

    cdef void settle_node(
            self, const Question *q, int value, int kind, uint32_t move, Answer *answer) noexcept nogil:
        """Store a proven bound of a node and return it; `move`: reaches a lower bound."""
        cdef uint32_t mark = NO_MARK
        cdef bint reached = kind == LOWER_BOUND
        if reached:
            mark = PASS_MARK if move == PASS else self.candidates[move].mark
            self.reaching = move
        answer.value = value
        answer.effort.prove = 0 if reached else UNPROVABLE
        answer.effort.disprove = UNPROVABLE if reached else 0
        self.tables_filled += write_entry(
            q.bucket, q.key, self.solve, value, COMPLETE, kind, mark)

    cdef bint look_up(
            self, uint64_t key, const Question *q, uint32_t move, Effort *effort, int *value) noexcept nogil:
        """Look up the position after a move, by its key; return whether it is settled.

        `effort`: of that position; 0, 0 if it is not in the table. `value`: if settled, a bound on the value of
        the move.
        """
        cdef int score = 0 if move == PASS else self.candidates[move].score
        cdef int target = score - q.target + 1, kind
        cdef TableEntry *bucket = bucket_of(self.table, self.table_mask, key)
        cdef TableEntry *entry = find_entry(bucket, key, self.solve)
        effort.prove = effort.disprove = 0
        if entry != NULL and entry.depth == COMPLETE:
            kind = entry.kind & 3
            value[0] = score - entry.value
            if kind != UPPER_BOUND and entry.value >= target:
                effort.disprove = UNPROVABLE
                return True
            if kind != LOWER_BOUND and entry.value < target:
                effort.prove = UNPROVABLE
                return True
        entry = find_entry(bucket, question_key(key, target), self.solve)
        if entry != NULL:
            effort.prove = <uint32_t> entry.value
            effort.disprove = wide_effort(entry.mark)
        return False

    cdef bint open_node(self, int ply, Question *q, Answer *answer) noexcept nogil:
        """List the moves of a node that may reach the target, with their efforts; return whether it is settled.
        """
        cdef Node *node = &self.nodes[ply]
        cdef int side = node.side, reply_count, bound, value = 0, highest = 0
        cdef bint bounded = False
        cdef uint32_t at, number, out = PASS
        cdef uint64_t key
        cdef uint32_t replies[MAX_REPLIES]
        cdef int32_t most[RACK_CAPACITY + 1]
        cdef const Candidate *c
        q.best = -INFINITE
        q.end = node.first + node.count
        for at in range(node.first, q.end):
            c = &self.candidates[self.listed[at]]
            if c.placed == node.tiles[side] and (out == PASS or c.score > self.candidates[out].score):
                out = self.listed[at]
        if out != PASS:
            q.best = self.candidates[out].score + 2 * node.values[1 - side]
            if q.best >= q.target or node.tiles[side] == 1:
                # With one tile nothing is better than going out: it ends the game, and waiting gains nothing.
                self.settle_node(q, q.best, LOWER_BOUND if q.best >= q.target else UPPER_BOUND, out, answer)
                return True
        reply_count = self.best_replies(ply, replies)
        q.end = self.drop_hopeless(node, node.first, q.end, q.target - 1, &q.best, replies, reply_count, NULL)
        if node.count and side == self.granted and (
                q.end > node.first or self.pass_bound(node, replies, reply_count, NULL) >= q.target):
            self.find_gains(ply, side, most)
            bounded = True
            q.end = self.drop_hopeless(
                node, node.first, q.end, q.target - 1, &q.best, replies, reply_count, most)
        bound = self.pass_bound(node, replies, reply_count, most if bounded else NULL)
        q.passes = bound >= q.target
        if not q.passes:
            q.best = max(q.best, bound)
        elif self.ends_game(node, PASS):
            self.settle_node(q, bound, LOWER_BOUND, PASS, answer)
            return True
        elif self.look_up(child_key(node, NULL, self.counts_passes), q, PASS, &q.of_pass, &value):
            if q.of_pass.disprove == 0:
                self.settle_node(q, value, LOWER_BOUND, PASS, answer)
                return True
            q.best = max(q.best, value)
            q.passes = False
        elif q.of_pass.disprove == 0:
            q.of_pass.prove = q.of_pass.disprove = 1
        for at in range(node.first, q.end):
            c = &self.candidates[self.listed[at]]
            highest = max(highest, merit(c))
            key = child_key(node, c, self.counts_passes)
            prefetch(bucket_of(self.table, self.table_mask, key))
            hold_key(&self.efforts[at], key)
        at = node.first
        while at < q.end:
            number = self.listed[at]
            c = &self.candidates[number]
            if c.score == 0 and self.ends_game(node, number):
                value = node.values[1 - side] - node.values[side] + c.tile_points
                self.settle_node(q, value, LOWER_BOUND, number, answer)
                return True
            if self.look_up(held_key(&self.efforts[at]), q, number, &self.efforts[at], &value):
                if self.efforts[at].disprove == 0:
                    self.settle_node(q, value, LOWER_BOUND, number, answer)
                    return True
                q.best = max(q.best, value)
                self.close_play(q, at)
                continue
            if self.efforts[at].disprove == 0:
                self.efforts[at].prove = 1
                if side != self.granted:  # the more tiles are left, the longer the other side may play
                    self.efforts[at].prove += EFFORT_OF_TILE * (node.tiles[side] - c.placed)
                self.efforts[at].disprove = 1 + (highest - merit(c)) // MERIT_OF_EFFORT
            at += 1
        return False

    cdef inline void close_play(self, Question *q, uint32_t at) noexcept nogil:
        """Remove a play that does not reach the target from the open ones."""
        cdef uint32_t number = self.listed[at]
        q.end -= 1
        self.listed[at] = self.listed[q.end]
        self.listed[q.end] = number
        self.efforts[at] = self.efforts[q.end]

    cdef uint32_t choose(
            self, const Node *node, const Question *q, Effort *least, uint32_t *second,
            uint32_t *count) noexcept nogil:
        """Return where the open play with the least effort is listed, PASS for the pass.

        `least`: efforts of the node; `second`: the effort of the next best move; `count`: of open moves.
        """
        cdef uint32_t at, chosen = PASS, effort, highest = 0
        count[0] = q.end - node.first
        least.prove = second[0] = UNPROVABLE
        if q.passes:
            count[0] += 1
            highest = q.of_pass.prove
            least.prove = q.of_pass.disprove
        for at in range(node.first, q.end):
            highest = max(highest, self.efforts[at].prove)
            effort = self.efforts[at].disprove
            if effort < least.prove:
                second[0] = least.prove
                least.prove = effort
                chosen = at
            elif effort < second[0]:
                second[0] = effort
        least.disprove = min(highest + count[0] - 1, UNPROVABLE - 1) if count[0] else 0
        return chosen

    cdef void visit(
            self, int ply, int target, uint32_t max_prove, uint32_t max_disprove, Answer *answer) noexcept nogil:
        """Search below a node until it is settled or one of its efforts reaches its limit; see `stopped`."""
        cdef Node *node = &self.nodes[ply]
        cdef Question q
        cdef Answer below
        cdef uint64_t before = self.node_count
        cdef uint32_t at, number, second, count
        cdef int score
        self.count_node()
        if self.stopped:
            return
        q.key = table_key(node)
        q.bucket = bucket_of(self.table, self.table_mask, q.key)
        q.target = target
        if ply >= MAX_PLY or not self.list_plays(ply) or not self.reserve_efforts():
            self.stopped = True
            return
        if self.open_node(ply, &q, answer):
            self.forget(ply)
            return
        while True:
            at = self.choose(node, &q, &answer.effort, &second, &count)
            if count == 0:
                self.settle_node(&q, q.best, UPPER_BOUND, PASS, answer)
                break
            if answer.effort.prove >= max_prove or answer.effort.disprove >= max_disprove:
                self.tables_filled += write_entry(
                    q.bucket, question_key(q.key, target), self.solve,
                    <int> answer.effort.prove, min(COMPLETE - 1, 4 * bit_length(self.node_count - before)), EXACT,
                    narrow_effort(answer.effort.disprove))
                break
            number = PASS if at == PASS else self.listed[at]
            score = 0 if number == PASS else self.candidates[number].score
            self.enter(ply, number)
            self.visit(ply + 1, score - target + 1, max_disprove - (count - 1),
                       min(max_prove, second + second // 4 + 1), &below)
            if self.stopped:
                break
            if below.effort.disprove == 0:
                self.settle_node(&q, score - below.value, LOWER_BOUND, number, answer)
                break
            if below.effort.prove == 0:
                q.best = max(q.best, score - below.value)
                if number == PASS:
                    q.passes = False
                else:
                    self.close_play(&q, at)
            elif number == PASS:
                q.of_pass = below.effort
            else:
                self.efforts[at] = below.effort
        self.forget(ply)
