"""The endgame search as Python sees it: a position, a budget, the root, and what came out.

The build compiles it for both geometries (geometry.h).  endgame.h describes the data; path.pxi holds the board
and both sides' plays, search.pxi the search below the root.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.movegen.internal_words_kernel cimport Generator

from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from engine.lexicon.tables cimport RACK_CAPACITY, SIDE
from engine.loaded_board.loaded_board cimport Line, LoadedBoardStruct
from engine.movegen.plays cimport PlaySink
from engine.search.endgame.endgame cimport (
    BUCKET, COMPLETE, EXACT, FIRST_CANDIDATES, HISTORY, INFINITE, LEAST, MAX_PLY, MOST, MOST_PLAYS, NO_MARK,
    PASS, PASS_MARK, Candidate, Ceiling, Node, SquareSet, TableEntry, add_square, find_ceiling, find_entry,
    holds, make_candidate, meet, mixed, run_ends, table_key, unite, write_entry,
)

cdef extern from *:
    """
    #define lowest_bit(x) __builtin_ctz(x)
    """
    int lowest_bit(uint32_t x) nogil

cdef enum:
    CLOCK_EVERY = 16     # nodes between two looks at the clock: with two blanks one takes half a millisecond
    MOST_REPLIES = 4     # plays of the other side that go out, kept to refute moves by
    NARROW_WINDOW = 6    # points on either side of the value that the last iteration found
    CEILING_AFTER = 2    # plays of a node searched before the others are held against what they can bring at most
    NOT_COUNTED = 200    # Node.zeros while turns without points do not count, because nobody has scored yet
    MOST_SOLVES = 63     # solves that the table tells apart
    LEAST_ENTRIES = 4096  # of the table, used by the smallest search
    ROOM_PER_NODE = 4    # entries of the table for each node that a search may take: few meet in a bucket
    NOBODY = 2           # no side: the horizon estimates
    BEHIND = 1 << 20     # what moves not weighed are set back by, to come after those that are

cdef int TABLE_MOVE = 1 << 28  # order of the move that the table names
cdef int TILE_ORDER = 96      # what each tile played gains in the order: who goes out soon leaves less to search
cdef int KILLER = 1 << 14      # what a move that just cut at the same ply gains in the order


cdef inline int64_t nanoseconds() noexcept nogil:
    """Read the clock that only goes forward."""
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <int64_t> now.tv_sec * 1000000000 + now.tv_nsec

include "path.pxi"
include "search.pxi"


cdef struct RootMove:
    # A move at the root.
    uint32_t move      # candidate number, or PASS
    int value          # found by the last search of it, or a bound
    int upper          # proven bound on its value
    uint64_t nodes     # spent on it in the last iteration


cdef class EndgameKernel(EndgameSearch):
    """Searches one endgame at a time; owns its memory, so one thread uses it."""

    cdef RootMove *root_moves            # the best first
    cdef RootMove *spare_moves           # as much room, to sort them
    cdef int root_move_count
    cdef uint32_t best_move
    cdef int64_t best_since              # clock when it became the best
    cdef uint32_t proven_move            # reaches `lower`
    cdef int64_t proven_since
    cdef int value, depth                # of the last finished iteration
    cdef int lower, upper                # proven bounds on the value

    def __init__(self, Tables tables not None, Generator generator not None, int table_megabytes):
        """Take the tables, a generator of theirs that nobody else uses, and the size of the table of positions."""
        cdef uint64_t entries = BUCKET
        self.tables = tables
        self.generator = generator
        self.board = BoardKernel.__new__(BoardKernel)
        self.board.tables = tables
        while 2 * entries * sizeof(TableEntry) <= (<uint64_t> table_megabytes << 20):
            entries *= 2
        self.table_room = entries
        self.table_mask = entries - 1
        self.table_used = 0
        self.table = <TableEntry *> calloc(entries, sizeof(TableEntry))
        self.nodes = <Node *> calloc(MAX_PLY + 2, sizeof(Node))
        self.saved_lines = <Line *> malloc(MOST_PLAYS * 2 * SIDE * sizeof(Line))
        self.candidate_room = self.list_room = FIRST_CANDIDATES
        self.candidates = <Candidate *> malloc(self.candidate_room * sizeof(Candidate))
        self.listed = <uint32_t *> malloc(self.list_room * sizeof(uint32_t))
        self.order = <int32_t *> malloc(self.list_room * sizeof(int32_t))
        self.root_moves = self.spare_moves = NULL
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
        free(self.spare_moves)

    def start(self, BoardKernel board not None, bytes racks0 not None, bytes racks1 not None, int bingo_bonus,
              int bingo_tiles, int pass_limit, int zero_limit, int passes, int zeros,
              int64_t deadline=0, uint64_t most_nodes=0, int most_weighed=0):
        """Take a position: racks as ascending tile codes, the side on turn first.

        The game ends after `pass_limit` passes (0: no such rule; `passes` have gone before) or `zero_limit` turns
        without points (`zeros` before).  Moves are weighed against the other side's plays, the dearest first, so
        many at most (0: all) and until `deadline` (monotonic clock, nanoseconds; 0: none); each counts as a node,
        and all of them as the search to depth 1.  No more of the table is used than `most_nodes` (0: who knows)
        fill, so that it stays in the processor's caches.
        Raises ValueError if the racks do not fit, MemoryError.
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
            memset(self.table, 0, (self.table_used + 1) * sizeof(TableEntry))
            self.table_used = 0
        self.table_mask = self.entries_for(most_nodes) - 1
        self.table_used = max(self.table_used, self.table_mask)
        self.shown = 0
        self.saved_count = 0
        self.candidate_count = self.list_count = 0
        self.node_count = self.tables_filled = 0
        self.node_limit = 0
        self.stopped = False
        self.granted = NOBODY
        self.value = 0
        self.depth = 0
        for side in range(2):
            self.root_first[side] = <uint32_t> self.list_count
            if not self.generate(side, root.racks[side], NULL):
                raise MemoryError
            self.root_count[side] = <uint32_t> self.list_count - self.root_first[side]
        root.first = self.root_first[0]
        root.count = self.root_count[0]
        root.arena = <uint32_t> self.candidate_count
        free(self.root_moves)
        free(self.spare_moves)
        self.root_moves = <RootMove *> malloc((root.count + 1) * sizeof(RootMove))
        self.spare_moves = <RootMove *> malloc((root.count + 1) * sizeof(RootMove))
        if not (self.root_moves and self.spare_moves):
            raise MemoryError
        for i in range(root.count):
            self.root_moves[i].move = self.listed[root.first + i]
        self.root_moves[root.count].move = PASS
        self.root_move_count = <int> root.count + 1
        self.bound_root()
        self.weigh_root(most_weighed, deadline)
        self.best_move = self.root_moves[0].move
        self.best_since = self.proven_since = nanoseconds()
        self.value = self.root_moves[0].value

    cdef void weigh_root(self, int most_weighed, int64_t deadline) noexcept nogil:
        """Order the root's moves by what they seem to be worth; see `start`."""
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

    cdef uint64_t entries_for(self, uint64_t nodes) noexcept nogil:
        """Return how many entries of the table a search of so many nodes uses; all for 0."""
        cdef uint64_t entries = LEAST_ENTRIES
        if nodes == 0 or nodes > self.table_room // ROOM_PER_NODE:
            return self.table_room
        while entries < ROOM_PER_NODE * nodes:
            entries *= 2
        return min(entries, self.table_room)

    cdef void bound_root(self) noexcept nogil:
        """Set the bounds known without a search: each side passes to the end, the other plays alone."""
        cdef Node *root = &self.nodes[0]
        cdef const Candidate *c
        cdef int32_t most[8]
        cdef int i
        self.find_most(0, 1, most)
        self.lower = -self.most_of_all(root, self.root_first[1], self.root_count[1], 1, most)
        self.proven_move = PASS
        self.find_most(0, 0, most)
        self.upper = self.most_of_all(root, root.first, root.count, 0, most)
        for i in range(self.root_move_count):
            self.root_moves[i].upper = self.upper
            if self.root_moves[i].move != PASS:
                c = &self.candidates[self.root_moves[i].move]
                self.root_moves[i].upper = self.most_of(root, c, 0, most)

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

    cdef void sort_root(self, bint by_upper) noexcept nogil:
        """Sort the root's moves by value, or by the bound on them, the best first; equal ones stay in their order:
        two blanks make thousands of moves, so runs of twice the length are merged until one is left."""
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

    def limit(self, uint64_t nodes, int64_t deadline):
        """Set how many nodes may be searched from the start on, and when the search stops (monotonic clock,
        nanoseconds; 0: never)."""
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

    def bound(self, int granted, int depth, int goal):
        """Ask whether the value is at most a goal, beyond a depth in plies granting the side on turn (0) all it
        could score alone, or at least the goal, granting it to the other side (1); the bounds take the answer.

        Returns whether the budget sufficed.
        """
        cdef bint complete = False
        cdef int i, alpha = goal - granted
        self.granted = granted
        if granted == 0:  # the highest first: what is refuted by the time it stops, counts
            self.sort_root(True)
        with nogil:
            self.search_root(depth, alpha, alpha + 1, &complete)
            self.show(0)
            self.reset_lists()
        self.granted = NOBODY
        if self.lower > self.value and self.proven_move != self.best_move:
            self.best_move = self.proven_move
            self.best_since = self.proven_since
        self.value = min(max(self.value, self.lower), self.upper)
        for i in range(self.root_move_count):
            if self.root_moves[i].move == self.best_move:
                self.bring_forward(i)
                break
        return not self.stopped

    cdef void bring_forward(self, int number) noexcept nogil:
        """Bring a move of the root to the front; the others stay in their order."""
        cdef RootMove kept = self.root_moves[number]
        while number > 0:
            self.root_moves[number] = self.root_moves[number - 1]
            number -= 1
        self.root_moves[0] = kept

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

    cdef object move_record(self, uint32_t move):
        """Return (line, start, length, {cell: tile code}, score) of a play, None for a pass."""
        cdef const Candidate *c
        if move == PASS:
            return None
        c = &self.candidates[move]
        return c.line, c.start, c.length, {c.cells[i]: c.codes[i] for i in range(c.placed)}, c.score

    cdef uint32_t next_in_line(self, int ply, int value, int depth) noexcept nogil:
        """Find a move of a node that reaches a value, the likeliest first; sets `stopped` if there is none."""
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
        self.rank(node, node.first + node.count, ply, table_mark)
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
        """Value and depth of the last finished iteration, lower and upper bound, nodes, table entries filled
        and in all, and the clock (nanoseconds) when the best move became it."""
        return (self.value, self.depth, self.lower, self.upper, self.node_count, self.tables_filled,
                self.table_mask + 1, self.best_since)
