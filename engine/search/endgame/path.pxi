"""The path of the endgame search from the root to a node: its board, and the plays of both sides there.

Included by endgame_kernel.pyx.
"""

cdef class EndgamePath:
    """Hold the moves from the root to the current node."""

    cdef Tables tables                   # of the lexicon
    cdef Generator generator             # used by this search alone
    cdef BoardKernel board               # the position of the node at ply `shown`
    cdef int shown                       # ply
    cdef Node *nodes                     # by ply: the path, from the root on
    cdef Line *saved_lines               # stack of lines as they were before the moves on the board
    cdef uint8_t *saved_line_numbers     # beside each: which line it is
    cdef uint32_t saved_count            # length of both
    cdef uint32_t fresh_ends[2 * SIDE]   # scratch of `lay`: all zero between calls
    cdef Candidate *candidates           # stack of plays
    cdef uint64_t candidate_count, candidate_capacity
    cdef uint32_t *listed                # stack of lists of candidate numbers
    cdef int32_t *order                  # beside each entry: the highest is searched first
    cdef uint64_t list_count, list_capacity
    cdef int distinct[2]                 # by side: distinct tiles of the rack at the root
    cdef uint8_t codes[2][RACK_CAPACITY]  # by side: their codes
    cdef uint8_t places[2][LETTER_CAPACITY + 1]  # by side and code: the place of the tile in a packed rack
    cdef uint32_t root_first[2]          # by side: where its plays on the board of the root begin in `listed`
    cdef uint32_t root_count[2]          # by side: how many there are
    cdef int bingo_bonus, bingo_tiles    # points, and the tiles that earn them
    cdef int pass_limit                  # passes in a row that end the game; 0: no such rule
    cdef int zero_limit                  # turns without points in a row that end the game
    cdef int counts_passes               # 1 if there is a pass limit
    cdef bint began_empty                # the board of the root has no tiles
    cdef int tile_count                  # tiles of both racks at the root

    cdef void lay(self, int ply) noexcept nogil:
        """Place the move of a node on the board; save the lines that it changes first."""
        cdef Node *node = &self.nodes[ply]
        cdef LoadedBoardStruct *b = &self.board.board
        cdef const Candidate *c
        cdef int side = b.side, i, row, column, line
        cdef uint32_t ends
        cdef int cells[RACK_CAPACITY]
        memset(node.changed, 0, 2 * SIDE * sizeof(uint32_t))
        node.saved = self.saved_count
        if node.move == PASS:
            return
        c = &self.candidates[node.move]
        for i in range(c.placed):
            row = c.cells[i] // side
            column = c.cells[i] % side
            cells[i] = c.cells[i]
            node.changed[row] |= <uint32_t> 1 << column
            node.changed[side + column] |= <uint32_t> 1 << row
        for i in range(c.placed):
            row = c.cells[i] // side
            column = c.cells[i] % side
            ends = run_ends(b.lines[side + column].occupied | node.changed[side + column], row, side)
            while ends:
                self.fresh_ends[lowest_bit(ends)] |= <uint32_t> 1 << column
                ends &= ends - 1
            ends = run_ends(b.lines[row].occupied | node.changed[row], column, side)
            while ends:
                self.fresh_ends[side + lowest_bit(ends)] |= <uint32_t> 1 << row
                ends &= ends - 1
        for line in range(2 * side):
            node.changed[line] |= self.fresh_ends[line]
            self.fresh_ends[line] = 0
            if node.changed[line]:
                memcpy(&self.saved_lines[self.saved_count], &b.lines[line], sizeof(Line))
                self.saved_line_numbers[self.saved_count] = <uint8_t> line
                self.saved_count += 1
        self.board.place_tiles(cells, c.codes, c.placed)

    cdef void take_back(self, int ply) noexcept nogil:
        """Undo `lay`."""
        cdef Node *node = &self.nodes[ply]
        cdef LoadedBoardStruct *b = &self.board.board
        cdef const Candidate *c
        cdef int i
        if node.move == PASS:
            return
        c = &self.candidates[node.move]
        for i in range(c.placed):
            b.squares[c.cells[i]] = 0
        b.tile_count -= c.placed
        while self.saved_count > node.saved:
            self.saved_count -= 1
            memcpy(&b.lines[self.saved_line_numbers[self.saved_count]], &self.saved_lines[self.saved_count],
                   sizeof(Line))

    cdef void show(self, int ply) noexcept nogil:
        """Set the board to the position of the node at a ply."""
        while self.shown > ply:
            self.shown -= 1
            self.take_back(self.shown)
        while self.shown < ply:
            self.lay(self.shown)
            self.shown += 1

    cdef bint reserve(self, uint64_t more) noexcept nogil:
        """Ensure room for more candidates and as many list entries; false if there is no memory."""
        cdef uint64_t room
        cdef void *grown
        if self.candidate_count + more > self.candidate_capacity:
            room = 2 * (self.candidate_count + more)
            grown = realloc(self.candidates, room * sizeof(Candidate))
            if grown == NULL:
                return False
            self.candidates = <Candidate *> grown
            self.candidate_capacity = room
        if self.list_count + more > self.list_capacity:
            room = 2 * (self.list_count + more)
            grown = realloc(self.listed, room * sizeof(uint32_t))
            if grown == NULL:
                return False
            self.listed = <uint32_t *> grown
            grown = realloc(self.order, room * sizeof(int32_t))
            if grown == NULL:
                return False
            self.order = <int32_t *> grown
            self.list_capacity = room
        return True

    cdef bint generate(self, int side, uint32_t rack, const uint32_t *through) noexcept nogil:
        """Append the plays of a rack on the shown board to the list; `through`: as in find_plays_through, or NULL.
        """
        cdef uint8_t tiles[RACK_CAPACITY]
        cdef int count = 0, place, k
        cdef const PlaySink *sink
        cdef uint64_t i
        for place in range(self.distinct[side]):
            for k in range((rack >> 4 * place) & 7):
                tiles[count] = self.codes[side][place]
                count += 1
        self.generator.hold(&self.board.board, tiles, count, self.bingo_bonus, self.bingo_tiles)
        sink = self.generator.find_plays_through(through)
        if sink.overflow or not self.reserve(sink.count):
            return False
        for i in range(sink.count):
            make_candidate(&self.candidates[self.candidate_count], &self.board.board, &self.tables.view,
                           &sink.plays[i], self.places[side])
            self.listed[self.list_count] = self.candidate_count
            self.list_count += 1
            self.candidate_count += 1
        return True

    cdef inline void base_list(self, int ply, uint32_t *first, uint32_t *count) noexcept nogil:
        """Find the list of plays that the side on turn at a ply had at its last turn."""
        if ply >= 2:
            first[0] = self.nodes[ply - 2].first
            count[0] = self.nodes[ply - 2].count
        else:
            first[0] = self.root_first[self.nodes[ply].side]
            count[0] = self.root_count[self.nodes[ply].side]

    cdef bint list_plays(self, int ply) noexcept nogil:
        """List the plays of the side on turn: earlier ones that are still legal, and new ones.

        New plays use the squares that have changed since the last turn of the side.  False if there is no memory.
        """
        cdef Node *node = &self.nodes[ply]
        cdef int k, line, base = ply - 2 if ply >= 2 else 0
        cdef uint32_t first, count, i, number
        cdef uint32_t through[2 * SIDE]
        cdef uint32_t rack = node.racks[node.side]
        cdef SquareSet laid
        cdef const Node *before = &self.nodes[base]
        cdef bint changed = False
        self.show(ply)
        node.first = self.list_count
        node.arena = self.candidate_count
        node.count = 0
        if not self.reserve(0):
            return False
        self.base_list(ply, &first, &count)
        memset(&laid, 0, sizeof(laid))
        memset(through, 0, sizeof(through))
        for k in range(base, ply):
            if self.nodes[k].move == PASS:
                continue
            changed = True
            unite(&laid, &self.nodes[k].laid)
            for line in range(2 * self.board.board.side):
                through[line] |= self.nodes[k].changed[line]
        if changed and self.began_empty and before.tiles[0] + before.tiles[1] == self.tile_count:
            if not self.generate(node.side, rack, NULL):
                return False
        else:
            if not self.reserve(count):
                return False
            for i in range(count):
                number = self.listed[first + i]
                if (holds(rack, self.candidates[number].need)
                        and not meet(&self.candidates[number].sensitive, &laid)):
                    self.listed[self.list_count] = number
                    self.list_count += 1
            if changed and not self.generate(node.side, rack, through):
                return False
        node.count = <uint32_t> (self.list_count - node.first)
        return True

    cdef void forget(self, int ply) noexcept nogil:
        """Release the list of the node at a ply."""
        self.list_count = self.nodes[ply].first
        self.candidate_count = self.nodes[ply].arena

    cdef inline void enter(self, int ply, uint32_t move) noexcept nogil:
        """Set the move of the node at a ply, and fill the next node."""
        cdef Node *node = &self.nodes[ply]
        cdef Node *child = &self.nodes[ply + 1]
        cdef const Candidate *c
        cdef int side = node.side, i
        if self.shown > ply:
            self.show(ply)
        node.move = move
        memset(&node.laid, 0, sizeof(SquareSet))
        child.racks[0] = node.racks[0]
        child.racks[1] = node.racks[1]
        child.values[0] = node.values[0]
        child.values[1] = node.values[1]
        child.tiles[0] = node.tiles[0]
        child.tiles[1] = node.tiles[1]
        child.key = node.key
        child.side = 1 - side
        child.passes = node.passes + self.counts_passes
        child.zero_turns = node.zero_turns + (node.zero_turns != NOT_COUNTED)
        if move == PASS:
            return
        c = &self.candidates[move]
        for i in range(c.placed):
            add_square(&node.laid, c.cells[i])
        child.racks[side] -= c.need
        child.values[side] -= c.tile_points
        child.tiles[side] -= c.placed
        child.key ^= c.key
        child.passes = 0
        if c.score:
            child.zero_turns = 0

    cdef inline bint ends_game(self, const Node *node, uint32_t move) noexcept nogil:
        """Return whether a move without points ends the game."""
        return (node.zero_turns != NOT_COUNTED and node.zero_turns + 1 >= self.zero_limit) or (
            move == PASS and self.pass_limit and node.passes + 1 >= self.pass_limit)
