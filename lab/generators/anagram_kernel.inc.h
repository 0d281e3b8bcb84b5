/* Answers an interval by the Anagram Method: looks up every sub-multiset of the rack that fills it, joined with the
 * letters on the board, and validates, scores and writes the words found.
 *
 * Included once per vector path after interval_kernel.inc.h, whose validation and scoring it uses.
 * Source: [Anagram2018, section 3.2]. */

/* Write the plays of an anagram in which exactly the blanks of its string stand for the letters that the string
 * lacks: strings with fewer or more blanks are looked up separately. */
TARGET static inline void NAME(write_anagram)(Generation *g, const NAME(Site) *site, uint32_t word, const uint8_t *letters, const RackString *string) {
    const LexiconTables *t = g->tables;
    int32_t score = site->base_points + NAME(points)(g, &site->lanes, letters, site->length);
    int spent = g->hand.leave_values ? NAME(leave_spent)(g, &site->lanes, letters, site->empty) : 0;
    uint64_t keys[RACK_CAPACITY], lacking = 0 - string->letters;
    int32_t points[RACK_CAPACITY];
    int weight[RACK_CAPACITY], n = 0; /* what the leave weight gains if a blank takes the place of the letter */
    uint8_t square[RACK_CAPACITY];
    if (site->empty_count == 1) word = ONE_TILE | letters[__builtin_ctz(site->empty)];
    if (!string->blanks) {
        NAME(write)(g, site, word, score, 0, spent, 0);
        return;
    }
    for (uint32_t squares = site->empty; squares; squares &= squares - 1, n++) {
        int i = __builtin_ctz(squares), letter = letters[i];
        int32_t factor = site->line->along_factor[site->start + i] * site->word_factor + site->line->across_factor[site->start + i];
        square[n] = (uint8_t)i;
        keys[n] = t->letter_keys[letter];
        lacking += keys[n];
        points[n] = factor * g->hand.values[letter];
        weight[n] = g->hand.blank_weight - g->hand.leave_weights[letter];
    }
    for (int i = 0; i < n; i++) {
        if (string->blanks == 1) {
            if (keys[i] == lacking)
                NAME(write)(g, site, word, score - points[i], 1u << square[i], spent + weight[i], 0);
            continue;
        }
        for (int j = i + 1; j < n; j++)
            if (keys[i] + keys[j] == lacking)
                NAME(write)(g, site, word, score - points[i] - points[j], 1u << square[i] | 1u << square[j],
                            spent + weight[i] + weight[j], 0);
    }
}

/* Write the plays of each anagram of a string.  `words`: their ids, or NULL for the ids from `first` on. */
TARGET static inline void NAME(play_anagrams)(Generation *g, const NAME(Site) *site, const RackString *string, const uint32_t *words, uint32_t first, uint32_t count) {
    const LexiconTables *t = g->tables;
    int length = site->length;
    if (!reserve_plays(&g->sink, (uint64_t)count * (RACK_CAPACITY * (RACK_CAPACITY - 1) / 2))) return;
    g->candidate_count += count;
    if (words)
        for (uint32_t i = 0; i < count && i < 8; i++) __builtin_prefetch(word_letters(t, words[i], length));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = words ? words[i] : first + i;
        if (words && i + 8 < count) __builtin_prefetch(word_letters(t, words[i + 8], length));
        if (NAME(admits)(&site->lanes, word_letters(t, word, length), length)) NAME(write_anagram)(g, site, word, word_letters(t, word, length), string);
    }
}

/* Where the index does not reach: scan all words of the interval's length by their letters, then count letter by letter,
 * as the Internal-Words Method does with many blanks. */
TARGET static void NAME(play_without_index)(AnagramGeneration *a, int line_number, int start, int length) {
    Generation *g = &a->shared;
    const LexiconTables *t = g->tables;
    uint32_t found[CANDIDATE_CAPACITY + VECTOR_ROOM];
    uint32_t first = t->length_start[length], last = t->length_start[length + 1];
    uint32_t available;
    NAME(Site) site;
    a->unindexed_count++;
    NAME(set_site)(g, &site, line_number, start, length);
    if (site.empty_count == 1) {
        NAME(play_one_empty_square)(g, line_number, start, length);
        return;
    }
    available = available_mask(g, site.line, start, length);
    g->scanned_count += last - first;
    for (uint32_t from = first; from < last && !g->sink.overflow; from += CANDIDATE_CAPACITY) {
        int count = last - from < CANDIDATE_CAPACITY ? (int)(last - from) : CANDIDATE_CAPACITY;
        NAME(play_candidates)(g, &site, found, NAME(scan)(t->word_masks + from, from, count, available, g->hand.blanks, found), 0);
    }
}

/* Whether the index answers an interval: the blanks that may fill it, and the letters of rack and interval beyond the
 * tile set, are at most as many as its strings hold. */
TARGET static int NAME(is_indexed)(const AnagramGeneration *a, const Line *line, int start, int length, int empty_count) {
    const Hand *hand = &a->shared.hand;
    uint8_t counts[LETTER_CAPACITY];
    memcpy(counts, hand->counts, sizeof(counts));
    for (int i = start; i < start + length; i++)
        if (line->tiles[i] != NO_LETTER) counts[line->tiles[i]]++;
    return (hand->blanks < empty_count ? hand->blanks : empty_count) +
               letter_excess(a->index, counts, a->shared.tables->letter_count) <= BLANKS_INDEXED;
}

TARGET static void NAME(play_interval)(AnagramGeneration *a, int line_number, int start, int length) {
    Generation *g = &a->shared;
    const LexiconTables *t = g->tables;
    const AnagramIndex *index = a->index;
    const Line *line = &g->board->lines[line_number];
    uint64_t tiles = line->key_before[start + length] - line->key_before[start];
    int empty_count = line->empty_before[start + length] - line->empty_before[start];
    const RackString *strings = a->strings[empty_count];
    const RackString *hits[SUBSET_CAPACITY / 2];
    int n = 0, ready = 0;
    NAME(Site) site;
    if (length > t->max_length) return;
    if (!a->indexed && !NAME(is_indexed)(a, line, start, length, empty_count)) {
        NAME(play_without_index)(a, line_number, start, length);
        return;
    }
    a->lookup_count += (uint64_t)a->string_count[empty_count];
    for (int i = 0; i < a->string_count[empty_count]; i++) { /* few strings have words, so the bit sets are asked first */
        uint64_t key = tiles + strings[i].key;
        if (strings[i].blanks) {
            if (!may_be_string(index, key)) continue;
            __builtin_prefetch(&index->strings[home_of(key, index->home_count)]);
        } else {
            if (!may_have_anagrams(t, key)) continue;
            prefetch_anagrams(t, key);
        }
        hits[n++] = &strings[i];
    }
    for (int i = 0; i < n && !g->sink.overflow; i++) {
        uint64_t key = tiles + hits[i]->key;
        const uint32_t *words = NULL;
        uint32_t first, count;
        if (hits[i]->blanks) {
            const AnagramString *found = find_string(index, key);
            if (!found) continue;
            first = found->first;
            count = found->count;
            words = index->words + first;
        } else {
            const AnagramSlot *found = find_anagrams(t, key);
            if (!found) continue;
            first = found->first;
            count = found->count;
        }
        if (!ready) NAME(set_site)(g, &site, line_number, start, length);
        ready = 1;
        NAME(play_anagrams)(g, &site, hits[i], words, first, count);
    }
}

static const AnagramKernels NAME(anagram_kernels) = {NAME(play_interval)};
