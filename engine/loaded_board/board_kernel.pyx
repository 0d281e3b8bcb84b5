"""Loads a board, and updates it after a play; loaded_board.h describes the result.

Loading goes through three steps for every line: the tiles (`load_tiles`), then the runs of tiles and their
internal words (`load_runs`), then the cross-check sets (`load_cross`), halo and intervals (`load_halo`). Runs
are in runs.pxi, the rest in lines.pxi, the form for caches in stored.pxi. The build compiles this file twice,
for two sizes of alphabet and board (geometry.h).
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from engine.lexicon.tables cimport (
    LETTER_CAPACITY, LETTER_PLACEMENTS, NO_WORD, RACK_CAPACITY, SIDE, LexiconTables, find_keyed_word, find_word,
    internal_index, letter_mask, list_placed, may_have_anagrams, placed_lengths,
)
from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.loaded_board cimport (
    BLANK_BIT, BOARD_FORMAT, LINE_PADDING, NO_LETTER, RUN_CAPACITY, Line, LoadedBoardStruct, Run, StoredRun,
    count_before,
)

FORMAT = BOARD_FORMAT
SIDE_CAPACITY = SIDE

cdef letter_mask ALL_LETTERS = ~(<letter_mask> 0)

cdef extern from *:
    """
    #define lowest_bit(x) __builtin_ctz(x)
    #define highest_bit(x) (31 - __builtin_clz(x))
    #define count_bits(x) __builtin_popcount(x)
    """
    int lowest_bit(uint32_t x) nogil
    int highest_bit(uint32_t x) nogil
    int count_bits(uint32_t x) nogil


cdef inline int64_t nanoseconds() noexcept nogil:
    """Return the time of the monotonic clock."""
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <int64_t> now.tv_sec * 1000000000 + now.tv_nsec


include "runs.pxi"
include "lines.pxi"
include "stored.pxi"


cdef inline uint32_t ends_of_run(uint32_t occupied, int i, int side) noexcept nogil:
    """Return the empty squares just before and just after the run that covers square i, as bits."""
    cdef uint32_t empty = ~occupied & ((<uint32_t> 1 << side) - 1)
    cdef uint32_t before = empty & ((<uint32_t> 1 << i) - 1)
    cdef uint32_t after = empty >> i << i
    return (<uint32_t> 1 << highest_bit(before) if before else 0) | (after & -after)


cdef class BoardKernel:
    """A loaded board, bound to the tables that it was loaded with."""

    def __init__(self, Tables tables not None, bytes squares not None, values not None, layout not None):
        """Load a board from scratch.

        `squares`: tile codes, row by row; `values`: points by tile code; `layout`: a BoardLayout. The caller has
        checked that they fit together.
        """
        self.set_layout(tables, squares, values, layout)
        # This takes microseconds and keeps the GIL: to reacquire it would cost more than it saves.
        self.load()

    cdef set_layout(self, Tables tables, bytes squares, values, layout):
        """Take the tiles and the layout; all bytes of the board are zero before."""
        cdef LoadedBoardStruct *b = &self.board
        cdef const uint8_t[:, ::1] letter_view = layout.letter_factors
        cdef const uint8_t[:, ::1] word_view = layout.word_factors
        cdef int side = layout.side, i, line, row, column
        if not 0 < side <= SIDE or len(squares) != side * side:
            raise ValueError("the board does not fit this kernel")
        self.tables = tables
        b.side = side
        b.letter_count = tables.view.letter_count
        b.both_ways = not layout.symmetric
        memcpy(b.squares, <const uint8_t *> squares, side * side)
        for i in range(b.letter_count):
            b.values[i] = values[i + 1]
        for row, column in layout.starts:
            b.lines[row].starts |= <uint32_t> 1 << column
            b.lines[side + column].starts |= <uint32_t> 1 << row
        for line in range(side):
            for i in range(side):
                b.lines[line].letter_factor[i] = letter_view[line, i]
                b.lines[line].word_factor[i] = word_view[line, i]
                b.lines[side + i].letter_factor[line] = letter_view[line, i]
                b.lines[side + i].word_factor[line] = word_view[line, i]
        for line in range(2 * side):
            load_layout(&b.lines[line], side)

    cdef void load_squares(self) noexcept nogil:
        """Compute from squares and layout what does not depend on the words."""
        cdef LoadedBoardStruct *b = &self.board
        cdef int i, line, side = b.side
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
            load_tiles(b, &self.tables.view, line)
            find_crossed(b, line)

    cdef void load(self) noexcept nogil:
        """Compute everything from the squares, the layout and the lexicon."""
        cdef LoadedBoardStruct *b = &self.board
        cdef const LexiconTables *t = &self.tables.view
        cdef int line
        cdef uint32_t rest
        self.load_squares()
        for line in range(2 * b.side):
            load_runs(&b.lines[line], t, b.lines[line].occupied, b.side)
        for line in range(2 * b.side):
            rest = b.lines[line].crossed
            while rest:
                load_cross(b, t, line, lowest_bit(rest))
                rest &= rest - 1
            load_halo(b, t, line)

    cdef bint read_stored(self, const uint8_t *source, Py_ssize_t length) noexcept nogil:
        """Compute everything from squares, layout and stored form; return false if that is not valid."""
        cdef LoadedBoardStruct *b = &self.board
        cdef int line
        self.load_squares()
        if length != stored_size(b) or not read_runs(b, &self.tables.view, &source):
            return False
        for line in range(2 * b.side):
            read_crosses(b, line, &source)
            load_halo(b, &self.tables.view, line)
        return True

    cdef int read_tiles(self, tiles, int *cells, uint8_t *codes) except -1:
        """Write the squares and codes of (square index, tile code) pairs into two arrays; return their number.

        Raises ValueError for a square that is not empty.
        """
        cdef int n = 0
        for square, code in tiles:
            if n == SIDE or not 0 <= square < self.board.side * self.board.side or self.board.squares[square]:
                raise ValueError("tiles go on empty squares")
            cells[n] = square
            codes[n] = code
            n += 1
        return n

    def after(self, tiles):
        """Return the board after a play; `tiles`: (square index, tile code) pairs on empty squares."""
        cdef BoardKernel copy = BoardKernel.__new__(BoardKernel)
        cdef int cells[SIDE]
        cdef uint8_t codes[SIDE]
        cdef int n = self.read_tiles(tiles, cells, codes)
        copy.tables = self.tables
        with nogil:
            memcpy(&copy.board, &self.board, sizeof(LoadedBoardStruct))
            copy.place_tiles(cells, codes, n)
        return copy

    cdef uint64_t place_tiles(self, const int *cells, const uint8_t *codes, int n) noexcept nogil:
        """Put `n` tiles on empty squares and update what they change; return the lines updated (bit set).

        They change their own lines, and the squares at both ends of the runs that they now belong to.
        """
        cdef LoadedBoardStruct *b = &self.board
        cdef const LexiconTables *t = &self.tables.view
        cdef int side = b.side, i, row, column, line
        cdef uint32_t all_lines = (<uint32_t> 1 << side) - 1, ends
        cdef uint32_t fresh[2 * SIDE]        # by line: squares with a new tile
        cdef uint32_t crosses[2 * SIDE]      # by line: squares whose word across has changed
        cdef uint32_t rows = 0, columns = 0  # lines to update
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
                load_tiles(b, t, line)
                load_runs(&b.lines[line], t, fresh[line], side)
        for line in range(2 * side):
            if not (rows >> line & 1 if line < side else columns >> (line - side) & 1):
                continue
            find_crossed(b, line)
            while crosses[line]:
                load_cross(b, t, line, lowest_bit(crosses[line]))
                crosses[line] &= crosses[line] - 1
            load_halo(b, t, line)
        return rows | <uint64_t> columns << side

    def timing(self, tiles, str way not None):
        """Return the nanoseconds of one thing: "load" this board, "update" it in place, or "copy_and_update".

        `tiles`: of the play, as for `after`. The clock is read around the kernel's own work, without Python.
        Raises ValueError for another way.
        """
        cdef BoardKernel scratch = BoardKernel.__new__(BoardKernel)
        cdef int cells[SIDE]
        cdef uint8_t codes[SIDE]
        cdef int n = self.read_tiles(tiles, cells, codes)
        cdef bint load = way == "load", copy = way == "copy_and_update"
        cdef int64_t begin
        if not load and not copy and way != "update":
            raise ValueError(way)
        scratch.tables = self.tables
        with nogil:
            memcpy(&scratch.board, &self.board, sizeof(LoadedBoardStruct))
            begin = nanoseconds()
            if load:
                scratch.load()
            else:
                if copy:
                    memcpy(&scratch.board, &self.board, sizeof(LoadedBoardStruct))
                scratch.place_tiles(cells, codes, n)
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

    def equals(self, BoardKernel other not None):
        """Tell whether two boards hold the same in every field, and were loaded with the same tables."""
        return self.tables is other.tables and not memcmp(&self.board, &other.board, sizeof(LoadedBoardStruct))

    def to_bytes(self):
        """Return the stored form of the board (stored.pxi)."""
        found = PyBytes_FromStringAndSize(NULL, stored_size(&self.board))
        write_stored(&self.board, <uint8_t *> <char *> found)
        return found

    @staticmethod
    def from_bytes(bytes stored not None, Tables tables not None, bytes squares not None, values not None,
                   layout not None):
        """Return the board whose stored form is given, None if that is not valid; the rest as for `__init__`."""
        cdef BoardKernel kernel = BoardKernel.__new__(BoardKernel)
        kernel.set_layout(tables, squares, values, layout)
        return kernel if kernel.read_stored(<const uint8_t *> <const char *> stored, len(stored)) else None
