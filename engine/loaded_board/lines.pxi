"""The fields of a line: tiles, runs, cross-check sets, points, halo and intervals."""

cdef struct Neighbours:
    # The runs of tiles on both sides of an empty square, in the line across.
    const Line *across
    int place          # number of the square in the line across
    const Run *before  # NULL if there is none
    const Run *after   # NULL if there is none


cdef inline Neighbours find_neighbours(const LoadedBoardStruct *b, int line, int i) noexcept nogil:
    """Return the runs beside square `i` of a line, in the line across."""
    cdef Neighbours found
    found.place = line if line < b.side else line - b.side
    found.across = &b.lines[b.side + i if line < b.side else i]
    cdef const Run *after = &found.across.runs[found.across.runs_before[found.place]]
    found.after = after if found.across.occupied >> (found.place + 1) & 1 else NULL
    found.before = after - 1 if found.place and found.across.occupied >> (found.place - 1) & 1 else NULL
    return found


cdef void load_cross_points(LoadedBoardStruct *b, int line, int i, const Neighbours *n) noexcept nogil:
    """Set the cross points of an empty square that has a tile beside it in the line across."""
    cdef int first = n.before.first if n.before != NULL else n.place
    cdef int end = n.after.last + 1 if n.after != NULL else n.place
    b.lines[line].cross_points[i] = <int16_t> (n.across.points_before[end] - n.across.points_before[first])


cdef void load_cross(LoadedBoardStruct *b, const LexiconTables *t, int line, int i) noexcept nogil:
    """Set cross-check set and cross points of an empty square that has a tile beside it in the line across."""
    cdef Neighbours n = find_neighbours(b, line, i)
    load_cross_points(b, line, i, &n)
    if n.after == NULL:
        b.lines[line].admissible[i] = n.before.back_hooks
    elif n.before == NULL:
        b.lines[line].admissible[i] = n.after.front_hooks
    else:
        b.lines[line].admissible[i] = letters_that_fit(t, n.across, n.before, n.after, n.place)


cdef inline uint32_t reachable_ends(
        const LexiconTables *t, const Line *x, const Run *run, int start) noexcept nogil:
    """Return the squares (bits) where an interval that begins at `start` and contains a run may end.

    Some word of that length has the run's internal word at that place.
    """
    cdef int at = run.internal_first - start
    cdef uint32_t lengths
    if run.internal_length == 1:
        lengths = t.letter_lengths[x.tiles[run.internal_first] * SIDE + at]
    else:
        lengths = placed_lengths(run.placements, run.internal_length, at)
    return (lengths >> 1) << start


cdef void load_intervals(Line *x, const LexiconTables *t, int side) noexcept nogil:
    """Find the intervals of a line that some word may fill, whatever the rack [Sanchez2025, chapter 5]."""
    cdef uint32_t squares = (<uint32_t> 1 << side) - 1
    cdef uint32_t starts = ~(x.occupied << 1) & squares
    cdef uint32_t ends_of_words = ~(x.occupied >> 1) & squares
    cdef uint32_t ends, reachable
    cdef int start, stop, lowest, k, run
    x.interval_starts = 0
    memset(x.interval_ends, 0, sizeof(x.interval_ends))
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
            ends &= ~(<uint32_t> 1 << x.runs[run].last)  # the run alone would have no empty square
        while run < x.run_count and ends >> x.runs[run].first:
            reachable = ((<uint32_t> 1 << x.runs[run].first) - 1) | reachable_ends(t, x, &x.runs[run], start)
            ends &= reachable
            run += 1
        if ends:
            x.interval_starts |= <uint32_t> 1 << start
            x.interval_ends[start] = ends


cdef void load_layout(Line *x, int side) noexcept nogil:
    """Set the bit sets of premium squares of a line from its factors."""
    cdef int i
    for i in range(side):
        x.doubles |= <uint32_t> (x.letter_factor[i] > 1) << i
        x.triples |= <uint32_t> (x.letter_factor[i] > 2) << i
        x.quadruples |= <uint32_t> (x.letter_factor[i] > 3) << i
        x.word_premiums |= <uint32_t> (x.word_factor[i] > 1) << i


cdef void load_tiles(LoadedBoardStruct *b, const LexiconTables *t, int line) noexcept nogil:
    """Compute from the occupied squares of a line what depends on its own tiles alone."""
    cdef Line *x = &b.lines[line]
    cdef int side = b.side
    cdef int step = 1 if line < side else side
    cdef const uint8_t *squares = b.squares + (line * side if line < side else line - side)
    cdef uint32_t occupied = x.occupied
    cdef int i, letter, points = 0, empties = 0
    cdef uint64_t key = 0
    for i in range(side):
        x.tiles[i] = NO_LETTER
        x.along_factor[i] = x.letter_factor[i]
        x.key_before[i] = key
        x.points_before[i] = points
        if occupied >> i & 1:
            letter = (squares[i * step] & ~BLANK_BIT) - 1
            x.tiles[i] = <uint8_t> letter
            x.admissible[i] = <letter_mask> 1 << letter
            x.cross_points[i] = -1
            x.along_factor[i] = 0
            key += t.letter_keys[letter]
            if not squares[i * step] & BLANK_BIT:
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
    count_before(occupied & ~(occupied << 1), x.runs_before)
    x.open_word_premiums = x.word_premiums & ~occupied


cdef inline int last_of_run(uint32_t occupied, int first) noexcept nogil:
    """Return the last square of the run that begins at square `first`."""
    return first + lowest_bit(~(occupied >> first)) - 1


cdef void load_runs(Line *x, const LexiconTables *t, uint32_t fresh, int side) noexcept nogil:
    """Find the runs of a line and their internal words.

    `fresh`: squares whose tile is new since the line was last loaded; runs without one are copied.
    """
    cdef uint32_t firsts = x.occupied & ~(x.occupied << 1)
    cdef int i, last, run_count = 0, old = 0
    cdef Run runs[RUN_CAPACITY]
    while firsts:
        i = lowest_bit(firsts)
        firsts &= firsts - 1
        last = last_of_run(x.occupied, i)
        if fresh & ((<uint32_t> 2 << last) - (<uint32_t> 1 << i)):
            load_run(x, t, &runs[run_count], i, last, side)
        else:
            while x.runs[old].first != i:
                old += 1
            runs[run_count] = x.runs[old]
        run_count += 1
    memcpy(x.runs, runs, run_count * sizeof(Run))
    if run_count < x.run_count:  # so that equal boards have equal bytes
        memset(&x.runs[run_count], 0, (x.run_count - run_count) * sizeof(Run))
    x.run_count = run_count


cdef void load_halo(LoadedBoardStruct *b, const LexiconTables *t, int line) noexcept nogil:
    """Compute what depends on the words across a line, and its intervals; their points must be loaded."""
    cdef Line *x = &b.lines[line]
    cdef int i, points = 0, side = b.side
    cdef uint32_t crossed = x.crossed
    x.halo = x.occupied | crossed
    if b.tile_count == 0 and (line < side or b.both_ways):
        x.halo = x.starts
    memset(x.across_factor, 0, side * sizeof(int16_t))
    for i in range(side):
        x.cross_points_before[i] = points
        if crossed >> i & 1:
            x.across_factor[i] = <int16_t> (x.letter_factor[i] * x.word_factor[i])
            points += x.cross_points[i] * x.word_factor[i]
    x.cross_points_before[side] = points
    load_intervals(x, t, side)


cdef inline void find_crossed(LoadedBoardStruct *b, int line) noexcept nogil:
    """Find the empty squares of a line that have a tile beside them in the line across."""
    cdef int place = line if line < b.side else line - b.side
    cdef uint32_t beside = 0
    if place > 0:
        beside = b.lines[line - 1].occupied
    if place < b.side - 1:
        beside |= b.lines[line + 1].occupied
    b.lines[line].crossed = beside & ~b.lines[line].occupied
