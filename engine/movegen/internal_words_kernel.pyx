"""The Internal-Words Method: from a rack and a loaded board to a list of plays [Sanchez2025, chapters 4, 5].

Read this file from top to bottom, then interval_kernel.inc.h, validation_kernel.inc.h and best_play_kernel.inc.h.
They follow the way of a rack in the order in which it happens:

1. Rack         (here)                       the rack as bit sets and as keys of its sub-multisets
2. Intervals    (here)                       the stretches of squares that the word of a play may fill
3. Candidates   (interval_kernel.inc.h)      the words that may fill an interval: of the rack alone, from the
                                             memo of a letter, from a list (high level) or by look-ups (low level)
4. Cross-checks (validation_kernel.inc.h)    the candidates that every square admits and the rack can supply
5. Score        (validation_kernel.inc.h)    points of each play, for each choice of blanks
6. Sink         (validation_kernel.inc.h)    the leave is valued, and the array of plays receives the play
7. Best play    (here and                    the best play alone: best intervals first, and for each interval
                 best_play_kernel.inc.h)     only the words of those tiles that may make a better play

Words. A *line* is a row (number r) or a column (number side + c); its squares count from 0. An *interval* is a
stretch of two or more squares of a line, without a tile just before or after it, that has at least one empty
square and covers a square of the halo (tiles, and empty squares with a word across; on an empty board the start
squares). To *answer* an interval is to find the plays whose main word fills it. An *internal word* is a word,
or a single letter, that lies inside a longer word; placed, it is (internal word, position, length of the longer
word), and owns one *list*: the words that contain it there. Answering an interval by such a list is the *high
level*. The *low level* looks up instead, for each sub-multiset of the rack that fills the interval, the words
made of exactly its letters and the interval's tiles. Letter keys are random 64-bit numbers; two multisets with
the same sum of keys are taken as equal (they differ with a chance of about 2^-64).

Data. `g`, a Generation (generation.h), is the scratch memory of one generation. `g.hand` is the rack (a Hand,
plays.h), `g.board` the loaded board, `g.tables` the lexicon's tables, `g.sink` the list of plays. A Line `x`
(loaded_board.h) has bit sets of squares, such as `crossed` (empty squares where a word lies across), and sums
`..._before[i]` over the squares before square i, so that one subtraction counts any stretch of squares. A *run*
is a maximal sequence of neighbouring tiles of a line. `admissible` is the cross-check set of each square: the
letters that may lie there. A letter_mask has bit i for letter i; a *scan mask* has bits for second copies of
frequent letters besides. If a scan mask lacks a bit, a tile is lacking; if it lacks none, the letters must
still be counted. Letters count from 0; tile codes are letter + 1, and 0 is a blank.

The build compiles this file twice, for two sizes of alphabet and board (geometry.h).
"""
from libc.stdint cimport INT32_MIN, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from engine.lexicon.tables cimport (
    RACK_CAPACITY, SIDE, LexiconTables, letter_mask,
)
from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.board_kernel cimport BoardKernel
from engine.loaded_board.loaded_board cimport Line, LoadedBoardStruct, Run
from engine.movegen.generation cimport (
    HOLDS_NO_TILE, HOLDS_ONE_TILE, HOLDS_TILES, INTERVAL_CAPACITY, MAX_SUBSET_BLANKS, MEMO_LENGTHS,
    ONE_EMPTY_SQUARE, Generation, Interval, IntervalKernels, IntervalList, MemoEntry, RankedInterval,
    count_rack, interval_bound, interval_kernels_at, load_line_bounds, load_rack_bounds, may_have_anagrams,
    prefetch_ahead, rank_interval,
)
from engine.movegen.plays cimport Hand, Play, PlaySink, take_rack
from engine.rules.game_rules cimport GameRules, RulesKernel

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
    MAX_BRIEF_SIDE = 16  # up to this side a rack without blanks takes about 0.1 ms: the GIL is not released for it

cdef uint32_t ALL_SQUARES = 0xFFFFFFFF
cdef uint64_t ALL_LINES = 0xFFFFFFFFFFFFFFFF

PLAY_BYTES = sizeof(Play)
EMULATES_AVX512 = bool(AVX512_IS_EMULATED)  # true in the debug build only


# ---------------------------------------------------------------------------------------- 1. the rack


cdef void load_rack(Generation *g, const uint8_t *tiles, int count) noexcept nogil:
    """Take a rack of `count` tile codes (0 = blank) for the board `g.board`.

    Fills in g.hand (counts, values, leave weights), its letters in the forms of `count_rack`, and g.subset_keys:
    the key of every sub-multiset of the letters, by size. The key of a multiset is the sum of its letter keys,
    so the key of "these rack letters and those on the board" is one addition.
    """
    take_rack(&g.hand, g.board, tiles, count)
    count_rack(g)
    list_subsets(g)


cdef void list_subsets(Generation *g) noexcept nogil:
    """List the sub-multisets of the rack's letters by size, blanks left out, each once.

    Counts through them like an odometer: one digit for each distinct letter, from 0 to its copies in the rack.
    """
    cdef const LexiconTables *t = g.tables
    cdef int letters[RACK_CAPACITY]   # the distinct letters
    cdef int copies[RACK_CAPACITY]    # how many of each the rack has
    cdef int digits[RACK_CAPACITY]    # how many of each the present sub-multiset has
    cdef int distinct = 0, i, letter, size = 0, points = 0, number = 0
    cdef uint64_t key = 0
    # Letters of which the rack has no copy beyond the sub-multiset; those that it has none of are among them.
    cdef letter_mask exhausted = ~g.hand.letters
    for letter in range(t.letter_count):
        if g.hand.counts[letter]:
            letters[distinct] = letter
            copies[distinct] = g.hand.counts[letter]
            digits[distinct] = 0
            distinct += 1
    memset(g.subset_count, 0, sizeof(g.subset_count))
    while True:
        g.subset_keys[size][g.subset_count[size]] = key
        g.subset_exhausted[size][g.subset_count[size]] = exhausted
        g.subset_points[size][g.subset_count[size]] = points
        g.subset_numbers[size][g.subset_count[size]] = <uint8_t> number
        number += 1
        g.subset_count[size] += 1
        i = 0
        while i < distinct:
            if digits[i] < copies[i]:
                digits[i] += 1
                if digits[i] == copies[i]:
                    exhausted |= <letter_mask> 1 << letters[i]
                size += 1
                key += t.letter_keys[letters[i]]
                points += g.hand.values[letters[i]]
                break
            size -= digits[i]
            key -= t.letter_keys[letters[i]] * <uint64_t> digits[i]
            points -= g.hand.values[letters[i]] * digits[i]
            exhausted &= ~(<letter_mask> 1 << letters[i])
            digits[i] = 0
            i += 1
        if i == distinct:
            return


# ---------------------------------------------------------------------------------------- 2. intervals


cdef void list_plays(Generation *g, const IntervalKernels *kernels, const uint32_t *through) noexcept nogil:
    """List the plays of the rack in `g.hand` on `g.board`: the whole way from here on.

    `through`: by line, a bit set of squares of which the word of a play must cover one; NULL for all plays.
    """
    cdef int line
    g.best_only = False
    clear_results(g)
    forget_rack_words(g)
    if not g.hand.tiles:
        return
    # Sort the intervals of each line into three queues by what they hold. An interval with one empty square is
    # answered at once, since the cross-check sets alone give its plays.
    for line in range(2 * g.board.side):
        prefetch_ahead(g.board, line)
        if g.board.lines[line].interval_starts and (through == NULL or through[line]):
            find_intervals(g, kernels, line, ALL_SQUARES if through == NULL else through[line])
    # Answer the queues (interval_kernel.inc.h). The lists of intervals with tiles are found first, so that memory
    # fetches them while the other queues are answered.
    kernels.find_lists(g)
    kernels.play_without_tiles(g)
    kernels.play_with_one_tile(g)
    kernels.play_with_tiles(g)


cdef void find_intervals(
        Generation *g, const IntervalKernels *kernels, int line, uint32_t through) noexcept nogil:
    """Find the intervals of a line that the rack may fill, and pass each to `add_interval`.

    The loaded board lists the intervals of at most seven empty squares that some word of the lexicon may fill:
    `interval_starts`, and for each start `interval_ends`. This drops an interval if one of its squares
    admits no tile of the rack, if it has more empty squares than the rack has tiles, if it covers no square of
    `through` (bit set), or if it takes the whole rack and the lexicon has no word of those letters.
    """
    cdef const Line *x = &g.board.lines[line]
    cdef uint32_t starts = x.interval_starts, crossed = x.crossed, barred = 0, ends
    cdef int start, end, first_end, square, after, empty_count
    # Only squares with a word across can be barred: without one a square admits every letter.
    while crossed:
        square = lowest_bit(crossed)
        crossed &= crossed - 1
        if not x.admissible[square] & g.hand.playable:
            barred |= <uint32_t> 1 << square
    while starts:
        start = lowest_bit(starts)
        starts &= starts - 1
        if not through >> start:
            return
        # The interval must reach the first square of `through` at or after its start, and end before the first
        # barred square.
        first_end = start + lowest_bit(through >> start)
        ends = x.interval_ends[start] >> first_end << first_end
        if barred >> start:
            ends &= (<uint32_t> 1 << (start + lowest_bit(barred >> start))) - 1
        # x.empties[after] is the first empty square for which the rack has no tile left.
        after = x.empty_before[start] + g.hand.tiles
        if g.hand.tiles < RACK_CAPACITY and after < x.empty_before[g.board.side]:
            ends &= (<uint32_t> 1 << x.empties[after]) - 1
        while ends:
            end = lowest_bit(ends)
            ends &= ends - 1
            empty_count = x.empty_before[end + 1] - x.empty_before[start]
            # A one-tile play that makes a word in its row and in its column is listed with the row.
            if empty_count == 1 and line >= g.board.side and x.crossed >> x.empties[x.empty_before[start]] & 1:
                continue
            g.interval_count += 1
            # The whole rack is a single multiset, which makes no word in most intervals.
            if (empty_count == g.hand.tiles and not g.hand.blanks and empty_count > 1
                    and not may_have_anagrams(g.tables, g.subset_keys[empty_count][0]
                                              + x.key_before[end + 1] - x.key_before[start])):
                continue
            add_interval(g, kernels, x, line, start, end, empty_count)


cdef inline void add_interval(
        Generation *g, const IntervalKernels *kernels, const Line *x, int line, int start, int end,
        int empty_count) noexcept nogil:
    """Put an interval into a queue by what it holds, or, for the best play alone, into the bucket of its bound.

    When plays are listed, an interval with one empty square is answered here instead.
    """
    cdef int length = end - start + 1
    cdef int first_run = x.runs_before[start], last_run = x.runs_before[end + 1] - 1
    cdef const Run *run
    cdef int64_t bound
    cdef int32_t word_factor
    cdef IntervalList *queue
    cdef Interval *interval
    cdef uint8_t kind
    if empty_count == 1:
        if not g.best_only:
            kernels.play_one_empty_square(g, line, start, length)
            return
        queue = NULL
        kind = ONE_EMPTY_SQUARE
    elif last_run < first_run:  # no run begins in the interval
        queue = &g.without_tiles
        kind = HOLDS_NO_TILE
    else:
        run = &x.runs[first_run]
        queue = &g.with_tiles
        kind = HOLDS_TILES
        # One run of one tile. With two blanks or more neither the memo nor the low level is used.
        if first_run == last_run and run.first == run.last and g.hand.blanks <= MAX_SUBSET_BLANKS:
            queue = &g.with_one_tile
            kind = HOLDS_ONE_TILE
            if not g.best_only:
                request_memo(g, x.tiles[run.first], length, run.first - start)
    if g.best_only:
        bound = interval_bound(g, x, start, end, empty_count, &word_factor)
        if bound < g.best.equity:
            return
        interval = rank_interval(g, bound, word_factor)
    else:
        interval = &queue.items[queue.count]
        queue.count += 1
    interval.line = <uint8_t> line
    interval.start = <uint8_t> start
    interval.length = <uint8_t> length
    interval.empty_count = <uint8_t> empty_count
    interval.first_run = <uint8_t> first_run
    interval.run_count = <uint8_t> (last_run - first_run + 1)
    interval.kind = kind


cdef inline void request_memo(Generation *g, int letter, int length, int position) noexcept nogil:
    """Ask for the words of `length` letters that have `letter` at `position` and the rest from the rack.

    About half of all intervals hold one tile. The words for them are looked up once for each letter and length,
    and put into buckets by position (`g.memo_heads`); the requests say which buckets must be filled.
    """
    if not g.memo_letters >> letter & 1:
        g.memo_letters |= <letter_mask> 1 << letter
        memset(g.memo_needed[letter], 0, sizeof(uint32_t) * MEMO_LENGTHS)
        memset(g.memo_heads[letter], 0xFF, sizeof(uint32_t) * MEMO_LENGTHS * MEMO_LENGTHS)
    g.memo_needed[letter][length] |= <uint32_t> 1 << position


cdef inline void clear_results(Generation *g) noexcept nogil:
    """Forget the plays, the intervals and the counts of the generation before."""
    g.sink.count = g.interval_count = g.candidate_count = g.scanned_count = 0
    g.sink.overflow = 0
    g.with_tiles.count = g.with_one_tile.count = g.without_tiles.count = 0


cdef void forget_rack_words(Generation *g) noexcept nogil:
    """Forget the words that were looked up for another rack."""
    cdef int i
    g.memo_letters = 0
    g.memo_count = 0
    for i in range(RACK_CAPACITY + 1):
        g.rack_word_count[i] = -1


# Steps 3 to 6, candidates to sink: interval_kernel.inc.h, then validation_kernel.inc.h.


# ------------------------------------------------------------------------------ 7. the best play alone


cdef void improve_best(Generation *g, const IntervalKernels *kernels, uint64_t lines) noexcept nogil:
    """Find the best play by equity on some lines (bit set), if it is better than `g.best`.

    Each interval gets an upper bound of the equity of its plays (bounds.h) and waits in a bucket by that
    bound. Intervals are answered bucket by bucket from the highest; those whose bound is below the best play found
    are skipped.

    The caller has loaded the rack and its bounds, set `g.best`, and called `forget_rack_words` if the rack is new
    or plays were listed since.
    """
    cdef int line
    g.best_only = True
    g.ranked_count = 0
    clear_results(g)
    if not g.hand.tiles:
        return
    memset(g.bound_heads, 0xFF, sizeof(g.bound_heads))
    for line in range(2 * g.board.side):
        prefetch_ahead(g.board, line)
        if lines >> line & 1 and g.board.lines[line].interval_starts:
            load_line_bounds(g, &g.board.lines[line])
            find_intervals(g, kernels, line, ALL_SQUARES)
    kernels.play_ranked(g)


# The object that owns the memory and calls the functions above.
include "internal_words_generator.pxi"
