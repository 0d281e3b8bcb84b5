"""The kernel of the endgame solver.

Read endgame.h (the data) first, then the chapters of this file in their order:

1. Position     load an endgame: board, racks, rules, and its part of the transposition table
2. Path         the board and both sides' plays along a line of moves
3. Bounds       estimates and bounds of nodes and moves without a search (ceiling.h: what one side scores alone)
4. Search       alpha-beta below the root, with a transposition table and null windows
5. Root         the moves of the root, their order and bounds, and one search of all of them
6. Questions    what Python asks: deeper estimates, bounds, the best line

Values are changes of the spread from a node to the end of the game, for the side on turn there. The build compiles
this file for both geometries (geometry.h).
"""
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.movegen.internal_words_kernel cimport Generator

from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from engine.lexicon.tables cimport LETTER_CAPACITY, RACK_CAPACITY, SIDE
from engine.loaded_board.loaded_board cimport Line, LoadedBoardStruct
from engine.movegen.plays cimport PlaySink
from engine.rules.game_rules cimport GameRules, RulesKernel
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


cdef struct RootMove:
    # A move of the root.
    uint32_t move      # number of a candidate, or PASS
    int value          # by its last search: the value or a bound
    int upper          # proven upper bound on its value
    uint64_t nodes     # nodes of its last search


cdef struct Visit:
    # The search of a node.
    Node *node
    int ply, depth              # plies from the root, and to the horizon
    int alpha, beta             # the window; alpha rises with the best move
    int first_alpha             # the window's lower end at first
    int best                    # value of the best move so far, or the highest bound of those left out
    bint complete_best          # it is proven
    bint complete_all           # so are the values of all moves searched
    bint goes_out               # some play goes out
    uint64_t key                # of the node in the table
    uint64_t relaxed_key        # of its unproven values while a side is `granted`
    uint32_t table_mark         # mark of the best move of an earlier search, or NO_MARK
    uint32_t best_mark          # mark of the best move so far, or NO_MARK
    uint32_t end                # in `listed`: where the plays to search end
    uint32_t replies[MAX_REPLIES]  # plays with which the other side may go out: numbers, since the arena may move
    int reply_count
    const int32_t *gains        # `most`, or NULL before `find_gains`
    int32_t most[RACK_CAPACITY + 1]


cdef class EndgameKernel:
    """Solves one endgame at a time; owns its memory, so one thread may use it at a time."""

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
    cdef GameRules rules                 # of the game
    cdef int pass_limit                  # passes in a row that end the game; 0: no such rule
    cdef int zero_limit                  # turns without points in a row that end the game
    cdef int counts_passes               # 1 if there is a pass limit
    cdef bint began_empty                # the board of the root has no tiles
    cdef int tile_count                  # tiles of both racks at the root
    cdef Ceiling ceiling                 # scratch of `find_ceiling`
    cdef bint has_avx2                   # the vector path of the generator is AVX2 or better
    cdef TableEntry *table               # the transposition table
    cdef uint64_t table_capacity         # entries allocated, a power of two
    cdef uint64_t table_mask             # entries that this solve uses, minus 1
    cdef uint64_t table_used             # the largest table_mask since the table was cleared: the rest is empty
    cdef readonly uint64_t tables_filled  # entries written by this solve
    cdef int solve                       # number of this solve, 1 to MAX_SOLVES
    cdef int32_t history[2][HISTORY]     # by side and low bits of the mark: how often a move caused a cut
    cdef uint32_t killers[MAX_PLY + 2][2]  # by ply: marks of the last two moves that caused a cut
    cdef readonly uint64_t node_count    # nodes searched
    cdef uint64_t node_limit             # at which number of them to stop
    cdef int64_t deadline                # monotonic clock in nanoseconds at which to stop; 0: none
    cdef int granted                     # side that gets all it could score alone beyond the horizon, or NOBODY
    cdef bint stopped                    # a limit was reached: values being searched are meaningless
    cdef RootMove *root_moves            # the best first
    cdef RootMove *spare_moves           # of the same length, for sorting
    cdef int root_move_count             # length of both
    cdef uint32_t best_move              # candidate number, or PASS
    cdef readonly int64_t best_since     # clock in nanoseconds when it became the best
    cdef uint32_t proven_move            # a move that reaches `lower`
    cdef int64_t proven_since            # clock when it was found
    cdef readonly int value, depth       # of the last completed search; depth in plies
    cdef readonly int lower, upper       # proven bounds on the value of the position

    # ------------------------------------------------------------------------------------------------- 1. position

    def __init__(self, Generator generator not None, int table_megabytes):
        """Take a generator that nobody else uses, and the size of the transposition table."""
        cdef uint64_t entries = BUCKET
        self.tables = generator.tables
        self.generator = generator
        self.has_avx2 = generator.simd != "plain"
        self.board = BoardKernel.__new__(BoardKernel)
        self.board.tables = generator.tables
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

    def start(self, BoardKernel board not None, bytes racks0 not None, bytes racks1 not None,
              RulesKernel rules not None, ending not None, int64_t deadline=0, uint64_t most_nodes=0,
              int most_weighed=0):
        """Load a position, bound its value, and order the moves of the root; racks are ascending tile codes.

        `ending`: an Ending (problem.py). At most `most_weighed` moves (0: all), those with the most
        points first, get an estimate of their value, until `deadline` (monotonic clock, nanoseconds; 0: none).
        Each estimate counts as a node, and all of them as the search to depth 1. The part of the table that is
        used has room for `most_nodes` nodes (0: the number is not known), so that small searches stay in the
        processor's caches. Raises ValueError for a rack that is too long, MemoryError.
        """
        cdef Node *root = &self.nodes[0]
        cdef int side
        cdef uint32_t i
        if board.tables is not self.tables:
            raise ValueError("the board was loaded with another lexicon")
        self.forget_all(most_nodes)
        memcpy(&self.board.board, &board.board, sizeof(LoadedBoardStruct))
        self.take_racks(racks0, racks1)
        root.passes = ending.passes
        root.zero_turns = ending.zeros
        self.rules = rules.numbers
        self.pass_limit = ending.pass_limit
        self.zero_limit = ending.zero_limit
        self.counts_passes = self.pass_limit > 0
        self.began_empty = board.board.tile_count == 0
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

    cdef void forget_all(self, uint64_t most_nodes) noexcept nogil:
        """Forget the endgame before; begin a solve of `most_nodes` nodes, 0 if their number is not known."""
        memset(self.nodes, 0, (MAX_PLY + 2) * sizeof(Node))
        memset(self.history, 0, sizeof(self.history))
        memset(self.killers, 0, sizeof(self.killers))
        memset(self.fresh_ends, 0, sizeof(self.fresh_ends))
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

    cdef int take_racks(self, bytes racks0, bytes racks1) except -1:
        """Pack the racks into the root; raise ValueError for one that is too long."""
        cdef Node *root = &self.nodes[0]
        cdef const int16_t *values = self.board.board.values
        cdef int side, place, code, k
        for side, rack in enumerate((racks0, racks1)):
            if len(rack) > RACK_CAPACITY or (rack and max(rack) > self.board.board.letter_count):
                raise ValueError("a rack holds at most 7 tiles of the tile set")
            self.distinct[side] = 0
            for code in sorted(set(rack)):
                place = self.distinct[side]
                self.codes[side][place] = <uint8_t> code
                self.places[side][code] = <uint8_t> place
                self.distinct[side] += 1
                k = rack.count(code)
                root.racks[side] += <uint32_t> k << 4 * place
                root.values[side] += k * (values[code - 1] if code else 0)
            root.tiles[side] = <uint8_t> len(rack)
        self.tile_count = root.tiles[0] + root.tiles[1]
        return 0

    cdef uint64_t entries_for(self, uint64_t nodes) noexcept nogil:
        """Return how many entries of the table a search of `nodes` nodes uses; for 0 all of them."""
        cdef uint64_t entries = MIN_ENTRIES
        if nodes == 0 or nodes > self.table_capacity // ENTRIES_PER_NODE:
            return self.table_capacity
        while entries < ENTRIES_PER_NODE * nodes:
            entries *= 2
        return min(entries, self.table_capacity)

    # ----------------------------------------------------------------------------------------------------- 2. path

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
        cdef int count = 0, place
        cdef const PlaySink *sink
        cdef uint64_t i
        for place in range(self.distinct[side]):
            for _ in range((rack >> 4 * place) & 7):
                tiles[count] = self.codes[side][place]
                count += 1
        self.generator.hold(&self.board.board, tiles, count, &self.rules)
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

    # --------------------------------------------------------------------------------------------------- 3. bounds

    cdef int estimate(self, int ply) noexcept nogil:
        """Return an estimate of the value of a node: both sides play greedily the plays listed for their last
        turns.
        """
        cdef Node *node = &self.nodes[ply]
        cdef int turn = node.side, gained = 0, sign = 1, passes = 0, k
        cdef uint32_t first[2]
        cdef uint32_t count[2]
        cdef Node here = node[0]  # racks, their values and numbers of tiles, as the plays use them up
        cdef SquareSet filled
        cdef uint32_t chosen
        cdef const Candidate *c
        if not self.copy_possible(ply, &filled, first, count):
            return 0
        while passes < 2:
            chosen = self.greedy_play(&here, turn, first[turn], count[turn], &filled)
            passes += 1
            if chosen != PASS:
                passes = 0
                c = &self.candidates[chosen]
                gained += sign * c.score
                if c.placed == here.tiles[turn]:
                    return gained + sign * 2 * here.values[1 - turn]
                for k in range(c.placed):
                    add_square(&filled, c.cells[k])
                here.racks[turn] -= c.need
                here.values[turn] -= c.tile_points
                here.tiles[turn] -= c.placed
            turn = 1 - turn
            sign = -sign
        return gained + here.values[1 - node.side] - here.values[node.side]

    cdef bint copy_possible(self, int ply, SquareSet *filled, uint32_t *first, uint32_t *count) noexcept nogil:
        """Copy the plays of both sides' last turns that are still possible to the top of the stack; by side.

        `filled` becomes the squares filled since.  False if there is no memory.
        """
        cdef Node *node = &self.nodes[ply]
        cdef int side
        cdef uint32_t top, i, found
        cdef const Candidate *c
        self.base_list(ply, &first[node.side], &count[node.side])
        first[1 - node.side] = self.nodes[ply - 1].first
        count[1 - node.side] = self.nodes[ply - 1].count
        filled[0] = self.nodes[ply - 1].laid
        if ply >= 2:
            unite(filled, &self.nodes[ply - 2].laid)
        if not self.reserve(count[0] + count[1]):
            return False
        top = <uint32_t> self.list_count
        for side in range(2):
            found = 0
            for i in range(count[side]):
                c = &self.candidates[self.listed[first[side] + i]]
                if holds(node.racks[side], c.need) and not meet(&c.sensitive, filled):
                    self.listed[top + found] = self.listed[first[side] + i]
                    found += 1
            first[side] = top
            count[side] = found
            top += found
        return True

    cdef inline uint32_t greedy_play(self, const Node *here, int turn, uint32_t first, uint32_t count,
                                     const SquareSet *filled) noexcept nogil:
        """Return the listed play of a side that gains most at once, PASS if none is possible."""
        cdef uint32_t i, number, chosen = PASS
        cdef int best = -1, merit
        cdef const Candidate *c
        for i in range(count):
            number = self.listed[first + i]
            c = &self.candidates[number]
            if not holds(here.racks[turn], c.need):
                continue
            merit = c.score + (2 * here.values[1 - turn] if c.placed == here.tiles[turn] else c.tile_points)
            if merit > best and not meet(&c.sensitive, filled):
                best = merit
                chosen = number
        return chosen

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
        cdef int count = 0, place, code, value, i
        self.show(ply)
        for place in range(self.distinct[side]):
            code = self.codes[side][place]
            value = self.board.board.values[code - 1] if code else 0
            for _ in range((rack >> 4 * place) & 7):
                i = count
                while i > 0 and values[i - 1] < value:
                    values[i] = values[i - 1]
                    i -= 1
                values[i] = value
                count += 1
        find_ceiling(&self.ceiling, &self.board.board, values, count, self.rules.bingo_bonus,
                     self.rules.bingo_tiles, self.has_avx2, most)

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

    cdef uint32_t drop_hopeless(self, Visit *v, uint32_t at, uint32_t end, int alpha) noexcept nogil:
        """Move plays that go out, or whose bound does not exceed alpha, to the end; return where they begin.

        The best value becomes at least the highest bound of the latter.
        """
        cdef Node *node = v.node
        cdef const Candidate *c
        cdef uint32_t number
        cdef int32_t key
        cdef int bound
        while at < end:
            number = self.listed[at]
            c = &self.candidates[number]
            if c.placed != node.tiles[node.side]:
                bound = self.bound_of(node, c, v.replies, v.reply_count, v.gains)
                if bound > alpha:
                    at += 1
                    continue
                v.best = max(v.best, bound)
            end -= 1
            self.listed[at] = self.listed[end]
            self.listed[end] = number
            key = self.order[at]
            self.order[at] = self.order[end]
            self.order[end] = key
        return end

    # --------------------------------------------------------------------------------------------------- 4. search

    cdef int search(self, int ply, int depth, int alpha, int beta, bint *complete) noexcept nogil:
        """Return the value of a node if it lies between alpha and beta, else a bound beyond alpha or beta.

        `complete` becomes true if the returned value or bound is proven.  While a side is `granted` all that it
        could score alone, only upper bounds for that side and lower bounds for the other can be proven.  The
        result is meaningless once `stopped`.
        """
        cdef Visit v
        cdef int value = 0
        complete[0] = False
        self.count_node()
        if self.stopped:
            return 0
        v.node = &self.nodes[ply]
        v.ply = ply
        v.depth = depth
        v.alpha = v.first_alpha = alpha
        v.beta = beta
        v.best = -INFINITE
        v.table_mark = v.best_mark = NO_MARK
        v.complete_best = v.goes_out = False
        v.complete_all = True
        v.gains = NULL
        if self.is_known(&v, &value, complete):
            return value
        if self.granted == NOBODY and (depth <= 0 or ply >= MAX_PLY):
            return self.estimate(ply)
        if ply >= MAX_PLY:
            return INFINITE // 4 if v.node.side == self.granted else -INFINITE // 4
        if not self.list_plays(ply):
            self.forget(ply)
            return 0
        if not self.is_settled(&v, complete):
            self.search_moves(&v)
            if not self.stopped:
                self.store(&v, complete)
        self.forget(ply)
        return 0 if self.stopped else v.best

    cdef bint is_known(self, Visit *v, int *value, bint *complete) noexcept nogil:
        """Look a node up in the table; true if the value there is enough."""
        cdef bint relaxed = self.granted != NOBODY
        cdef TableEntry *entry
        cdef int kind
        v.key = table_key(v.node)
        entry = find_entry(self.table, self.table_mask, v.key, self.solve)
        if entry != NULL:
            v.table_mark = entry.mark
            if entry.depth >= (COMPLETE if relaxed else v.depth):
                kind = entry.kind & 3
                if (kind == EXACT or (kind == LOWER_BOUND and entry.value >= v.beta)
                        or (kind == UPPER_BOUND and entry.value <= v.alpha)):
                    complete[0] = entry.depth == COMPLETE
                    value[0] = entry.value
                    return True
        if not relaxed:
            return False
        v.relaxed_key = mixed(v.key + <uint64_t> self.granted + 1)
        entry = find_entry(self.table, self.table_mask, v.relaxed_key, self.solve)
        if entry == NULL:
            return False
        if entry.mark != NO_MARK:
            v.table_mark = entry.mark
        value[0] = entry.value
        return entry.depth >= v.depth and (
            entry.value >= v.beta if v.node.side == self.granted else entry.value <= v.alpha)

    cdef bint is_settled(self, Visit *v, bint *complete) noexcept nogil:
        """Find the plays that go out, and leave out those that cannot exceed alpha; true if no search is needed.

        Beyond the horizon the granted side gets all that it could score alone.
        """
        cdef Node *node = v.node
        cdef bint is_granted = node.side == self.granted
        if self.go_out(v):
            # With one tile nothing is better than going out: it ends the game, and waiting gains nothing.
            if node.tiles[node.side] == 1 or v.best >= v.beta:
                complete[0] = True
                self.write(v.key, v.best, COMPLETE, EXACT if node.tiles[node.side] == 1 else LOWER_BOUND,
                           v.best_mark)
                return True
            v.alpha = max(v.alpha, v.best)
        v.reply_count = self.best_replies(v.ply, v.replies)
        v.end = self.drop_hopeless(v, node.first, node.first + node.count, v.alpha)
        if node.count == 0:
            v.gains = v.most  # without plays it is never read
        elif is_granted and (v.end > node.first
                             or self.pass_bound(node, v.replies, v.reply_count, NULL) > v.alpha):
            self.find_gains(v.ply, node.side, v.most)
            v.gains = v.most
            # At the horizon the bounds are the answer.
            v.end = self.drop_hopeless(v, node.first, v.end, INFINITE if v.depth <= 0 else v.alpha)
        if not is_granted or v.depth > 0:
            return False
        v.best = max(v.best, self.pass_bound(node, v.replies, v.reply_count, v.gains))
        complete[0] = v.best < v.beta
        if complete[0]:
            self.write(v.key, v.best, COMPLETE, UPPER_BOUND, NO_MARK)
        return True

    cdef inline bint go_out(self, Visit *v) noexcept nogil:
        """Take the best of the plays that go out; false if there are none."""
        cdef Node *node = v.node
        cdef const Candidate *c
        cdef uint32_t at
        cdef int out = -1
        for at in range(node.first, node.first + node.count):
            c = &self.candidates[self.listed[at]]
            if c.placed == node.tiles[node.side] and c.score > out:
                out = c.score
                v.best_mark = c.mark
        if out < 0:
            return False
        v.best = out + 2 * node.values[1 - node.side]
        v.goes_out = v.complete_best = True
        return True

    cdef void search_moves(self, Visit *v) noexcept nogil:
        """Search the plays of a node and the pass, the most promising first, until one reaches beta."""
        cdef Node *node = v.node
        cdef uint32_t at = node.first, number
        cdef int bound, value, tried = 0, searched = 0
        cdef bint passed = False, complete_child = False
        self.rank(node, v.end, v.ply, v.table_mark)
        while at < v.end or not passed:
            if at == v.end or (not passed and v.table_mark == PASS_MARK):
                passed = True
                number = PASS
                bound = self.pass_bound(node, v.replies, v.reply_count, v.gains)
            else:
                self.pick(at, v.end)
                number = self.listed[at]
                at += 1
                bound = self.bound_of(node, &self.candidates[number], v.replies, v.reply_count, v.gains)
            if bound <= v.alpha:
                v.best = max(v.best, bound)
                continue
            if number != PASS:
                tried += 1
                if tried > CEILING_AFTER and v.gains == NULL and v.alpha > -INFINITE:
                    self.find_gains(v.ply, node.side, v.most)
                    v.gains = v.most
                    at -= 1
                    v.end = self.drop_hopeless(v, at, v.end, v.alpha)
                    continue
            searched += 1
            value = self.move_value(v, number, searched == 1 and not v.goes_out, &complete_child)
            if self.stopped:
                return
            v.complete_all = v.complete_all and complete_child
            if value > v.best:
                v.best = value
                v.complete_best = complete_child
                v.best_mark = PASS_MARK if number == PASS else self.candidates[number].mark
                v.alpha = max(v.alpha, v.best)
                if v.best >= v.beta:
                    if number != PASS:
                        self.reward(node, v.ply, v.best_mark, v.depth)
                    return

    cdef inline int move_value(self, Visit *v, uint32_t number, bint is_first, bint *complete) noexcept nogil:
        """Return the value of a move: the first with the whole window, the others with a null window before."""
        cdef int value
        if number == PASS and v.node.count == 0:  # a forced pass costs no depth
            return self.child_value(v.ply, number, v.depth + 1, v.alpha, v.beta, complete)
        if is_first or v.beta - v.alpha == 1:
            return self.child_value(v.ply, number, v.depth, v.alpha, v.beta, complete)
        value = self.child_value(v.ply, number, v.depth, v.alpha, v.alpha + 1, complete)
        if v.alpha < value < v.beta and not self.stopped:
            value = self.child_value(v.ply, number, v.depth, v.alpha, v.beta, complete)
        return value

    cdef void store(self, Visit *v, bint *complete) noexcept nogil:
        """Write the value of a node that was searched into the table; `complete`: whether it is proven."""
        cdef int kind
        cdef bint relaxed = self.granted != NOBODY
        if not relaxed:
            complete[0] = v.complete_best if v.best >= v.beta else v.complete_all
            kind = LOWER_BOUND if v.best >= v.beta else EXACT if v.best > v.first_alpha else UPPER_BOUND
        elif v.node.side == self.granted:
            complete[0] = v.best < v.beta
            kind = UPPER_BOUND if complete[0] else LOWER_BOUND
        else:
            complete[0] = v.best > v.first_alpha
            kind = LOWER_BOUND if complete[0] else UPPER_BOUND
        self.write(v.key if complete[0] or not relaxed else v.relaxed_key, v.best,
                   COMPLETE if complete[0] else max(0, min(v.depth, COMPLETE - 1)), kind, v.best_mark)

    cdef inline void write(self, uint64_t key, int value, int depth, int kind, uint32_t mark) noexcept nogil:
        """Write a value into the table."""
        self.tables_filled += write_entry(self.table, self.table_mask, key, self.solve, value, depth, kind, mark)

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

    # ----------------------------------------------------------------------------------------------------- 5. root

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

    cdef void reset_lists(self) noexcept nogil:
        """Reset the stacks of candidates and lists to those of the root."""
        self.nodes[0].first = self.root_first[0]
        self.nodes[0].count = self.root_count[0]
        self.list_count = self.root_first[1] + self.root_count[1]
        self.candidate_count = self.nodes[0].arena = self.list_count

    # ------------------------------------------------------------------------------------------------ 6. questions

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

    cdef object move_record(self, uint32_t move):
        """Return (line, start, length, {cell: tile code}, score) of a play, None for a pass."""
        cdef const Candidate *c
        if move == PASS:
            return None
        c = &self.candidates[move]
        return c.line, c.start, c.length, {c.cells[i]: c.codes[i] for i in range(c.placed)}, c.score

    @property
    def best(self):
        """The best move so far: (line, start, length, {cell: tile code}, score), None for a pass."""
        return self.move_record(self.best_move)

    @property
    def table_entries(self):
        """Entries of the transposition table that this solve may use."""
        return self.table_mask + 1
