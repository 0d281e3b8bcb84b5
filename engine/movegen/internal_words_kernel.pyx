"""The Internal-Words generator: racks, intervals and their pruning; interval_kernel.inc.h answers the intervals.

The build compiles it for both geometries (geometry.h).
Source: systems.md G5 (thesis 001, chapters 4 and 5).
"""
from libc.stdint cimport INT32_MIN, int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from engine.lexicon.tables cimport (
    COUNT_PLANES, RACK_CAPACITY, SIDE, LexiconTables, letter_mask, scan_mask,
)
from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.loaded_board.loaded_board cimport Line, LoadedBoardStruct, Run
from engine.movegen.generation cimport (
    INTERVAL_CAPACITY, LETTERED, LISTED, MEMO_LENGTHS, MOST_SUBSET_BLANKS, ONE_EMPTY, OPEN, Generation, Interval,
    IntervalKernels, IntervalList, MemoEntry, RankedInterval, interval_bound, interval_kernels_at, rank_interval,
    take_line_reach, take_reach,
)
from engine.movegen.plays cimport Hand, Play, PlaySink, take_rack

include "play_array.pxi"

cdef extern from *:
    """
    #define lowest_bit(x) __builtin_ctz(x)
    #ifdef KIBITZ_EMULATE_AVX512
    #define AVX512_IS_EMULATED 1
    #else
    #define AVX512_IS_EMULATED 0
    #endif
    """
    int lowest_bit(uint32_t x) nogil
    const int AVX512_IS_EMULATED

cdef enum:
    FIRST_MEMO_ENTRIES = 4096
    BRIEF_SIDE = 16  # squares of a line, up to which the plays of a rack without blanks are soon found

cdef uint32_t ALL_SQUARES = 0xFFFFFFFF
cdef uint64_t ALL_LINES = 0xFFFFFFFFFFFFFFFF

PLAY_BYTES = sizeof(Play)
EMULATES_AVX512 = bool(AVX512_IS_EMULATED)  # the debug build only


def simd_name(int level):
    """Return the name of kernel level 0 (plain C), 1 (AVX2) or 2 (AVX-512), None if the processor lacks it."""
    cdef const IntervalKernels *kernels = interval_kernels_at(level)
    return kernels.name.decode() if kernels != NULL else None


cdef void load_rack(Generation *g, const uint8_t *tiles, int count) noexcept nogil:
    """Take a rack of tile codes (0 = blank): its planes, scan mask and sub-multisets."""
    cdef const LexiconTables *t = g.tables
    cdef int letters[7]     # the distinct letters, how many of each, and how many the subset at hand has
    cdef int copies[7]
    cdef int digits[7]
    cdef int distinct = 0, i, k, letter, size = 0
    cdef uint64_t key = 0
    cdef letter_mask spent  # letters of which the subset has all there are, those not held included
    take_rack(&g.hand, g.board, tiles, count)
    memset(g.at_least, 0, sizeof(g.at_least))
    memset(g.subset_count, 0, sizeof(g.subset_count))
    for letter in range(t.letter_count):
        if not g.hand.counts[letter]:
            continue
        for k in range(min(<int> g.hand.counts[letter], COUNT_PLANES)):
            g.at_least[k] |= <letter_mask> 1 << letter
        letters[distinct] = letter
        copies[distinct] = g.hand.counts[letter]
        digits[distinct] = 0
        distinct += 1
    g.held = scan_mask(t, g.at_least[0], g.at_least[1])
    spent = ~g.hand.letters
    while True:
        g.subset_keys[size][g.subset_count[size]] = key
        g.subset_spent[size][g.subset_count[size]] = spent
        g.subset_count[size] += 1
        i = 0
        while i < distinct:
            if digits[i] < copies[i]:
                digits[i] += 1
                if digits[i] == copies[i]:
                    spent |= <letter_mask> 1 << letters[i]
                size += 1
                key += t.letter_keys[letters[i]]
                break
            size -= digits[i]
            key -= t.letter_keys[letters[i]] * <uint64_t> digits[i]
            spent &= ~(<letter_mask> 1 << letters[i])
            digits[i] = 0
            i += 1
        if i == distinct:
            return


cdef inline void add_interval(
        Generation *g, const IntervalKernels *kernels, const Line *x, int line, int start, int end,
        int placed) noexcept nogil:
    """Hand an interval that survived the pruning to those who answer it, or rank it by its bound."""
    cdef int length = end - start + 1
    cdef int first_run = x.runs_before[start], last_run = x.runs_before[end + 1] - 1
    cdef const Run *run
    cdef int letter, n
    cdef int32_t bound
    cdef IntervalList *queue
    cdef Interval *interval
    cdef uint8_t kind
    if placed == 1:
        if not g.best_only:
            kernels.play_one_tile(g, line, start, length)
            return
        queue = NULL
        kind = ONE_EMPTY
    elif last_run < first_run:
        queue = &g.open
        kind = OPEN
    else:
        run = &x.runs[first_run]
        queue = &g.listed
        kind = LISTED
        if first_run == last_run and run.first == run.last and g.hand.blanks <= MOST_SUBSET_BLANKS:
            queue = &g.lettered
            kind = LETTERED
            letter = x.tiles[run.first]
            if not g.memo_letters >> letter & 1:
                g.memo_letters |= <letter_mask> 1 << letter
                # For the best play alone buckets are filled for all places at once, and once a rack.
                for n in range(MEMO_LENGTHS):
                    g.memo_needed[letter][n] = (<uint32_t> 1 << n) - 1 if g.best_only else 0
                memset(g.memo_heads[letter], 0xFF, sizeof(uint32_t) * MEMO_LENGTHS * MEMO_LENGTHS)
            if not g.best_only:
                g.memo_needed[letter][length] |= <uint32_t> 1 << (run.first - start)
    if g.best_only:
        bound = interval_bound(g, x, start, end, placed)
        if bound < g.best.equity:
            return
        interval = rank_interval(g, bound)
    else:
        interval = &queue.items[queue.count]
        queue.count += 1
    interval.line = <uint8_t> line
    interval.start = <uint8_t> start
    interval.length = <uint8_t> length
    interval.placed = <uint8_t> placed
    interval.run = <uint8_t> first_run
    interval.run_count = <uint8_t> (last_run - first_run + 1)
    interval.kind = kind


cdef void find_intervals(
        Generation *g, const IntervalKernels *kernels, int line, uint32_t through) noexcept nogil:
    """Sort the intervals of a line that the rack can fill to those who answer them; the board knows which may
    hold a word at all.  Only those that hold a square of `through`."""
    cdef const Line *x = &g.board.lines[line]
    cdef uint32_t openings = x.openings, crossed = x.crossed, barred = 0, ends
    cdef int start, end, placed, k, least
    while crossed:
        k = lowest_bit(crossed)
        crossed &= crossed - 1
        if not x.admissible[k] & g.hand.playable:
            barred |= <uint32_t> 1 << k
    while openings:
        start = lowest_bit(openings)
        openings &= openings - 1
        if not through >> start:
            return
        least = start + lowest_bit(through >> start)
        ends = x.ends[start] >> least << least
        if barred >> start:
            ends &= (<uint32_t> 1 << (start + lowest_bit(barred >> start))) - 1
        k = x.empty_before[start] + g.hand.tiles
        if g.hand.tiles < RACK_CAPACITY and k < x.empty_before[g.board.side]:
            ends &= (<uint32_t> 1 << x.empties[k]) - 1
        while ends:
            end = lowest_bit(ends)
            ends &= ends - 1
            # One tile: counted where it makes an across word; down only if it makes none.
            placed = x.empty_before[end + 1] - x.empty_before[start]
            if placed > 1 or line < g.board.side or not x.crossed >> x.empties[x.empty_before[start]] & 1:
                g.interval_count += 1
                add_interval(g, kernels, x, line, start, end, placed)


cdef void forget_words(Generation *g) noexcept nogil:
    """Forget the words found for the rack in hand."""
    cdef int i
    g.memo_letters = 0
    g.memo_count = 0
    for i in range(RACK_CAPACITY + 1):
        g.rack_word_count[i] = -1


cdef void list_plays(Generation *g, const IntervalKernels *kernels, const uint32_t *through) noexcept nogil:
    """List the plays of the rack in hand.

    `through`: by line, squares of which the word of a play must hold one; NULL: all plays.
    """
    cdef int line
    g.best_only = False
    g.sink.count = g.interval_count = g.candidate_count = g.scanned_count = 0
    g.sink.overflow = 0
    g.listed.count = g.lettered.count = g.open.count = 0
    forget_words(g)
    if not g.hand.tiles:
        return
    for line in range(2 * g.board.side):
        if g.board.lines[line].openings and (through == NULL or through[line]):
            find_intervals(g, kernels, line, ALL_SQUARES if through == NULL else through[line])
    kernels.resolve_lists(g)
    kernels.play_open(g)
    kernels.play_lettered(g)
    kernels.play_listed(g)


cdef void improve_best(Generation *g, const IntervalKernels *kernels, uint64_t lines) noexcept nogil:
    """Look among the plays of some lines (bit set) for one better than `g.best`, with the words of the rack that
    earlier boards have asked for."""
    cdef int line
    g.best_only = True
    g.ranked_count = 0
    g.sink.count = g.interval_count = g.candidate_count = g.scanned_count = 0
    g.sink.overflow = 0
    if not g.hand.tiles:
        return
    memset(g.bound_heads, 0xFF, sizeof(g.bound_heads))
    for line in range(2 * g.board.side):
        if lines >> line & 1 and g.board.lines[line].openings:
            take_line_reach(g, &g.board.lines[line])
            find_intervals(g, kernels, line, ALL_SQUARES)
    kernels.play_ranked(g)


cdef class Generator:
    """Generates the plays of one lexicon; holds the scratch memory of one thread.

    For kernels above: `hold`, then `find_plays` or `find_best`; or `hold`, `value_rack`, and `find_better` on one
    board after another, which look up the words of the rack once.
    """

    def __init__(self, Tables tables not None, uint32_t threshold, uint32_t fixed_threshold, int level,
                 uint64_t play_limit):
        """Take the tables, the two terms of the threshold, the kernel's level, and the most plays.

        Raises ValueError if the processor lacks the instructions of that level, MemoryError.
        """
        cdef Generation *g = &self.g
        cdef int n
        cdef size_t entries
        self.kernels = interval_kernels_at(level)
        if self.kernels == NULL:
            raise ValueError(f"this processor cannot run kernel {level}")
        self.tables = tables
        g.tables = &tables.view
        g.threshold = threshold
        g.fixed_threshold = fixed_threshold
        g.sink.limit = play_limit
        g.sink.capacity = FIRST_PLAYS
        g.memo_capacity = FIRST_MEMO_ENTRIES
        g.sink.plays = <Play *> malloc(FIRST_PLAYS * sizeof(Play))
        g.memo = <MemoEntry *> malloc(FIRST_MEMO_ENTRIES * sizeof(MemoEntry))
        g.listed.items = <Interval *> malloc(INTERVAL_CAPACITY * sizeof(Interval))
        g.lettered.items = <Interval *> malloc(INTERVAL_CAPACITY * sizeof(Interval))
        g.open.items = <Interval *> malloc(INTERVAL_CAPACITY * sizeof(Interval))
        g.ranked = <RankedInterval *> malloc(INTERVAL_CAPACITY * sizeof(RankedInterval))
        if not (g.ranked and g.sink.plays and g.memo and g.listed.items and g.lettered.items and g.open.items):
            raise MemoryError
        for n in range(2, RACK_CAPACITY + 1):
            entries = g.tables.length_start[n + 1] - g.tables.length_start[n] if n <= SIDE else 0
            g.rack_words[n] = <uint32_t *> malloc((entries + 1) * sizeof(uint32_t))
            if not g.rack_words[n]:
                raise MemoryError

    def __dealloc__(self):
        cdef int n
        free(self.g.sink.plays)
        free(self.g.memo)
        free(self.g.listed.items)
        free(self.g.lettered.items)
        free(self.g.open.items)
        free(self.g.ranked)
        for n in range(2, RACK_CAPACITY + 1):
            free(self.g.rack_words[n])

    @property
    def simd(self):
        """Name of the vector path in use."""
        return self.kernels.name.decode()

    cdef const Hand *hold(self, const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                          int bingo_bonus, int bingo_tiles) noexcept nogil:
        """Take a board of the same tables and a rack of up to 7 tile codes (0 = blank); returns the rack, which
        numbers its leaves."""
        cdef Generation *g = &self.g
        g.board = board
        g.hand.bingo_bonus = bingo_bonus
        g.hand.bingo_tiles = bingo_tiles
        load_rack(g, tiles, count)
        g.hand.leave_values = NULL
        return &g.hand

    cdef const PlaySink *find_plays(self, const int32_t *leave_values) noexcept nogil:
        """List the plays of the rack held; `leave_values`: millipoints by leave, or NULL: equity is the score."""
        self.g.hand.leave_values = leave_values
        list_plays(&self.g, self.kernels, NULL)
        return &self.g.sink

    cdef const PlaySink *find_plays_through(self, const uint32_t *through) noexcept nogil:
        """List the plays of the rack held whose word holds one of some squares: by line, a set of them (bit 0 the
        first).  Equity is the score."""
        self.g.hand.leave_values = NULL
        list_plays(&self.g, self.kernels, through)
        return &self.g.sink

    cdef bint find_best(self, const int32_t *leave_values, Play *best) noexcept nogil:
        """Write the best play by equity (`comes_before`) of the rack held; false if there is none."""
        self.value_rack(leave_values)
        return self.find_better(self.g.board, ALL_LINES, False, best)

    cdef void value_rack(self, const int32_t *leave_values) noexcept nogil:
        """Make the rack held ready for `find_better`; leave_values as of `find_plays`, and kept by the caller."""
        self.g.hand.leave_values = leave_values
        forget_words(&self.g)
        take_reach(&self.g)

    cdef bint find_better(self, const LoadedBoardStruct *board, uint64_t lines, bint found,
                          Play *best) noexcept nogil:
        """Write the best play on some lines of a board (bit set) if it is better than `best`, which counts only if
        it was `found`; false if there is neither.

        The board has the tile values of the one that the rack was held for.
        """
        cdef Generation *g = &self.g
        g.board = board
        g.found = found
        if found:
            g.best = best[0]
        else:
            g.best.equity = INT32_MIN
        improve_best(g, self.kernels, lines)
        if g.found:
            best[0] = g.best
        return g.found

    def generate(self, BoardKernel board not None, bytes rack not None, int bingo_bonus, int bingo_tiles,
                 leave_values, dtype, bint best_only=False):
        """Return (plays as an array of `dtype`, intervals, candidates, list entries read).

        `rack` holds up to 7 tile codes, 0 = blank; `leave_values` one int32 (millipoints) a leave, or None;
        `best_only`: at most one play, the best by equity.
        Raises OverflowError if there are more plays than the limit, ValueError if the rack does not fit.
        """
        cdef Generation *g = &self.g
        cdef const int32_t[::1] values
        cdef const int32_t *first = NULL
        cdef Play best
        cdef bint found = False
        if len(rack) > RACK_CAPACITY or (rack and max(rack) > g.tables.letter_count):
            raise ValueError("the rack holds at most 7 tiles of the tile set")
        if board.tables is not self.tables:
            raise ValueError("the board was loaded with another lexicon")
        self.hold(&board.board, <const uint8_t *> rack, <int> len(rack), bingo_bonus, bingo_tiles)
        if leave_values is not None:
            values = leave_values
            if values.shape[0] != g.hand.full_leave + 1:
                raise ValueError(f"the rack has {g.hand.full_leave + 1} leaves, not {values.shape[0]}")
            first = &values[0]
        if SIDE <= BRIEF_SIDE and not best_only and (not rack or (<const uint8_t *> rack)[0]):
            # Without a blank a tenth of a millisecond: to let another thread in between costs more.
            self.find_plays(first)
        else:
            with nogil:
                if best_only:
                    found = self.find_best(first, &best)
                else:
                    self.find_plays(first)
        if best_only:
            if g.sink.overflow:
                raise MemoryError
            plays = play_array(&best, found, dtype)
        else:
            plays = listed_plays(&g.sink, dtype)
        return plays, g.interval_count, g.candidate_count, g.scanned_count
