"""The endgame search: alpha-beta over both sides' plays, kept up to date as the board fills.

Compiled twice (kernel_narrow, kernel_wide); endgame.h describes what it works on.  Values are changes of the spread
from a node to the end of the game, seen by the side on turn there.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from engine.lexicon.tables cimport RACK_CAPACITY, SIDE
from engine.loaded_board.loaded_board cimport Line, LoadedBoardStruct
from engine.movegen.plays cimport Play, PlaySink
from engine.search.endgame.endgame cimport (
    BUCKET, COMPLETE, EXACT, FIRST_CANDIDATES, HISTORY, INFINITE, LEAST, MAX_PLY, MOST, MOST_PLAYS, NO_MARK, PASS,
    PASS_MARK, Candidate, Node, SquareSet, TableEntry, add_square, find_entry, holds, make_candidate, meet, mixed,
    run_ends, table_key, unite, write_entry,
)

cdef extern from *:
    """
    #define lowest_bit(x) __builtin_ctz(x)
    """
    int lowest_bit(uint32_t x) nogil

cdef enum:
    CLOCK_EVERY = 256    # nodes between two looks at the clock
    MOST_REPLIES = 4     # plays of the other side that go out, kept to refute moves by
    NARROW_WINDOW = 6    # points on either side of the value that the last iteration found
    NOT_COUNTED = 200    # Node.zeros while turns without points do not count, because nobody has scored yet
    MOST_SOLVES = 63     # solves that the table tells apart

cdef int TABLE_MOVE = 1 << 28  # order of the move that the table names
cdef int TILE_ORDER = 96
cdef int KILLER = 1 << 14      # what a move that just cut at the same ply gains in the order


cdef inline int64_t nanoseconds() noexcept nogil:
    """Read the clock that only goes forward."""
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <int64_t> now.tv_sec * 1000000000 + now.tv_nsec


cdef struct RootMove:
    # A move at the root.
    uint32_t move      # candidate number, or PASS
    int value          # found by the last search of it, or a bound
    uint64_t nodes     # spent on it in the last iteration


cdef class EndgameKernel:
    """Searches one endgame at a time; owns its memory, so one thread uses it."""

    cdef Tables tables
    cdef Generator generator
    cdef BoardKernel board               # the position shown: that of node `shown`
    cdef int shown
    cdef Node *nodes                     # the path, from the root on
    cdef Line *saved_lines               # lines as they were before the moves on the board, a stack
    cdef uint8_t *saved_line_numbers
    cdef uint32_t saved_count
    cdef uint32_t fresh_ends[2 * SIDE]   # scratch of `lay`, zero between calls
    cdef Candidate *candidates           # the arena, a stack
    cdef uint64_t candidate_count, candidate_room
    cdef uint32_t *listed                # lists of candidate numbers, a stack
    cdef int32_t *order                  # beside each entry: the higher the sooner
    cdef uint64_t list_count, list_room
    cdef TableEntry *table
    cdef uint64_t table_mask             # entries - 1
    cdef uint64_t tables_filled          # entries written by this solve
    cdef int solve                       # number of the solve, 1 .. MOST_SOLVES
    cdef int32_t history[2][HISTORY]     # by side and mark: how often a move cut
    cdef uint32_t killers[MAX_PLY + 2][2]  # marks of the moves that cut last
    cdef int distinct[2]                 # by side: distinct tiles of the rack,
    cdef uint8_t codes[2][7]             # their codes,
    cdef uint8_t places[2][65]           # and by code the place in the packed rack
    cdef uint32_t root_first[2]          # by side: its plays on the root's board, in `listed`
    cdef uint32_t root_count[2]
    cdef RootMove *root_moves            # the best first
    cdef int root_move_count
    cdef uint32_t best_move
    cdef int64_t best_since              # clock when it became the best
    cdef uint32_t proven_move            # reaches `lower`
    cdef int64_t proven_since
    cdef int bingo_bonus, bingo_tiles, pass_limit, zero_limit, counts_passes
    cdef bint began_empty                # the root's board has no tiles
    cdef int tile_count                  # tiles of both racks at the root
    cdef uint64_t node_count, node_limit
    cdef int64_t deadline                # nanoseconds, 0: none
    cdef bint stopped                    # the budget is spent: what is being searched is worth nothing
    cdef int value, depth                # of the last finished iteration
    cdef int lower, upper                # proven bounds on the value

    def __init__(self, Tables tables not None, Generator generator not None, int table_megabytes):
        """Take the tables, a generator of theirs that nobody else uses, and the size of the transposition table."""
        cdef uint64_t entries = BUCKET
        self.tables = tables
        self.generator = generator
        self.board = BoardKernel.__new__(BoardKernel)
        self.board.tables = tables
        while 2 * entries * sizeof(TableEntry) <= (<uint64_t> table_megabytes << 20):
            entries *= 2
        self.table_mask = entries - 1
        self.table = <TableEntry *> calloc(entries, sizeof(TableEntry))
        self.nodes = <Node *> calloc(MAX_PLY + 2, sizeof(Node))
        self.saved_lines = <Line *> malloc(MOST_PLAYS * 2 * SIDE * sizeof(Line))
        self.candidate_room = self.list_room = FIRST_CANDIDATES
        self.candidates = <Candidate *> malloc(self.candidate_room * sizeof(Candidate))
        self.listed = <uint32_t *> malloc(self.list_room * sizeof(uint32_t))
        self.order = <int32_t *> malloc(self.list_room * sizeof(int32_t))
        self.root_moves = NULL
        self.saved_line_numbers = <uint8_t *> malloc(MOST_PLAYS * 2 * SIDE)
        if not (self.table and self.nodes and self.saved_lines and self.candidates and self.listed and self.order
                and self.saved_line_numbers):
            raise MemoryError

    def __dealloc__(self):
        free(self.table)
        free(self.nodes)
        free(self.saved_lines)
        free(self.saved_line_numbers)
        free(self.candidates)
        free(self.listed)
        free(self.order)
        free(self.root_moves)

    # ------------------------------------------------------------------------------------------------ the board

    cdef void lay(self, int ply) noexcept nogil:
        """Lay the move of a node on the board; what it changes is saved first."""
        cdef Node *node = &self.nodes[ply]
        cdef LoadedBoardStruct *b = &self.board.board
        cdef const Candidate *c
        cdef int side = b.side, i, row, column, line
        cdef uint32_t ends
        cdef int cells[7]
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
        self.board._place(cells, c.codes, c.placed)

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
        """Bring the board to the position of a node on the path."""
        while self.shown > ply:
            self.shown -= 1
            self.take_back(self.shown)
        while self.shown < ply:
            self.lay(self.shown)
            self.shown += 1

    # ------------------------------------------------------------------------------------------------ the plays

    cdef bint reserve(self, uint64_t more) noexcept nogil:
        """Make room for more candidates and as many list entries; false if memory is out."""
        cdef uint64_t room
        cdef void *grown
        if self.candidate_count + more > self.candidate_room:
            room = 2 * (self.candidate_count + more)
            grown = realloc(self.candidates, room * sizeof(Candidate))
            if grown == NULL:
                return False
            self.candidates = <Candidate *> grown
            self.candidate_room = room
        if self.list_count + more > self.list_room:
            room = 2 * (self.list_count + more)
            grown = realloc(self.listed, room * sizeof(uint32_t))
            if grown == NULL:
                return False
            self.listed = <uint32_t *> grown
            grown = realloc(self.order, room * sizeof(int32_t))
            if grown == NULL:
                return False
            self.order = <int32_t *> grown
            self.list_room = room
        return True

    cdef bint generate(self, int side, uint32_t rack, const uint32_t *through) noexcept nogil:
        """Append the plays of a rack on the board shown to the list; `through` as in find_plays_through."""
        cdef uint8_t tiles[7]
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
        """Find the list of the side on turn at a ply as it was when that side last moved."""
        if ply >= 2:
            first[0] = self.nodes[ply - 2].first
            count[0] = self.nodes[ply - 2].count
        else:
            first[0] = self.root_first[self.nodes[ply].side]
            count[0] = self.root_count[self.nodes[ply].side]

    cdef bint list_plays(self, int ply) noexcept nogil:
        """List the plays of the side on turn: those it had at its last turn that are still there, and new ones by the
        squares that changed since.  False if memory is out."""
        cdef Node *node = &self.nodes[ply]
        cdef int k, line, base = ply - 2 if ply >= 2 else 0
        cdef uint32_t first, count, i, number
        cdef uint32_t through[2 * SIDE]
        cdef uint32_t rack = node.racks[node.side]
        cdef SquareSet laid
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
        if changed and self.began_empty and self.nodes[base].tiles[0] + self.nodes[base].tiles[1] == self.tile_count:
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
        """Give the list of a node back."""
        self.list_count = self.nodes[ply].first
        self.candidate_count = self.nodes[ply].arena

    # ------------------------------------------------------------------------------------------------ the search

    cdef inline void enter(self, int ply, uint32_t move) noexcept nogil:
        """Set the move of a node, and the node that it leads to."""
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
        child.zeros = node.zeros + (node.zeros != NOT_COUNTED)
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
            child.zeros = 0

    cdef inline bint ends_game(self, const Node *node, uint32_t move) noexcept nogil:
        """Tell whether a turn without points is the last one."""
        return (node.zeros != NOT_COUNTED and node.zeros + 1 >= self.zero_limit) or (
            move == PASS and self.pass_limit and node.passes + 1 >= self.pass_limit)

    cdef int estimate(self, int ply) noexcept nogil:
        """Guess the value of a node: both sides take the play that looks best, of those they had at their last turns."""
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

    cdef void rank(self, const Node *node, int ply, uint32_t table_mark) noexcept nogil:
        """Give each play of a node its place in the order."""
        cdef uint32_t i
        cdef const Candidate *c
        cdef int key, side = node.side
        for i in range(node.first, node.first + node.count):
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

    cdef int best_replies(self, int ply, const Candidate **replies) noexcept nogil:
        """Find plays by which the other side, were it on turn, would go out; those it had at its last turn."""
        cdef Node *node = &self.nodes[ply]
        cdef int other = 1 - node.side, found = 0, k
        cdef uint32_t first, count, i
        cdef const Candidate *c
        cdef const Candidate *kept
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
            c = &self.candidates[self.listed[first + i]]
            if c.need != node.racks[other] or (ply and meet(&c.sensitive, &self.nodes[ply - 1].laid)):
                continue
            for k in range(MOST_REPLIES):
                if k == found:
                    replies[k] = c
                    found += 1
                    break
                if c.score > replies[k].score:
                    kept = replies[k]
                    replies[k] = c
                    c = kept
        return found

    cdef int refuted(self, const Node *node, const Candidate *c, const Candidate **replies, int count) noexcept nogil:
        """Return a bound on the value of a play: the other side goes out by the best reply that it leaves there."""
        cdef SquareSet laid
        cdef int i
        memset(&laid, 0, sizeof(laid))
        for i in range(c.placed):
            add_square(&laid, c.cells[i])
        for i in range(count):
            if not meet(&replies[i].sensitive, &laid):
                return c.score - replies[i].score - 2 * (node.values[node.side] - c.tile_points)
        return INFINITE

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

    cdef int child_value(self, int ply, uint32_t move, int depth, int alpha, int beta, bint *complete) noexcept nogil:
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

    cdef int search(self, int ply, int depth, int alpha, int beta, bint *complete) noexcept nogil:
        """Return the value of a node if it lies between alpha and beta, else a bound on that side.

        `complete`: no horizon has touched it.  Worth nothing once `stopped`.
        """
        cdef Node *node = &self.nodes[ply]
        cdef int side = node.side, best = -INFINITE, value, i, bound, first_alpha = alpha, reply_count, out = -1
        cdef bint complete_best = False, complete_all = True, complete_child = False, passed = False, is_pass
        cdef uint32_t table_mark = NO_MARK, best_mark = NO_MARK, at, end, number
        cdef uint64_t key
        cdef TableEntry *entry
        cdef const Candidate *c
        cdef const Candidate *replies[MOST_REPLIES]
        complete[0] = False
        self.count_node()
        if self.stopped:
            return 0
        key = table_key(node)
        entry = find_entry(self.table, self.table_mask, key, self.solve)
        if entry != NULL:
            table_mark = entry.mark
            if entry.depth >= depth:
                i = entry.kind & 3
                if i == EXACT or (i == LEAST and entry.value >= beta) or (i == MOST and entry.value <= alpha):
                    complete[0] = entry.depth == COMPLETE
                    return entry.value
        if depth <= 0 or ply >= MAX_PLY:
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
        self.rank(node, ply, table_mark)
        reply_count = self.best_replies(ply, replies)
        at = node.first
        while at < end or not passed:
            is_pass = at == end or (not passed and table_mark == PASS_MARK)
            if is_pass:
                passed = True
                number = PASS
            else:
                self.pick(at, end)
                number = self.listed[at]
                at += 1
            if not is_pass:
                c = &self.candidates[number]
                if c.placed == node.tiles[side]:
                    continue
                if reply_count and not (c.score == 0 and self.ends_game(node, number)):
                    bound = self.refuted(node, c, replies, reply_count)
                    if bound <= alpha:
                        best = max(best, bound)
                        continue
            elif reply_count and not self.ends_game(node, PASS):
                bound = -(replies[0].score + 2 * node.values[side])
                if bound <= alpha:
                    best = max(best, bound)
                    continue
            if is_pass and node.count == 0:  # a pass that nobody chose costs no depth
                value = self.child_value(ply, number, depth + 1, alpha, beta, &complete_child)
            elif best == -INFINITE or beta - alpha == 1:
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
        complete[0] = complete_best if best >= beta else complete_all
        self.tables_filled += write_entry(
            self.table, self.table_mask, key, self.solve, best, COMPLETE if complete[0] else min(depth, COMPLETE - 1),
            LEAST if best >= beta else EXACT if best > first_alpha else MOST, best_mark)
        return best

    # -------------------------------------------------------------------------------------------------- the root

    def start(self, BoardKernel board not None, bytes racks0 not None, bytes racks1 not None, int bingo_bonus,
              int bingo_tiles, int pass_limit, int zero_limit, int passes, int zeros):
        """Take a position: racks as ascending tile codes, the side on turn first.

        The game ends after `pass_limit` passes (0: no such rule; `passes` have gone before) or `zero_limit` turns
        without points (`zeros` before).  Raises ValueError if the racks do not fit, MemoryError.
        """
        cdef Node *root = &self.nodes[0]
        cdef int side, place, code, k
        cdef uint32_t i
        if board.tables is not self.tables:
            raise ValueError("the board was loaded with another lexicon")
        memset(self.nodes, 0, (MAX_PLY + 2) * sizeof(Node))
        memset(self.history, 0, sizeof(self.history))
        memset(self.killers, 0, sizeof(self.killers))
        memset(self.fresh_ends, 0, sizeof(self.fresh_ends))
        memcpy(&self.board.board, &board.board, sizeof(LoadedBoardStruct))
        for side, rack in enumerate((racks0, racks1)):
            if len(rack) > RACK_CAPACITY or (rack and max(rack) > board.board.letter_count):
                raise ValueError("a rack holds at most 7 tiles of the tile set")
            self.distinct[side] = 0
            for code in sorted(set(rack)):
                place = self.distinct[side]
                self.codes[side][place] = <uint8_t> code
                self.places[side][code] = <uint8_t> place
                self.distinct[side] += 1
                k = rack.count(code)
                root.racks[side] += <uint32_t> k << 4 * place
                root.values[side] += k * (board.board.values[code - 1] if code else 0)
            root.tiles[side] = <uint8_t> len(rack)
        root.passes = <uint8_t> passes
        root.zeros = <uint8_t> zeros
        self.bingo_bonus = bingo_bonus
        self.bingo_tiles = bingo_tiles
        self.pass_limit = pass_limit
        self.zero_limit = zero_limit
        self.counts_passes = pass_limit > 0
        self.began_empty = board.board.tile_count == 0
        self.tile_count = root.tiles[0] + root.tiles[1]
        self.solve += 1
        if self.solve > MOST_SOLVES:
            self.solve = 1
            memset(self.table, 0, (self.table_mask + 1) * sizeof(TableEntry))
        self.shown = 0
        self.saved_count = 0
        self.candidate_count = self.list_count = 0
        self.node_count = self.tables_filled = 0
        self.node_limit = 0
        self.stopped = False
        self.value = 0
        self.depth = 0
        self.lower = -INFINITE
        self.upper = INFINITE
        for side in range(2):
            self.root_first[side] = <uint32_t> self.list_count
            if not self.generate(side, root.racks[side], NULL):
                raise MemoryError
            self.root_count[side] = <uint32_t> self.list_count - self.root_first[side]
        root.first = self.root_first[0]
        root.count = self.root_count[0]
        root.arena = <uint32_t> self.candidate_count
        free(self.root_moves)
        self.root_moves = <RootMove *> malloc((root.count + 1) * sizeof(RootMove))
        if not self.root_moves:
            raise MemoryError
        for i in range(root.count):
            self.root_moves[i].move = self.listed[root.first + i]
        self.root_moves[root.count].move = PASS
        self.root_move_count = <int> root.count + 1
        for i in range(root.count + 1):
            self.root_moves[i].nodes = 0
            self.root_moves[i].value = self.first_guess(self.root_moves[i].move)
        self.sort_root(0)
        self.best_move = self.root_moves[0].move
        self.proven_move = self.best_move
        self.best_since = self.proven_since = nanoseconds()
        self.value = self.root_moves[0].value

    cdef int first_guess(self, uint32_t move) noexcept nogil:
        """Guess the value of a move at the root."""
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

    cdef void sort_root(self, int first) noexcept nogil:
        """Sort the root's moves from `first` on by value, the best first; equal ones stay in their order."""
        cdef int i, k
        cdef RootMove kept
        for i in range(first + 1, self.root_move_count):
            kept = self.root_moves[i]
            k = i
            while k > first and self.root_moves[k - 1].value < kept.value:
                self.root_moves[k] = self.root_moves[k - 1]
                k -= 1
            self.root_moves[k] = kept

    def limit(self, uint64_t nodes, int64_t deadline):
        """Set how many nodes may be searched from the start on, and the time (monotonic clock, nanoseconds; 0: none)
        at which the search stops."""
        self.node_limit = nodes
        self.deadline = deadline
        self.stopped = nodes <= self.node_count

    cdef void reset_lists(self) noexcept nogil:
        """Bring the stacks back to the root's lists."""
        self.nodes[0].first = self.root_first[0]
        self.nodes[0].count = self.root_count[0]
        self.list_count = self.root_first[1] + self.root_count[1]
        self.candidate_count = self.nodes[0].arena = self.list_count

    cdef int search_root(self, int depth, int alpha, int beta, bint *complete) noexcept nogil:
        """Search the root's moves; the best is brought to the front.  As `search`."""
        cdef Node *root = &self.nodes[0]
        cdef int i, k, value, best = -INFINITE
        cdef bint complete_child, complete_all = True, complete_best = False
        cdef uint32_t move
        cdef uint64_t before
        cdef const Candidate *c
        cdef const Candidate *replies[MOST_REPLIES]
        cdef RootMove kept
        for i in range(self.root_move_count):
            move = self.root_moves[i].move
            before = self.node_count
            if move != PASS and self.candidates[move].placed == root.tiles[0]:
                value = self.candidates[move].score + 2 * root.values[1]
                complete_child = True
            elif i == 0:
                value = self.child_value(0, move, depth, alpha, beta, &complete_child)
            else:
                value = self.child_value(0, move, depth, alpha, alpha + 1, &complete_child)
                if alpha < value < beta and not self.stopped:
                    value = self.child_value(0, move, depth, alpha, beta, &complete_child)
            if self.stopped:
                break
            self.root_moves[i].nodes = self.node_count - before
            self.root_moves[i].value = value
            complete_all = complete_all and complete_child
            if complete_child and value > alpha and value > self.lower:
                self.lower = value
                if self.proven_move != move:
                    self.proven_move = move
                    self.proven_since = nanoseconds()
            if value > best:
                best = value
                complete_best = complete_child
                if value > alpha:
                    kept = self.root_moves[i]
                    k = i
                    while k > 0:
                        self.root_moves[k] = self.root_moves[k - 1]
                        k -= 1
                    self.root_moves[0] = kept
                    if self.best_move != move:
                        self.best_move = move
                        self.best_since = nanoseconds()
                    alpha = value
                if value >= beta:
                    break
        complete[0] = False
        if self.stopped:
            return best
        complete[0] = complete_best if best >= beta else complete_all
        if complete_all and best < beta:
            self.upper = min(self.upper, best)
        return best

    def deepen(self, int depth):
        """Search to a depth in plies; returns (finished, complete).

        `complete`: the value is proven.  Not `finished`: the budget was spent; moves searched up to then count.
        """
        cdef int alpha = -INFINITE, beta = INFINITE, value
        cdef bint complete = False
        if depth > 2:
            alpha, beta = self.value - NARROW_WINDOW, self.value + NARROW_WINDOW
        with nogil:
            while True:
                value = self.search_root(depth, alpha, beta, &complete)
                self.show(0)
                self.reset_lists()
                if self.stopped:
                    break
                if value <= alpha:
                    alpha = -INFINITE
                elif value >= beta:
                    beta = INFINITE
                else:
                    break
            if not self.stopped:
                self.value = value
                self.depth = depth
        return not self.stopped, complete and not self.stopped

    def probe(self, int value):
        """Ask, to the end of the game, whether the position is worth at least a value; the bounds take the answer.

        Returns whether the budget sufficed.
        """
        cdef bint complete = False
        with nogil:
            self.search_root(COMPLETE - 1, value - 1, value, &complete)
            self.show(0)
            self.reset_lists()
        return not self.stopped

    # ------------------------------------------------------------------------------------------------ what came out

    cdef object move_record(self, uint32_t move):
        """Return (line, start, length, {cell: tile code}, score) of a play, None for a pass."""
        cdef const Candidate *c
        if move == PASS:
            return None
        c = &self.candidates[move]
        return c.line, c.start, c.length, {c.cells[i]: c.codes[i] for i in range(c.placed)}, c.score

    cdef uint32_t next_in_line(self, int ply, int value, int depth) noexcept nogil:
        """Find a move of a node that reaches a value; the best move goes first.  Sets `stopped` if there is none."""
        cdef Node *node = &self.nodes[ply]
        cdef uint32_t at, number, table_mark = NO_MARK
        cdef TableEntry *entry = find_entry(self.table, self.table_mask, table_key(node), self.solve)
        cdef bint complete = False
        cdef int reached
        if entry != NULL:
            table_mark = entry.mark
        if not self.list_plays(ply):
            self.stopped = True
            return PASS
        self.rank(node, ply, table_mark)
        if table_mark == PASS_MARK and self.child_value(ply, PASS, depth, value - 1, value, &complete) >= value:
            return PASS
        for at in range(node.first, node.first + node.count):
            self.pick(at, node.first + node.count)
            number = self.listed[at]
            if self.candidates[number].placed == node.tiles[node.side]:
                reached = self.candidates[number].score + 2 * node.values[1 - node.side]
            else:
                reached = self.child_value(ply, number, depth, value - 1, value, &complete)
            if self.stopped or reached >= value:
                return number
        if self.child_value(ply, PASS, depth, value - 1, value, &complete) < value:
            self.stopped = True
        return PASS

    def settle(self, int value):
        """Take a value as proven: the best move becomes one that reaches it."""
        if self.lower == value and self.best_move != self.proven_move:
            self.best_move = self.proven_move
            self.best_since = self.proven_since
        self.value = value

    def line(self, bint complete):
        """Return the principal line as far as the budget and what was searched tell: records as of `best`.

        `complete`: the value is proven, and so is the line.
        """
        cdef int ply = 0, value = self.value, depth, score
        cdef uint32_t move = self.best_move
        cdef bint ended
        found = []
        while True:
            depth = COMPLETE - 1 if complete else self.depth - ply
            if ply:
                if depth <= 0 or ply >= MAX_PLY or self.stopped:
                    break
                with nogil:
                    move = self.next_in_line(ply, value, depth)
                if self.stopped:
                    break
            found.append(self.move_record(move))
            score = 0 if move == PASS else self.candidates[move].score
            ended = move != PASS and self.candidates[move].placed == self.nodes[ply].tiles[self.nodes[ply].side]
            if ended or (score == 0 and self.ends_game(&self.nodes[ply], move)):
                break
            self.enter(ply, move)
            value = score - value
            ply += 1
        self.show(0)
        self.reset_lists()
        return found

    @property
    def best(self):
        """The best move so far: (line, start, length, {cell: tile code}, score), None for a pass."""
        return self.move_record(self.best_move)

    @property
    def figures(self):
        """Value and depth of the last finished iteration, lower and upper bound (None: not known), nodes, table
        entries filled and in all, and the clock (nanoseconds) when the best move became it."""
        return (self.value, self.depth, None if self.lower == -INFINITE else self.lower,
                None if self.upper == INFINITE else self.upper, self.node_count, self.tables_filled,
                self.table_mask + 1, self.best_since)
