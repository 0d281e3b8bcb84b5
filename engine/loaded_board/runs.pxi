"""The runs of tiles of a line: the internal word of each, and the letters that extend or join them to words."""

cdef struct Principal:
    # The internal word of a run of tiles.
    int first                     # where it begins in the run
    int length                    # its letters
    uint32_t word                 # its word id; NO_WORD for a single letter
    const InternalWord *internal  # NULL for a single letter, and for a word that lies in no longer word


cdef Principal principal_word(const LexiconTables *t, const uint8_t *letters, int n) noexcept nogil:
    """Return the internal word of a run of `n` letters: the longest part that is a word, else its first letter."""
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


cdef int find_list(
        const LexiconTables *t, const uint8_t *letters, const Run *run, int at, int n, uint32_t *which,
        ) noexcept nogil:
    """Find the list of the words of `n` letters that contain a run's internal word at `at`; return its length.

    `letters`: those of the internal word; `which`: receives the number of the list.
    """
    cdef int bit = placement_index(run.internal_length, at, n)
    if run.internal_length == 1:
        which[0] = LETTER_PLACEMENTS * letters[0] + bit
    elif not run.placements[bit >> 6] >> (bit & 63) & 1:
        return 0
    else:
        which[0] = run.first_list + placement_rank(run.placements, bit)
    return t.list_starts[which[0] + 1] - t.list_starts[which[0]]


cdef letter_mask letters_in_gap(
        const LexiconTables *t, const uint8_t *pattern, int n, int gap, int at, int length, uint32_t which,
        ) noexcept nogil:
    """Return the letters that make a word of `n` letters when put into the gap of a pattern.

    `which`: the list of the internal word of `length` letters that lies at position `at` of the pattern.
    """
    cdef letter_mask fitting = 0, needed = 0
    cdef const uint8_t *letters
    cdef uint32_t q
    cdef int i
    for i in range(n):
        if i != gap and (i < at or i >= at + length):
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


cdef letter_mask letters_that_fit(
        const LexiconTables *t, const Line *x, const Run *run, const Run *other, int gap) noexcept nogil:
    """Return the letters that make a word on the empty square `gap`, with the run or the two runs beside it.

    `other`: the run after the gap if there are runs on both sides, else NULL.
    """
    cdef int first = min(run.first, gap)
    cdef int last = max(run.last, gap) if other == NULL else other.last
    cdef int n = last - first + 1, count, least
    cdef uint32_t which, found
    cdef const Run *key = run
    if n > t.max_length:
        return 0
    least = find_list(t, x.tiles + run.internal_first, run, run.internal_first - first, n, &which)
    if other != NULL and least:
        count = find_list(t, x.tiles + other.internal_first, other, other.internal_first - first, n, &found)
        if count < least:
            least, key, which = count, other, found
    if not least:
        return 0
    return letters_in_gap(
        t, x.tiles + first, n, gap - first, key.internal_first - first, key.internal_length, which)


cdef void load_run(Line *x, const LexiconTables *t, Run *run, int first, int last, int side) noexcept nogil:
    """Fill in the run on the squares first .. last of a line."""
    cdef Principal key = principal_word(t, x.tiles + first, last - first + 1)
    memset(run, 0, sizeof(Run))
    run.first = <uint8_t> first
    run.last = <uint8_t> last
    run.internal_first = <uint8_t> (first + key.first)
    run.internal_length = <uint8_t> key.length
    run.internal_word = NO_WORD
    if key.length == 1:
        run.first_list = LETTER_PLACEMENTS * x.tiles[first]
    elif key.internal != NULL:
        run.internal_word = <uint32_t> (key.internal - t.internal_words)
        run.first_list = key.internal.first
        memcpy(run.placements, key.internal.placed, sizeof(uint64_t) * PLACED_LIMBS)
    if key.length < last - first + 1:  # a phony
        if first > 0:
            run.front_hooks = letters_that_fit(t, x, run, NULL, first - 1)
        if last < side - 1:
            run.back_hooks = letters_that_fit(t, x, run, NULL, last + 1)
    elif key.length == 1:
        run.front_hooks = t.front_hooks[x.tiles[first]]
        run.back_hooks = t.back_hooks[x.tiles[first]]
    elif key.internal != NULL:
        run.front_hooks = key.internal.front_hooks
        run.back_hooks = key.internal.back_hooks
