/* Answers an interval by the Anagram Method: every sub-multiset of the rack that fills it, with the interval's
 * letters, is looked up, and the words found are validated, scored and written.
 *
 * Included once per target after interval_kernel.inc.h, whose validation and scoring it uses.
 * Source: systems.md G4 (paper 000, section 3.2). */

/* Write the plays of an anagram in which exactly the blanks of its string stand for the letters that the string
 * lacks: the method's strings with fewer or more blanks are candidates of their own. */
TARGET static inline void NAME(write_anagram)(Generation *g, const NAME(Place) *p, uint32_t word, const WordRecord *record, const RackString *string) {
    const LexiconTables *t = g->tables;
    int32_t score = p->base + NAME(points)(g, &p->lanes, record, p->length);
    int spent = g->hand.leave_values ? NAME(leave_spent)(g, &p->lanes, record, p->placed) : 0;
    uint64_t keys[RACK_CAPACITY], lacking = 0 - string->letters;
    int32_t points[RACK_CAPACITY];
    int weight[RACK_CAPACITY], n = 0; /* what the leave number gains when a blank is spent in the letter's place */
    uint8_t square[RACK_CAPACITY];
    if (p->tiles == 1) word = ONE_TILE | record->letters[__builtin_ctz(p->placed)];
    if (!string->blanks) {
        NAME(write)(g, p, word, score, 0, spent, 0);
        return;
    }
    for (uint32_t placed = p->placed; placed; placed &= placed - 1, n++) {
        int i = __builtin_ctz(placed), letter = record->letters[i];
        int32_t factor = p->line->own_factor[p->start + i] * p->word_factor + p->line->across_factor[p->start + i];
        square[n] = (uint8_t)i;
        keys[n] = t->letter_keys[letter];
        lacking += keys[n];
        points[n] = factor * g->hand.values[letter];
        weight[n] = g->hand.blank_weight - g->hand.leave_weights[letter];
    }
    for (int i = 0; i < n; i++) {
        if (string->blanks == 1) {
            if (keys[i] == lacking)
                NAME(write)(g, p, word, score - points[i], 1u << square[i], spent + weight[i], 0);
            continue;
        }
        for (int j = i + 1; j < n; j++)
            if (keys[i] + keys[j] == lacking)
                NAME(write)(g, p, word, score - points[i] - points[j], 1u << square[i] | 1u << square[j],
                            spent + weight[i] + weight[j], 0);
    }
}

/* Place each anagram of a string; `words` NULL: they are the ids from `first` on. */
TARGET static inline void NAME(play_anagrams)(Generation *g, const NAME(Place) *p, const RackString *string, const uint32_t *words, uint32_t first, uint32_t count) {
    const WordRecord *records = g->tables->words;
    if (!reserve_plays(&g->sink, (uint64_t)count * (RACK_CAPACITY * (RACK_CAPACITY - 1) / 2))) return;
    g->candidate_count += count;
    if (words)
        for (uint32_t i = 0; i < count && i < 8; i++) __builtin_prefetch(&records[words[i]]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = words ? words[i] : first + i;
        if (words && i + 8 < count) __builtin_prefetch(&records[words[i + 8]]);
        if (NAME(admits)(&p->lanes, &records[word], p->length)) NAME(write_anagram)(g, p, word, &records[word], string);
    }
}

/* Beyond the rule of the index: all words of the interval's length, filtered by their scan masks and then counted
 * letter by letter, as the Internal-Words Method does with any number of blanks. */
TARGET static void NAME(play_without_index)(AnagramGeneration *a, int line_number, int start, int length) {
    Generation *g = &a->shared;
    const LexiconTables *t = g->tables;
    uint32_t found[CANDIDATE_CAPACITY + 16], ids[CANDIDATE_CAPACITY + 16];
    uint32_t first = t->length_start[length], last = t->length_start[length + 1];
    letter_mask held;
    NAME(Place) p;
    a->unindexed_count++;
    NAME(set_place)(g, &p, line_number, start, length);
    if (p.tiles == 1) {
        NAME(play_one_tile)(g, line_number, start, length);
        return;
    }
    NAME(hold_tiles)(g, &p);
    held = scan_mask(t, p.held[0], p.held[1]);
    g->scanned_count += last - first;
    for (uint32_t from = first; from < last && !g->sink.overflow; from += CANDIDATE_CAPACITY) {
        int count = last - from < CANDIDATE_CAPACITY ? (int)(last - from) : CANDIDATE_CAPACITY;
        for (int i = 0; i < count; i++) ids[i] = from + (uint32_t)i;
        NAME(play_words)(g, &p, found, NAME(scan)(t->word_masks + from, ids, count, held, g->hand.blanks, found), 0);
    }
}

/* Do the blanks that may fill an interval, and the letters in hand and interval beyond the tile set, number at
 * most what the index's strings hold? */
TARGET static int NAME(is_indexed)(const AnagramGeneration *a, const Line *line, int start, int length, int placed) {
    const Hand *hand = &a->shared.hand;
    uint8_t counts[LETTER_CAPACITY];
    memcpy(counts, hand->counts, sizeof(counts));
    for (int i = start; i < start + length; i++)
        if (line->tiles[i] != NO_LETTER) counts[line->tiles[i]]++;
    return (hand->blanks < placed ? hand->blanks : placed) +
               letter_excess(a->index, counts, a->shared.tables->letter_count) <= BLANKS_INDEXED;
}

TARGET static void NAME(play_interval)(AnagramGeneration *a, int line_number, int start, int length) {
    Generation *g = &a->shared;
    const LexiconTables *t = g->tables;
    const AnagramIndex *index = a->index;
    const Line *line = &g->board->lines[line_number];
    uint64_t tiles = line->key_before[start + length] - line->key_before[start];
    int placed = line->empty_before[start + length] - line->empty_before[start];
    const RackString *strings = a->strings[placed];
    const RackString *hits[SUBSET_CAPACITY / 2];
    int n = 0, ready = 0;
    NAME(Place) p;
    if (length > t->max_length) return;
    if (!a->indexed && !NAME(is_indexed)(a, line, start, length, placed)) {
        NAME(play_without_index)(a, line_number, start, length);
        return;
    }
    a->lookup_count += (uint64_t)a->string_count[placed];
    for (int i = 0; i < a->string_count[placed]; i++) { /* few strings have words: ask the filters first */
        uint64_t key = tiles + strings[i].key;
        if (strings[i].blanks) {
            if (!may_be_string(index, key)) continue;
            __builtin_prefetch(&index->strings[string_home(index, key)]);
        } else {
            if (!may_have_anagrams(t, key)) continue;
            __builtin_prefetch(&t->anagram_slots[key >> (64 - t->anagram_bits)]);
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
        if (!ready) NAME(set_place)(g, &p, line_number, start, length);
        ready = 1;
        NAME(play_anagrams)(g, &p, hits[i], words, first, count);
    }
}

static const AnagramKernels NAME(anagram_kernels) = {NAME(play_interval)};
