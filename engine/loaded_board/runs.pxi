"""The runs of tiles of a line: the internal word of each, and the letters that extend or join them to words."""

cdef struct Principal:
    # The internal word of a run of tiles.
    int first          # where it begins in the run
    int length         # its letters
    uint32_t word      # its word id; NO_WORD for a single letter
    uint32_t internal  # its index; NO_WORD for a single letter, and for a word that lies in no longer word


cdef Principal principal_word(const LexiconTables *t, const uint8_t *letters, int n) noexcept nogil:
    """Return the internal word of a run of `n` letters: the longest part that is a word, else its first letter."""
    cdef Principal found
    cdef int k, i
    found.internal = NO_WORD
    for k in range(min(n, t.max_length), 1, -1):
        for i in range(n - k + 1):
            found.word = find_word(t, letters + i, k)
            if found.word != NO_WORD:
                found.first = i
                found.length = k
                found.internal = internal_index(t, found.word)
                return found
    found.first = 0
    found.length = 1
    found.word = NO_WORD
    return found


cdef letter_mask letters_that_fit(
        const LexiconTables *t, const Line *x, const Run *run, const Run *other, int gap) noexcept nogil:
    """Return the letters that make a word on the empty square `gap`, with the run or the two runs beside it.

    `other`: the run after the gap if there are runs on both sides, else NULL.
    """
    cdef int first = min(run.first, gap)
    cdef int last = max(run.last, gap) if other == NULL else other.last
    cdef int n = last - first + 1, i, letter, count = 0
    cdef uint8_t word[SIDE]
    cdef uint8_t likely[LETTER_CAPACITY]
    cdef letter_mask fitting = 0
    cdef uint64_t tiles = 0
    if n > t.max_length:
        return 0
    for i in range(n):
        word[i] = x.tiles[first + i]
        if first + i != gap:
            tiles += t.letter_keys[word[i]]
    for letter in range(t.letter_count):  # no branch, since the outcome cannot be predicted
        likely[count] = <uint8_t> letter
        count += may_have_anagrams(t, tiles + t.letter_keys[letter])
    for i in range(count):
        letter = likely[i]
        word[gap - first] = <uint8_t> letter
        if find_keyed_word(t, word, n, tiles + t.letter_keys[letter]) != NO_WORD:
            fitting |= <letter_mask> 1 << letter
    return fitting


cdef void load_run(Line *x, const LexiconTables *t, Run *run, int first, int last, int side) noexcept nogil:
    """Fill in the run on the squares first .. last of a line."""
    cdef Principal key = principal_word(t, x.tiles + first, last - first + 1)
    memset(run, 0, sizeof(Run))
    run.first = <uint8_t> first
    run.last = <uint8_t> last
    run.internal_first = <uint8_t> (first + key.first)
    run.internal_length = <uint8_t> key.length
    run.internal_word = key.internal
    if key.length == 1:
        run.first_list = LETTER_PLACEMENTS * x.tiles[first]
    elif key.internal != NO_WORD:
        run.first_list = t.internal_words[key.internal].first
        list_placed(t, key.internal, run.placements)
    if key.length < last - first + 1:  # a phony
        if first > 0:
            run.front_hooks = letters_that_fit(t, x, run, NULL, first - 1)
        if last < side - 1:
            run.back_hooks = letters_that_fit(t, x, run, NULL, last + 1)
    elif key.length == 1:
        run.front_hooks = t.front_hooks[x.tiles[first]]
        run.back_hooks = t.back_hooks[x.tiles[first]]
    elif key.internal != NO_WORD:
        run.front_hooks = t.internal_words[key.internal].front_hooks
        run.back_hooks = t.internal_words[key.internal].back_hooks
