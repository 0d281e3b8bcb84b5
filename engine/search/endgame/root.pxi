"""The root of the endgame search: its moves, their order and bounds, and one search of all of them.

Included by endgame_kernel.pyx.
"""

cdef struct RootMove:
    # A move of the root.
    uint32_t move      # number of a candidate, or PASS
    int value          # by its last search: the value or a bound
    int upper          # proven upper bound on its value
    uint64_t nodes     # nodes of its last search


cdef class EndgameRoot(EndgameSearch):
    """Search the moves of the root of one endgame."""

    cdef RootMove *root_moves            # the best first
    cdef RootMove *spare_moves           # of the same length, for sorting
    cdef int root_move_count             # length of both
    cdef uint32_t best_move              # candidate number, or PASS
    cdef int64_t best_since              # clock in nanoseconds when it became the best
    cdef uint32_t proven_move            # a move that reaches `lower`
    cdef int64_t proven_since            # clock when it was found
    cdef int value, depth                # of the last completed search; depth in plies
    cdef int lower, upper                # proven bounds on the value of the position

    cdef void weigh_root(self, int most_weighed, int64_t deadline) noexcept nogil:
        """Order the moves of the root by estimates of their values; see `start`."""
        cdef RootMove *at
        cdef int i, weighed = self.root_move_count
        if 0 < most_weighed < weighed:
            weighed = most_weighed
        for i in range(self.root_move_count):
            at = &self.root_moves[i]
            at.nodes = 0
            at.value = 0
            if at.move != PASS:
                at.value = self.candidates[at.move].score + self.candidates[at.move].tile_points
        self.sort_root(False)
        for i in range(self.root_move_count):
            if i < weighed and i % CLOCK_EVERY == 0 and i and deadline and nanoseconds() >= deadline:
                weighed = i
            if i < weighed:
                self.root_moves[i].value = self.first_guess(self.root_moves[i].move)
            else:
                self.root_moves[i].value -= BEHIND
        self.sort_root(False)
        self.node_count = weighed
        self.depth = weighed == self.root_move_count

    cdef void bound_root(self) noexcept nogil:
        """Bound the value without a search: one side passes to the end while the other plays alone."""
        cdef Node *root = &self.nodes[0]
        cdef const Candidate *c
        cdef int32_t most[RACK_CAPACITY + 1]
        cdef int i
        self.find_gains(0, 1, most)
        self.lower = -self.total_gain_bound(root, self.root_first[1], self.root_count[1], 1, most)
        self.proven_move = PASS
        self.find_gains(0, 0, most)
        self.upper = self.total_gain_bound(root, root.first, root.count, 0, most)
        for i in range(self.root_move_count):
            self.root_moves[i].upper = self.upper
            if self.root_moves[i].move != PASS:
                c = &self.candidates[self.root_moves[i].move]
                self.root_moves[i].upper = self.gain_bound(root, c, 0, most)

    cdef int first_guess(self, uint32_t move) noexcept nogil:
        """Return an estimate of the value of a move of the root."""
        cdef Node *root = &self.nodes[0]
        cdef int score = 0, points = 0
        if move != PASS:
            score = self.candidates[move].score
            points = self.candidates[move].tile_points
            if self.candidates[move].placed == root.tiles[0]:
                return score + 2 * root.values[1]
        if score == 0 and self.ends_game(root, move):
            return root.values[1] - root.values[0] + points
        self.enter(0, move)
        return score - self.estimate(1)

    cdef void sort_root(self, bint by_upper) noexcept nogil:
        """Sort the moves of the root by value, or by upper bound, the best first.

        A stable merge sort: with two blanks there are thousands of moves.
        """
        cdef RootMove *here = self.root_moves
        cdef RootMove *there = self.spare_moves
        cdef int count = self.root_move_count, width = 1, start, middle, end, i, j, k
        cdef bint first
        while width < count:
            start = 0
            while start < count:
                middle = min(start + width, count)
                end = min(middle + width, count)
                i, j = start, middle
                for k in range(start, end):
                    first = j >= end
                    if not first and i < middle:
                        first = here[i].upper >= here[j].upper if by_upper else here[i].value >= here[j].value
                    if first and i < middle:
                        there[k] = here[i]
                        i += 1
                    else:
                        there[k] = here[j]
                        j += 1
                start = end
            here, there = there, here
            width *= 2
        self.root_moves, self.spare_moves = here, there

    cdef void reset_lists(self) noexcept nogil:
        """Reset the stacks of candidates and lists to those of the root."""
        self.nodes[0].first = self.root_first[0]
        self.nodes[0].count = self.root_count[0]
        self.list_count = self.root_first[1] + self.root_count[1]
        self.candidate_count = self.nodes[0].arena = self.list_count

    cdef int search_root(self, int depth, int alpha, int beta, bint *complete) noexcept nogil:
        """Search the moves of the root as `search` does those of a node; move the best one to the front."""
        cdef Node *root = &self.nodes[0]
        cdef int i, value, limit, best = -INFINITE
        cdef bint complete_child, complete_all = True, complete_best = False
        cdef uint32_t move
        cdef uint64_t before
        for i in range(self.root_move_count):
            move = self.root_moves[i].move
            before = self.node_count
            limit = beta
            if move != PASS and self.candidates[move].placed == root.tiles[0]:
                value = self.candidates[move].score + 2 * root.values[1]
                complete_child = True
            elif self.root_moves[i].upper <= alpha:
                value = self.root_moves[i].upper
                complete_child = True
            elif i == 0:
                value = self.child_value(0, move, depth, alpha, beta, &complete_child)
            else:
                limit = alpha + 1
                value = self.child_value(0, move, depth, alpha, alpha + 1, &complete_child)
                if alpha < value < beta and not self.stopped:
                    limit = beta
                    value = self.child_value(0, move, depth, alpha, beta, &complete_child)
            if self.stopped:
                break
            self.root_moves[i].nodes = self.node_count - before
            self.root_moves[i].value = value
            complete_all = complete_all and complete_child
            if complete_child and value < limit and self.granted != 1:
                self.root_moves[i].upper = min(self.root_moves[i].upper, value)
            if complete_child and value > alpha and value > self.lower and self.granted != 0:
                self.lower = value
                if self.proven_move != move:
                    self.proven_move = move
                    self.proven_since = nanoseconds()
            if value > best:
                best = value
                complete_best = complete_child
                if value > alpha:
                    alpha = value
                    if self.granted == NOBODY:
                        self.bring_forward(i)
                        if self.best_move != move:
                            self.best_move = move
                            self.best_since = nanoseconds()
                if value >= beta:
                    break
        limit = -INFINITE
        for i in range(self.root_move_count):
            limit = max(limit, self.root_moves[i].upper)
        self.upper = min(self.upper, limit)
        complete[0] = not self.stopped and (complete_best if best >= beta else complete_all)
        return best

    cdef void bring_forward(self, int number) noexcept nogil:
        """Move a move of the root to the front; the others keep their order."""
        cdef RootMove moved = self.root_moves[number]
        while number > 0:
            self.root_moves[number] = self.root_moves[number - 1]
            number -= 1
        self.root_moves[0] = moved
