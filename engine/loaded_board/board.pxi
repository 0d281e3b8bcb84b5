"""The kernel that loads a board and keeps it up to date after a play.

Compiled twice (board_narrow, board_wide); geometry.h says what differs, loaded_board.h describes the result.
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from engine.lexicon.tables cimport (
    GEOMETRY_CODE, LETTER_PLACEMENTS, NO_WORD, PLACED_LIMBS, RACK_CAPACITY, SIDE, InternalWord, LexiconTables,
    find_word, letter_mask, placed_lengths, placement_index, placement_rank,
)
from engine.loaded_board.loaded_board cimport (
    BOARD_FORMAT, BOARD_MAGIC, LINE_PADDING, NO_LETTER, Line, LoadedBoardStruct, Run,
)

FORMAT = BOARD_FORMAT
SIDE_CAPACITY = SIDE

cdef letter_mask ALL_LETTERS = ~(<letter_mask> 0)

cdef extern from *:
    """
    #define lowest_bit(x) __builtin_ctz(x)
    """
    int lowest_bit(uint32_t x) nogil


cdef struct Principal:
    # The internal word that stands for a run of tiles.
    int first                # offset in the run
    int length               # letters
    uint32_t word            # word id, or NO_WORD: a single letter
    const InternalWord *internal  # NULL: a single letter, or a word inside no other word


cdef inline int square_of(const LoadedBoardStruct *b, int line, int i) noexcept nogil:
    """Index of square i of a line in `squares`."""
    return line * b.side + i if line < b.side else i * b.side + line - b.side


cdef inline int letter_at(const LoadedBoardStruct *b, int square) noexcept nogil:
    """Letter index of the tile on a square that has one."""
    return (b.squares[square] & 0x7F) - 1


cdef inline int points_at(const LoadedBoardStruct *b, int square) noexcept nogil:
    return 0 if b.squares[square] & 0x80 else b.values[(b.squares[square] & 0x7F) - 1]


cdef Principal principal_word(const LexiconTables *t, const uint8_t *letters, int n) noexcept nogil:
    """Return the run itself if it is a word, else its longest part that is one, else its first letter."""
    cdef Principal found
    cdef int k, i
    found.internal = NULL
    for k in range(min(n, t.max_length), 1, -1):
        for i in range(n - k + 1):
            found.word = find_word(t, letters + i, k)
            if found.word != NO_WORD:
                found.first = i
                found.length = k
                if t.word_internal[found.word] != NO_WORD:
                    found.internal = t.internal_words + t.word_internal[found.word]
                return found
    found.first = 0
    found.length = 1
    found.word = NO_WORD
    return found


cdef letter_mask letters_that_fit(const LexiconTables *t, const uint8_t *pattern, int n, int gap) noexcept nogil:
    """Return the letters that make a word of n letters in the gap between runs of tiles (cross-check set)."""
    cdef Principal before, after, key
    cdef letter_mask fitting = 0, needed = 0
    cdef uint32_t which, q
    cdef const uint8_t *letters
    cdef int i, at, bit
    if n > t.max_length:
        return 0
    if gap == n - 1:
        key = principal_word(t, pattern, gap)
        if key.length == gap:
            if gap == 1:
                return t.back_hooks[pattern[0]]
            return key.internal.back_hooks if key.internal != NULL else 0
    elif gap == 0:
        key = principal_word(t, pattern + 1, n - 1)
        if key.length == n - 1:
            if n == 2:
                return t.front_hooks[pattern[1]]
            return key.internal.front_hooks if key.internal != NULL else 0
        key.first += 1
    else:
        before = principal_word(t, pattern, gap)
        after = principal_word(t, pattern + gap + 1, n - gap - 1)
        after.first += gap + 1
        key = before if before.length >= after.length else after
    at = key.first
    bit = placement_index(key.length, at, n)
    if key.length == 1:
        which = LETTER_PLACEMENTS * pattern[at] + bit
    elif key.internal == NULL or not key.internal.placed[bit >> 6] >> (bit & 63) & 1:
        return 0
    else:
        which = key.internal.first + placement_rank(key.internal.placed, bit)
    for i in range(n):
        if i != gap and (i < at or i >= at + key.length):
            needed |= <letter_mask> 1 << pattern[i]
    for q in range(t.list_starts[which], t.list_starts[which + 1]):
        if needed & ~t.list_masks[q]:
            continue
        letters = &t.words[t.list_words[q]].letters[0]
        for i in range(n):
            if i != gap and letters[i] != pattern[i]:
                break
        else:
            fitting |= <letter_mask> 1 << letters[gap]
    return fitting


cdef void load_square(LoadedBoardStruct *b, const LexiconTables *t, int line, int i) noexcept nogil:
    """Set the cross-check set and cross points of an empty square for words along a line."""
    cdef Line *x = &b.lines[line]
    cdef int side = b.side
    cdef int square = square_of(b, line, i)
    cdef int step = side if line < side else 1
    cdef int place = square // side if line < side else square % side
    cdef int first = place, last = place, points = 0, k, at
    cdef uint8_t pattern[SIDE]
    while first > 0 and b.squares[square - (place - first + 1) * step]:
        first -= 1
    while last < side - 1 and b.squares[square + (last + 1 - place) * step]:
        last += 1
    if first == last:
        x.admissible[i] = ALL_LETTERS
        x.cross_points[i] = -1
        return
    for k in range(first, last + 1):
        if k == place:
            pattern[k - first] = NO_LETTER
            continue
        at = square + (k - place) * step
        pattern[k - first] = <uint8_t> letter_at(b, at)
        points += points_at(b, at)
    x.cross_points[i] = <int16_t> points
    x.admissible[i] = letters_that_fit(t, pattern, last - first + 1, place - first)


cdef void load_run(Line *x, const LexiconTables *t, Run *run, int first, int last) noexcept nogil:
    cdef Principal key = principal_word(t, x.tiles + first, last - first + 1)
    memset(run, 0, sizeof(Run))
    run.first = <uint8_t> first
    run.last = <uint8_t> last
    run.key_first = <uint8_t> (first + key.first)
    run.key_length = <uint8_t> key.length
    if key.length == 1:
        run.lists = LETTER_PLACEMENTS * x.tiles[first]
    elif key.internal != NULL:
        run.lists = key.internal.first
        memcpy(run.placed, key.internal.placed, sizeof(uint64_t) * PLACED_LIMBS)


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


cdef void load_line(LoadedBoardStruct *b, const LexiconTables *t, int line) noexcept nogil:
    """Derive everything of a line from its tiles and the cross-check sets of its empty squares."""
    cdef Line *x = &b.lines[line]
    cdef int side = b.side
    cdef int i, square, letter, points, run_count = 0, empties = 0
    cdef uint32_t occupied = 0, crossed = 0, premium = 0
    for i in range(side):
        square = square_of(b, line, i)
        x.key_before[i + 1] = x.key_before[i]
        x.points_before[i + 1] = x.points_before[i]
        x.across_before[i + 1] = x.across_before[i]
        x.empty_before[i] = <uint8_t> empties
        x.doubled_before[i + 1] = x.doubled_before[i]
        x.tripled_before[i + 1] = x.tripled_before[i]
        x.quadrupled_before[i + 1] = x.quadrupled_before[i]
        x.own_factor[i] = 0
        x.across_factor[i] = 0
        if b.squares[square]:
            letter = letter_at(b, square)
            occupied |= <uint32_t> 1 << i
            x.tiles[i] = <uint8_t> letter
            x.admissible[i] = <letter_mask> 1 << letter
            x.cross_points[i] = -1
            x.key_before[i + 1] += t.letter_keys[letter]
            x.points_before[i + 1] += points_at(b, square)
            continue
        x.tiles[i] = NO_LETTER
        x.empties[empties] = <uint8_t> i
        empties += 1
        x.own_factor[i] = x.letter_factor[i]
        x.doubled_before[i + 1] += x.letter_factor[i] > 1
        x.tripled_before[i + 1] += x.letter_factor[i] > 2
        x.quadrupled_before[i + 1] += x.letter_factor[i] > 3
        if x.word_factor[i] > 1:
            premium |= <uint32_t> 1 << i
        if x.cross_points[i] >= 0:
            crossed |= <uint32_t> 1 << i
            x.across_factor[i] = <int16_t> (x.letter_factor[i] * x.word_factor[i])
            x.across_before[i + 1] += x.cross_points[i] * x.word_factor[i]
    x.empty_before[side] = <uint8_t> empties
    for i in range(empties, side):
        x.empties[i] = 0
    x.occupied = occupied
    x.crossed = crossed
    x.premium = premium
    x.halo = occupied | crossed
    if b.tile_count == 0 and (line < side or b.both_ways):
        x.halo = x.starts
    i = 0
    x.runs_before[0] = 0
    while i < side:
        square = i
        while i < side and occupied >> i & 1:
            i += 1
            x.runs_before[i] = <uint8_t> (run_count + 1)
        if square < i:
            load_run(x, t, &x.runs[run_count], square, i - 1)
            run_count += 1
        else:
            i += 1
            x.runs_before[i] = <uint8_t> run_count
    if run_count < x.run_count:  # equal boards have equal bytes, however they came about
        memset(&x.runs[run_count], 0, (x.run_count - run_count) * sizeof(Run))
    x.run_count = run_count
    load_intervals(x, t, side)


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
        cdef int i, line, other, row, column
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
        with nogil:
            for line in range(side):
                for i in range(side):
                    b.lines[line].letter_factor[i] = letter_view[line, i]
                    b.lines[line].word_factor[i] = word_view[line, i]
                    b.lines[side + i].letter_factor[line] = letter_view[line, i]
                    b.lines[side + i].word_factor[line] = word_view[line, i]
            self._load()

    cdef void _load(self) noexcept nogil:
        cdef LoadedBoardStruct *b = &self.board
        cdef const LexiconTables *t = &self.tables.view
        cdef int i, line
        for i in range(b.side * b.side):
            b.tile_count += b.squares[i] != 0
        for line in range(2 * b.side):
            for i in range(b.side, LINE_PADDING):
                b.lines[line].admissible[i] = ALL_LETTERS
            for i in range(b.side):
                if not b.squares[square_of(b, line, i)]:
                    load_square(b, t, line, i)
            load_line(b, t, line)

    def after(self, placed):
        """Return the board after tiles are placed: (square index, tile code) pairs on empty squares."""
        cdef BoardKernel copy = BoardKernel.__new__(BoardKernel)
        cdef int cells[SIDE]
        cdef uint8_t codes[SIDE]
        cdef int n = 0
        for square, code in placed:
            if n == SIDE or not 0 <= square < self.board.side * self.board.side or self.board.squares[square]:
                raise ValueError("tiles go on empty squares")
            cells[n] = square
            codes[n] = code
            n += 1
        copy.tables = self.tables
        with nogil:
            memcpy(&copy.board, &self.board, sizeof(LoadedBoardStruct))
            copy._place(cells, codes, n)
        return copy

    cdef void _place(self, const int *cells, const uint8_t *codes, int n) noexcept nogil:
        """Put tiles on empty squares and renew what they change: their lines, and the squares at the ends of
        the runs that they now belong to."""
        cdef LoadedBoardStruct *b = &self.board
        cdef const LexiconTables *t = &self.tables.view
        cdef int side = b.side, i, row, column, line
        cdef uint32_t ends[2 * SIDE]     # by line: squares whose perpendicular run has changed
        cdef uint8_t changed[2 * SIDE]
        memset(ends, 0, sizeof(ends))
        memset(changed, b.tile_count == 0, sizeof(changed))  # the halo of an empty board is its start squares
        for i in range(n):
            b.squares[cells[i]] = codes[i]
        b.tile_count += n
        for i in range(n):
            row = cells[i] // side
            column = cells[i] % side
            changed[row] = changed[side + column] = 1
            while row > 0 and b.squares[(row - 1) * side + column]:
                row -= 1
            if row > 0:
                ends[row - 1] |= <uint32_t> 1 << column
            row = cells[i] // side
            while row < side - 1 and b.squares[(row + 1) * side + column]:
                row += 1
            if row < side - 1:
                ends[row + 1] |= <uint32_t> 1 << column
            row = cells[i] // side
            while column > 0 and b.squares[row * side + column - 1]:
                column -= 1
            if column > 0:
                ends[side + column - 1] |= <uint32_t> 1 << row
            column = cells[i] % side
            while column < side - 1 and b.squares[row * side + column + 1]:
                column += 1
            if column < side - 1:
                ends[side + column + 1] |= <uint32_t> 1 << row
        for line in range(2 * side):
            if ends[line] or changed[line]:
                while ends[line]:
                    load_square(b, t, line, lowest_bit(ends[line]))
                    ends[line] &= ends[line] - 1
                load_line(b, t, line)

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
