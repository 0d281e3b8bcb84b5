"""The kernel that loads a board and keeps it up to date after a play.

The build compiles it for both geometries (geometry.h); loaded_board.h describes the result.
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from engine.lexicon.tables_kernel cimport Tables

from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from engine.lexicon.tables cimport (
    GEOMETRY_CODE, LETTER_PLACEMENTS, NO_WORD, PLACED_LIMBS, RACK_CAPACITY, SIDE, InternalWord, LexiconTables,
    find_word, letter_mask, placed_lengths, placement_index, placement_rank,
)
from engine.loaded_board.loaded_board cimport (
    BOARD_FORMAT, BOARD_MAGIC, LINE_PADDING, NO_LETTER, RUN_CAPACITY, Line, LoadedBoardStruct, Run,
    count_before,
)

FORMAT = BOARD_FORMAT
SIDE_CAPACITY = SIDE

cdef letter_mask ALL_LETTERS = ~(<letter_mask> 0)

cdef extern from *:
    """
    #define lowest_bit(x) __builtin_ctz(x)
    #define highest_bit(x) (31 - __builtin_clz(x))
    """
    int lowest_bit(uint32_t x) nogil
    int highest_bit(uint32_t x) nogil


cdef inline int64_t nanoseconds() noexcept nogil:
    """Read the clock that only goes forward."""
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <int64_t> now.tv_sec * 1000000000 + now.tv_nsec


include "runs.pxi"


cdef void load_cross(LoadedBoardStruct *b, const LexiconTables *t, int line, int i) noexcept nogil:
    """Set the cross-check set and cross points of an empty square with a tile beside it, across the line."""
    cdef Line *x = &b.lines[line]
    cdef int side = b.side
    cdef const Line *across = &b.lines[side + i if line < side else i]
    cdef int place = line if line < side else line - side
    cdef const Run *after = &across.runs[across.runs_before[place]]
    cdef const Run *before = after - 1
    if not across.occupied >> (place + 1) & 1:
        x.admissible[i] = before.back_hooks
        x.cross_points[i] = <int16_t> (across.points_before[place] - across.points_before[before.first])
    elif place == 0 or not across.occupied >> (place - 1) & 1:
        x.admissible[i] = after.front_hooks
        x.cross_points[i] = <int16_t> (across.points_before[after.last + 1] - across.points_before[place])
    else:
        x.admissible[i] = letters_that_fit(t, across, before, after, place)
        x.cross_points[i] = <int16_t> (across.points_before[after.last + 1] - across.points_before[before.first])


cdef inline uint32_t reachable_ends(
        const LexiconTables *t, const Line *x, const Run *run, int start) noexcept nogil:
    """Return the squares at which an interval may end that begins at `start` and holds the run: some word has
    the run's internal word at that place."""
    cdef int at = run.key_first - start
    cdef uint32_t lengths
    if run.key_length == 1:
        lengths = t.letter_lengths[x.tiles[run.key_first] * SIDE + at]
    else:
        lengths = placed_lengths(run.placed, run.key_length, at)
    return (lengths >> 1) << start


cdef void load_intervals(Line *x, const LexiconTables *t, int side) noexcept nogil:
    """Find the intervals of a line that may hold a word, whatever the rack (systems.md G5, pruning)."""
    cdef uint32_t squares = (<uint32_t> 1 << side) - 1
    cdef uint32_t starts = ~(x.occupied << 1) & squares
    cdef uint32_t ends_of_words = ~(x.occupied >> 1) & squares
    cdef uint32_t ends, reachable
    cdef int start, stop, lowest, k, run
    x.openings = 0
    memset(x.ends, 0, sizeof(x.ends))
    while starts:
        start = lowest_bit(starts)
        starts &= starts - 1
        if not x.halo >> start:
            return
        stop = side
        k = x.empty_before[start] + RACK_CAPACITY
        if k < x.empty_before[side]:
            stop = x.empties[k]
        lowest = start + max(1, lowest_bit(x.halo >> start))
        if lowest >= stop:
            continue
        ends = ends_of_words & ((<uint32_t> 1 << stop) - 1) & ~((<uint32_t> 1 << lowest) - 1)
        run = x.runs_before[start]
        if run < x.run_count and x.runs[run].first == start:
            ends &= ~(<uint32_t> 1 << x.runs[run].last)  # a run alone has no empty square
        while run < x.run_count and ends >> x.runs[run].first:
            reachable = ((<uint32_t> 1 << x.runs[run].first) - 1) | reachable_ends(t, x, &x.runs[run], start)
            ends &= reachable
            run += 1
        if ends:
            x.openings |= <uint32_t> 1 << start
            x.ends[start] = ends


cdef void load_layout(Line *x, int side) noexcept nogil:
    """Set the sets of premium squares of a line from its factors."""
    cdef int i
    for i in range(side):
        x.doubles |= <uint32_t> (x.letter_factor[i] > 1) << i
        x.triples |= <uint32_t> (x.letter_factor[i] > 2) << i
        x.quadruples |= <uint32_t> (x.letter_factor[i] > 3) << i
        x.word_premiums |= <uint32_t> (x.word_factor[i] > 1) << i


cdef void load_tiles(LoadedBoardStruct *b, const LexiconTables *t, int line, uint32_t fresh) noexcept nogil:
    """Derive from a line's set of occupied squares all that does not depend on other lines.

    `fresh` are the tiles that are new since the line was last loaded: runs without one stay as they are.
    """
    cdef Line *x = &b.lines[line]
    cdef int side = b.side
    cdef int step = 1 if line < side else side
    cdef const uint8_t *squares = b.squares + (line * side if line < side else line - side)
    cdef uint32_t occupied = x.occupied, firsts = occupied & ~(occupied << 1)
    cdef int i, letter, points = 0, run_count = 0, empties = 0, last, old = 0
    cdef uint64_t key = 0
    cdef Run runs[RUN_CAPACITY]
    for i in range(side):
        x.tiles[i] = NO_LETTER
        x.own_factor[i] = x.letter_factor[i]
        x.key_before[i] = key
        x.points_before[i] = points
        if occupied >> i & 1:
            letter = (squares[i * step] & 0x7F) - 1
            x.tiles[i] = <uint8_t> letter
            x.admissible[i] = <letter_mask> 1 << letter
            x.cross_points[i] = -1
            x.own_factor[i] = 0
            key += t.letter_keys[letter]
            if not squares[i * step] & 0x80:
                points += b.values[letter]
        else:
            x.empties[empties] = <uint8_t> i
            empties += 1
    x.key_before[side] = key
    x.points_before[side] = points
    for i in range(empties, side):
        x.empties[i] = 0
    count_before(~occupied & ((<uint32_t> 1 << side) - 1), x.empty_before)
    count_before(x.doubles & ~occupied, x.doubled_before)
    count_before(x.triples & ~occupied, x.tripled_before)
    count_before(x.quadruples & ~occupied, x.quadrupled_before)
    count_before(firsts, x.runs_before)
    x.premium = x.word_premiums & ~occupied
    while firsts:
        i = lowest_bit(firsts)
        firsts &= firsts - 1
        last = i + lowest_bit(~(occupied >> i)) - 1
        if fresh & ((<uint32_t> 2 << last) - (<uint32_t> 1 << i)):
            load_run(x, t, &runs[run_count], i, last, side)
        else:
            while x.runs[old].first != i:
                old += 1
            runs[run_count] = x.runs[old]
        run_count += 1
    memcpy(x.runs, runs, run_count * sizeof(Run))
    if run_count < x.run_count:  # equal boards have equal bytes, however they came about
        memset(&x.runs[run_count], 0, (x.run_count - run_count) * sizeof(Run))
    x.run_count = run_count


cdef void load_halo(LoadedBoardStruct *b, const LexiconTables *t, int line) noexcept nogil:
    """Derive all that depends on the words across a line, once they are known, and its intervals."""
    cdef Line *x = &b.lines[line]
    cdef int i, points = 0, side = b.side
    cdef uint32_t crossed = x.crossed
    x.halo = x.occupied | crossed
    if b.tile_count == 0 and (line < side or b.both_ways):
        x.halo = x.starts
    memset(x.across_factor, 0, side * sizeof(int16_t))
    for i in range(side):
        x.across_before[i] = points
        if crossed >> i & 1:
            x.across_factor[i] = <int16_t> (x.letter_factor[i] * x.word_factor[i])
            points += x.cross_points[i] * x.word_factor[i]
    x.across_before[side] = points
    load_intervals(x, t, side)


cdef inline void find_crossed(LoadedBoardStruct *b, int line) noexcept nogil:
    """Find the empty squares of a line with a tile beside them across it."""
    cdef int place = line if line < b.side else line - b.side
    cdef uint32_t beside = 0
    if place > 0:
        beside = b.lines[line - 1].occupied
    if place < b.side - 1:
        beside |= b.lines[line + 1].occupied
    b.lines[line].crossed = beside & ~b.lines[line].occupied


cdef inline uint32_t ends_of_run(uint32_t occupied, int i, int side) noexcept nogil:
    """Return the empty squares just before and just after the run that holds square i."""
    cdef uint32_t empty = ~occupied & ((<uint32_t> 1 << side) - 1)
    cdef uint32_t before = empty & ((<uint32_t> 1 << i) - 1)
    cdef uint32_t after = empty >> i << i
    return (<uint32_t> 1 << highest_bit(before) if before else 0) | (after & -after)


cdef class BoardKernel:
    """A loaded board of one geometry, tied to the tables it was loaded with."""

    def __init__(self, Tables tables not None, int side, bytes squares not None, values,
                 letter_factors, word_factors, starts, bint both_ways):
        """Load a board from scratch.

        `squares` holds side x side tile codes; `values` the points by tile code; the factors are (side, side)
        arrays; `starts` (row, column) pairs.  The caller has checked all of them.
        """
        cdef LoadedBoardStruct *b = &self.board
        cdef const LexiconTables *t = &tables.view
        cdef const uint8_t[:, ::1] letter_view = letter_factors
        cdef const uint8_t[:, ::1] word_view = word_factors
        cdef int i, line, row, column
        if not 0 < side <= SIDE or len(squares) != side * side:
            raise ValueError("the board does not fit this kernel")
        self.tables = tables
        b.magic = BOARD_MAGIC
        b.format = BOARD_FORMAT
        b.geometry = GEOMETRY_CODE
        b.bytes = sizeof(LoadedBoardStruct)
        b.side = side
        b.letter_count = t.letter_count
        b.both_ways = both_ways
        memcpy(b.squares, <const uint8_t *> squares, side * side)
        for i in range(t.letter_count):
            b.values[i] = values[i + 1]
        for row, column in starts:
            b.lines[row].starts |= <uint32_t> 1 << column
            b.lines[side + column].starts |= <uint32_t> 1 << row
        # Tens of microseconds: to let another thread in between costs more, as it has to be let out again.
        for line in range(side):
            for i in range(side):
                b.lines[line].letter_factor[i] = letter_view[line, i]
                b.lines[line].word_factor[i] = word_view[line, i]
                b.lines[side + i].letter_factor[line] = letter_view[line, i]
                b.lines[side + i].word_factor[line] = word_view[line, i]
        for line in range(2 * side):
            load_layout(&b.lines[line], side)
        self._load()

    cdef void _load(self) noexcept nogil:
        """Derive everything from the squares, the layout and the lexicon."""
        cdef LoadedBoardStruct *b = &self.board
        cdef const LexiconTables *t = &self.tables.view
        cdef int i, line, side = b.side
        cdef uint32_t rest
        cdef Line *x
        b.tile_count = 0
        for line in range(2 * side):
            b.lines[line].occupied = 0
        for line in range(side):
            for i in range(side):
                if b.squares[line * side + i]:
                    b.tile_count += 1
                    b.lines[line].occupied |= <uint32_t> 1 << i
                    b.lines[side + i].occupied |= <uint32_t> 1 << line
        for line in range(2 * side):
            x = &b.lines[line]
            for i in range(LINE_PADDING):
                x.admissible[i] = ALL_LETTERS
            for i in range(side):
                x.cross_points[i] = -1
            load_tiles(b, t, line, x.occupied)
            find_crossed(b, line)
        for line in range(2 * side):
            rest = b.lines[line].crossed
            while rest:
                load_cross(b, t, line, lowest_bit(rest))
                rest &= rest - 1
            load_halo(b, t, line)

    cdef int _take(self, placed, int *cells, uint8_t *codes) except -1:
        """Check (square index, tile code) pairs and take them apart; return their number."""
        cdef int n = 0
        for square, code in placed:
            if n == SIDE or not 0 <= square < self.board.side * self.board.side or self.board.squares[square]:
                raise ValueError("tiles go on empty squares")
            cells[n] = square
            codes[n] = code
            n += 1
        return n

    def after(self, placed):
        """Return the board after tiles are placed: (square index, tile code) pairs on empty squares."""
        cdef BoardKernel copy = BoardKernel.__new__(BoardKernel)
        cdef int cells[SIDE]
        cdef uint8_t codes[SIDE]
        cdef int n = self._take(placed, cells, codes)
        copy.tables = self.tables
        with nogil:
            memcpy(&copy.board, &self.board, sizeof(LoadedBoardStruct))
            copy._place(cells, codes, n)
        return copy

    cdef uint64_t _place(self, const int *cells, const uint8_t *codes, int n) noexcept nogil:
        """Put tiles on empty squares and renew what they change: their lines, and the squares at the ends of
        the runs that they now belong to; returns the lines renewed (bit set)."""
        cdef LoadedBoardStruct *b = &self.board
        cdef const LexiconTables *t = &self.tables.view
        cdef int side = b.side, i, row, column, line
        cdef uint32_t all_lines = (<uint32_t> 1 << side) - 1, ends
        cdef uint32_t fresh[2 * SIDE]      # by line: the new tiles
        cdef uint32_t crosses[2 * SIDE]    # by line: squares whose perpendicular run has changed
        cdef uint32_t rows = 0, columns = 0  # lines to renew
        memset(fresh, 0, sizeof(fresh))
        memset(crosses, 0, sizeof(crosses))
        if b.tile_count == 0:  # the halo of an empty board is its start squares
            rows = columns = all_lines
        b.tile_count += n
        for i in range(n):
            b.squares[cells[i]] = codes[i]
            row = cells[i] // side
            column = cells[i] % side
            fresh[row] |= <uint32_t> 1 << column
            fresh[side + column] |= <uint32_t> 1 << row
            b.lines[row].occupied |= <uint32_t> 1 << column
            b.lines[side + column].occupied |= <uint32_t> 1 << row
        for i in range(n):
            row = cells[i] // side
            column = cells[i] % side
            rows |= <uint32_t> 1 << row
            columns |= <uint32_t> 1 << column
            ends = ends_of_run(b.lines[side + column].occupied, row, side)
            rows |= ends
            while ends:
                crosses[lowest_bit(ends)] |= <uint32_t> 1 << column
                ends &= ends - 1
            ends = ends_of_run(b.lines[row].occupied, column, side)
            columns |= ends
            while ends:
                crosses[side + lowest_bit(ends)] |= <uint32_t> 1 << row
                ends &= ends - 1
        for line in range(2 * side):
            if fresh[line]:
                load_tiles(b, t, line, fresh[line])
        for line in range(2 * side):
            if not (rows >> line & 1 if line < side else columns >> (line - side) & 1):
                continue
            find_crossed(b, line)
            while crosses[line]:
                load_cross(b, t, line, lowest_bit(crosses[line]))
                crosses[line] &= crosses[line] - 1
            load_halo(b, t, line)
        return rows | <uint64_t> columns << side

    def timing(self, placed, str way not None):
        """Return nanoseconds of one "load" of this board from scratch, of one "update" in place after the tiles
        `placed`, or of "copy_and_update".

        The clock is read around the kernel's own work: no Python runs between.  Raises ValueError for another
        way.
        """
        cdef BoardKernel scratch = BoardKernel.__new__(BoardKernel)
        cdef int cells[SIDE]
        cdef uint8_t codes[SIDE]
        cdef int n = self._take(placed, cells, codes)
        cdef bint load = way == "load", copy = way == "copy_and_update"
        cdef int64_t begin
        if not load and not copy and way != "update":
            raise ValueError(way)
        scratch.tables = self.tables
        with nogil:
            memcpy(&scratch.board, &self.board, sizeof(LoadedBoardStruct))
            begin = nanoseconds()
            if load:
                scratch._load()
            else:
                if copy:
                    memcpy(&scratch.board, &self.board, sizeof(LoadedBoardStruct))
                scratch._place(cells, codes, n)
            begin = nanoseconds() - begin
        return begin

    @property
    def squares(self):
        """The tile codes, row-major, side x side bytes."""
        return self.board.squares[:self.board.side * self.board.side]

    @property
    def side(self):
        """Squares of a line."""
        return self.board.side

    def admissible(self, int line, int i):
        """Return the cross-check set of square i for words along a line, as a bit set of letter indices."""
        if not (0 <= line < 2 * self.board.side and 0 <= i < self.board.side):
            raise IndexError((line, i))
        return self.board.lines[line].admissible[i]

    def phonies(self):
        """Return (line, first square, letters) of every run of two or more tiles that is no word."""
        cdef LoadedBoardStruct *b = &self.board
        cdef Run *run
        cdef int line, r, n
        found = []
        for line in range(2 * b.side):
            for r in range(b.lines[line].run_count):
                run = &b.lines[line].runs[r]
                n = run.last - run.first + 1
                if n > 1 and find_word(&self.tables.view, b.lines[line].tiles + run.first, n) == NO_WORD:
                    found.append((line, run.first, bytes(b.lines[line].tiles[run.first:run.last + 1])))
        return found

    def to_bytes(self, bytes key not None):
        """Return the board as bytes, marked with the 32-byte key of everything it depends on."""
        if len(key) != 32:
            raise ValueError("a key has 32 bytes")
        memcpy(self.board.key, <const uint8_t *> key, 32)
        cdef Py_ssize_t unused = (2 * SIDE - 2 * self.board.side) * sizeof(Line)
        return PyBytes_FromStringAndSize(<const char *> &self.board, sizeof(LoadedBoardStruct) - unused)

    @staticmethod
    def from_bytes(bytes data not None, bytes key not None, Tables tables not None):
        """Return the board that `to_bytes` wrote, or None if the bytes are of another format, size or key."""
        cdef BoardKernel kernel = BoardKernel.__new__(BoardKernel)
        cdef LoadedBoardStruct *b = &kernel.board
        cdef Py_ssize_t head = sizeof(LoadedBoardStruct) - 2 * SIDE * sizeof(Line)
        if len(data) < head or len(data) > <Py_ssize_t> sizeof(LoadedBoardStruct):
            return None
        memcpy(b, <const uint8_t *> data, len(data))
        if (b.magic != BOARD_MAGIC or b.format != BOARD_FORMAT or b.geometry != GEOMETRY_CODE
                or b.bytes != sizeof(LoadedBoardStruct) or not 0 < b.side <= SIDE
                or len(data) != head + 2 * b.side * <Py_ssize_t> sizeof(Line)
                or b.letter_count != tables.view.letter_count or bytes(b.key[:32]) != key):
            return None
        kernel.tables = tables
        return kernel
