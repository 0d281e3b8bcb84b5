"""The stored form of a loaded board: only what loading looks up in the lexicon.

The rest is computed from the board, which the reader has, so what is stored cannot contradict it. The form is
one StoredRun for each run, line by line, then one cross-check set (letter_mask) for each crossed square, line
by line.
"""


cdef Py_ssize_t stored_size(const LoadedBoardStruct *b) noexcept nogil:
    """Return the number of bytes of the stored form of a board whose squares are loaded."""
    cdef Py_ssize_t runs = 0, crossed = 0
    cdef int line
    cdef uint32_t occupied
    for line in range(2 * b.side):
        occupied = b.lines[line].occupied
        runs += count_bits(occupied & ~(occupied << 1))
        crossed += count_bits(b.lines[line].crossed)
    return runs * <Py_ssize_t> sizeof(StoredRun) + crossed * <Py_ssize_t> sizeof(letter_mask)


cdef void write_stored(const LoadedBoardStruct *b, uint8_t *to) noexcept nogil:
    """Write the stored form of a board, `stored_size` bytes."""
    cdef int line, r
    cdef uint32_t rest
    cdef const Run *run
    cdef StoredRun stored
    memset(&stored, 0, sizeof(StoredRun))
    for line in range(2 * b.side):
        for r in range(b.lines[line].run_count):
            run = &b.lines[line].runs[r]
            stored.front_hooks = run.front_hooks
            stored.back_hooks = run.back_hooks
            stored.internal_word = run.internal_word
            stored.internal_offset = <uint8_t> (run.internal_first - run.first)
            stored.internal_length = run.internal_length
            memcpy(to, &stored, sizeof(StoredRun))
            to += sizeof(StoredRun)
    for line in range(2 * b.side):
        rest = b.lines[line].crossed
        while rest:
            memcpy(to, &b.lines[line].admissible[lowest_bit(rest)], sizeof(letter_mask))
            to += sizeof(letter_mask)
            rest &= rest - 1


cdef bint read_run(const Line *x, const LexiconTables *t, const StoredRun *stored, Run *run) noexcept nogil:
    """Complete a run, whose squares are set, from its stored form; return false if that is not valid.

    The internal word must lie in the run and be one of the lexicon's of that length. Whether it is the right
    one needs no check: every play is compared with the tiles on the board. Hooks are sets of letters, so any
    value is valid.
    """
    cdef int length = run.last - run.first + 1
    if stored.internal_length < 1 or stored.internal_offset + stored.internal_length > length:
        return False
    run.internal_first = <uint8_t> (run.first + stored.internal_offset)
    run.internal_length = stored.internal_length
    run.front_hooks = stored.front_hooks
    run.back_hooks = stored.back_hooks
    run.internal_word = stored.internal_word
    if run.internal_word == NO_WORD:
        if run.internal_length == 1:
            run.first_list = LETTER_PLACEMENTS * x.tiles[run.internal_first]
        return True
    if run.internal_length < 2 or run.internal_length >= t.max_length:
        return False
    if not t.internal_start[run.internal_length] <= run.internal_word < t.internal_start[run.internal_length + 1]:
        return False
    run.first_list = t.internal_words[run.internal_word].first
    list_placed(t, run.internal_word, run.placements)
    return True


cdef bint read_runs(LoadedBoardStruct *b, const LexiconTables *t, const uint8_t **source) noexcept nogil:
    """Read the runs of a board whose squares are loaded; return false if one is not valid. Advances `source`."""
    cdef int line, first
    cdef uint32_t firsts
    cdef Line *x
    cdef StoredRun stored
    cdef Run *run
    for line in range(2 * b.side):
        x = &b.lines[line]
        firsts = x.occupied & ~(x.occupied << 1)
        while firsts:
            first = lowest_bit(firsts)
            firsts &= firsts - 1
            run = &x.runs[x.run_count]
            x.run_count += 1
            run.first = <uint8_t> first
            run.last = <uint8_t> last_of_run(x.occupied, first)
            memcpy(&stored, source[0], sizeof(StoredRun))
            source[0] += sizeof(StoredRun)
            if not read_run(x, t, &stored, run):
                return False
    return True


cdef void read_crosses(LoadedBoardStruct *b, int line, const uint8_t **source) noexcept nogil:
    """Read the cross-check sets of a line; any set of letters is valid. Advances `source`."""
    cdef uint32_t rest = b.lines[line].crossed
    cdef Neighbours neighbours
    cdef int i
    while rest:
        i = lowest_bit(rest)
        rest &= rest - 1
        neighbours = find_neighbours(b, line, i)
        load_cross_points(b, line, i, &neighbours)
        memcpy(&b.lines[line].admissible[i], source[0], sizeof(letter_mask))
        source[0] += sizeof(letter_mask)
