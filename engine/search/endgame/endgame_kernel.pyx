"""The kernel of the endgame solver as Python calls it: a position, limits, searches, and their results.

Read in this order: endgame.h (the data), path.pxi (the board and both sides' plays along a line of moves),
bounds.pxi (estimates and bounds without a search), search.pxi (alpha-beta below the root), root.pxi (the moves of
the root). ceiling.h bounds what one side can score alone. The build compiles this file for both geometries
(geometry.h).
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.movegen.internal_words_kernel cimport Generator

from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from engine.lexicon.tables cimport LETTER_CAPACITY, RACK_CAPACITY, SIDE
from engine.loaded_board.loaded_board cimport Line, LoadedBoardStruct
from engine.movegen.plays cimport PlaySink
from engine.search.endgame.endgame cimport (
    BUCKET, COMPLETE, EXACT, FIRST_CANDIDATES, HISTORY, INFINITE, LOWER_BOUND, MAX_PLAYS, MAX_PLY, NO_MARK,
    PASS, PASS_MARK, UPPER_BOUND, Candidate, Ceiling, Node, SquareSet, TableEntry, add_square, find_ceiling,
    find_entry, holds, make_candidate, meet, mixed, run_ends, table_key, unite, write_entry,
)

cdef extern from *:
    """
    #define lowest_bit(x) __builtin_ctz(x)
    """
    int lowest_bit(uint32_t x) nogil

cdef enum:
    CLOCK_EVERY = 16      # nodes between two readings of the clock; with two blanks a node takes 0.5 ms
    MAX_REPLIES = 4       # replies that go out, which `best_replies` lists
    NARROW_WINDOW = 6     # points on either side of the last value, for the first window of the next depth
    CEILING_AFTER = 2     # plays of a node searched before the others are bounded by `find_gains`
    NOT_COUNTED = 200     # Node.zero_turns while turns without points do not count (nobody has scored yet)
    MAX_SOLVES = 63       # solves whose table entries can be told apart
    MIN_ENTRIES = 4096    # entries of the table that the smallest search uses
    ENTRIES_PER_NODE = 4  # entries of the table for each node of the budget, so that few collide
    NOBODY = 2            # value of `granted` while the horizon estimates
    BEHIND = 1 << 20      # subtracted from the values of root moves without an estimate: they come last

# Terms of the order in which the plays of a node are searched.
cdef int TABLE_MOVE = 1 << 28  # the best move of an earlier search of the node
cdef int TILE_ORDER = 96       # for each tile played: the sooner a side goes out, the smaller the search
cdef int KILLER = 1 << 14      # a move that recently caused a cut at the same ply


cdef inline int64_t nanoseconds() noexcept nogil:
    """Return the monotonic clock in nanoseconds."""
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <int64_t> now.tv_sec * 1000000000 + now.tv_nsec

include "path.pxi"
include "bounds.pxi"
include "search.pxi"
include "root.pxi"


cdef class EndgameKernel(EndgameRoot):
    """Solves one endgame at a time; owns its memory, so one thread may use it at a time."""

    def __init__(self, Tables tables not None, Generator generator not None, int table_megabytes):
        """Take the tables of a lexicon, a generator that nobody else uses, and the size of the transposition
        table.
        """
        cdef uint64_t entries = BUCKET
        self.tables = tables
        self.generator = generator
        self.board = BoardKernel.__new__(BoardKernel)
        self.board.tables = tables
        while 2 * entries * sizeof(TableEntry) <= (<uint64_t> table_megabytes << 20):
            entries *= 2
        self.table_capacity = entries
        self.table_mask = entries - 1
        self.table_used = 0
        self.table = <TableEntry *> calloc(entries, sizeof(TableEntry))
        self.nodes = <Node *> calloc(MAX_PLY + 2, sizeof(Node))
        self.saved_lines = <Line *> malloc(MAX_PLAYS * 2 * SIDE * sizeof(Line))
        self.candidate_capacity = self.list_capacity = FIRST_CANDIDATES
        self.candidates = <Candidate *> malloc(self.candidate_capacity * sizeof(Candidate))
        self.listed = <uint32_t *> malloc(self.list_capacity * sizeof(uint32_t))
        self.order = <int32_t *> malloc(self.list_capacity * sizeof(int32_t))
        self.root_moves = self.spare_moves = NULL
        self.saved_line_numbers = <uint8_t *> malloc(MAX_PLAYS * 2 * SIDE)
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
              int bingo_tiles, int pass_limit, int zero_limit, int passes, int zero_turns,
              int64_t deadline=0, uint64_t most_nodes=0, int most_weighed=0):
        """Load a position, bound its value, and order the moves of the root; racks are ascending tile codes.

        The game ends after `pass_limit` passes in a row (0: no such rule; `passes` came before) or `zero_limit`
        turns without points (`zero_turns` came before). At most `most_weighed` moves (0: all), those with the most
        points first, get an estimate of their value, until `deadline` (monotonic clock, nanoseconds; 0: none).
        Each estimate counts as a node, and all of them as the search to depth 1. The part of the table that is
        used has room for `most_nodes` nodes (0: the number is not known), so that small searches stay in the
        processor's caches. Raises ValueError for a rack that is too long, MemoryError.
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
        root.zero_turns = <uint8_t> zero_turns
        self.bingo_bonus = bingo_bonus
        self.bingo_tiles = bingo_tiles
        self.pass_limit = pass_limit
        self.zero_limit = zero_limit
        self.counts_passes = pass_limit > 0
        self.began_empty = board.board.tile_count == 0
        self.tile_count = root.tiles[0] + root.tiles[1]
        self.solve += 1
        if self.solve > MAX_SOLVES:
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

    cdef uint64_t entries_for(self, uint64_t nodes) noexcept nogil:
        """Return how many entries of the table a search of so many nodes uses; for 0 all of them."""
        cdef uint64_t entries = MIN_ENTRIES
        if nodes == 0 or nodes > self.table_capacity // ENTRIES_PER_NODE:
            return self.table_capacity
        while entries < ENTRIES_PER_NODE * nodes:
            entries *= 2
        return min(entries, self.table_capacity)

    def limit(self, uint64_t nodes, int64_t deadline):
        """Set how many nodes may be searched since `start`, and when to stop (monotonic clock, nanoseconds; 0:
        never).
        """
        self.node_limit = nodes
        self.deadline = deadline
        self.stopped = nodes <= self.node_count

    def deepen(self, int depth):
        """Search to a depth in plies; returns (finished, complete).

        `complete`: the value is proven. `finished` is false if the limits came first; the moves searched until
        then count.
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
        """Try to prove that the value is at most `goal` (granted: 0), or at least `goal` (granted: 1).

        Beyond `depth` plies the granted side (0: on turn, 1: the other) gets all that it could score alone, which
        makes the answer a bound.  It is stored in `upper` or `lower`.  Returns whether the limits sufficed.
        """
        cdef bint complete = False
        cdef int i, alpha = goal - granted
        self.granted = granted
        if granted == 0:  # the highest bound first: each one that is lowered counts
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

    def probe(self, int value):
        """Search to the end of the game whether the value is at least `value`; `lower` or `upper` stores the
        answer.

        Returns whether the limits sufficed.
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
        """Return a move of a node that reaches a value, trying the most promising first; `stopped` if there is
        none.
        """
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
        """Set a proven value: the best move becomes one that reaches it."""
        if self.lower == value and self.best_move != self.proven_move:
            self.best_move = self.proven_move
            self.best_since = self.proven_since
        self.value = value

    def line(self, bint complete):
        """Return the principal variation as far as the limits and earlier searches allow, as records like `best`.

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
    def state(self):
        """Value and depth of the last completed search, lower and upper bound, nodes, table entries filled and
        available, and the clock in nanoseconds when the best move was first found."""
        return (self.value, self.depth, self.lower, self.upper, self.node_count, self.tables_filled,
                self.table_mask + 1, self.best_since)
