"""Runs of tiles in a line: the internal word that stands for each, and the letters that extend or join them."""

cdef struct Principal:
    # The internal word that stands for a run of tiles.
    int first                # offset in the run
    int length               # letters
    uint32_t word            # word id, or NO_WORD: a single letter
    const InternalWord *internal  # NULL: a single letter, or a word inside no other word


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


cdef int find_list(
        const LexiconTables *t, const uint8_t *letters, const Run *run, int at, int n, uint32_t *which,
        ) noexcept nogil:
    """Find the list of the words of n letters that hold a run's internal word at `at`; return its length.

    `letters` are the run's own, from the internal word on.
    """
    cdef int bit = placement_index(run.key_length, at, n)
    if run.key_length == 1:
        which[0] = LETTER_PLACEMENTS * letters[0] + bit
    elif not run.placed[bit >> 6] >> (bit & 63) & 1:
        return 0
    else:
        which[0] = run.lists + placement_rank(run.placed, bit)
    return t.list_starts[which[0] + 1] - t.list_starts[which[0]]


cdef letter_mask letters_in_gap(
        const LexiconTables *t, const uint8_t *pattern, int n, int gap, int at, int length, uint32_t which,
        ) noexcept nogil:
    """Return the letters that make a word of n letters in the gap of a pattern.

    `which` is the list of the internal word that lies at at .. at + length - 1 of the pattern.
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
    """Return the letters that make a word in the empty square `gap` of a line, beside one run or between two
    (`other` is the later one, or NULL)."""
    cdef int first = min(run.first, gap)
    cdef int last = max(run.last, gap) if other == NULL else other.last
    cdef int n = last - first + 1, count, least
    cdef uint32_t which, found
    cdef const Run *key = run
    if n > t.max_length:
        return 0
    least = find_list(t, x.tiles + run.key_first, run, run.key_first - first, n, &which)
    if other != NULL and least:
        count = find_list(t, x.tiles + other.key_first, other, other.key_first - first, n, &found)
        if count < least:
            least, key, which = count, other, found
    if not least:
        return 0
    return letters_in_gap(t, x.tiles + first, n, gap - first, key.key_first - first, key.key_length, which)


cdef void load_run(Line *x, const LexiconTables *t, Run *run, int first, int last, int side) noexcept nogil:
    cdef Principal key = principal_word(t, x.tiles + first, last - first + 1)
    memset(run, 0, sizeof(Run))
    run.first = <uint8_t> first
    run.last = <uint8_t> last
    run.key_first = <uint8_t> (first + key.first)
    run.key_length = <uint8_t> key.length
    run.internal = NO_WORD
    if key.length == 1:
        run.lists = LETTER_PLACEMENTS * x.tiles[first]
    elif key.internal != NULL:
        run.internal = <uint32_t> (key.internal - t.internal_words)
        run.lists = key.internal.first
        memcpy(run.placed, key.internal.placed, sizeof(uint64_t) * PLACED_LIMBS)
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
