/* Step 7 of internal_words_kernel.pyx: answers the intervals for the best play alone, those with the highest bound first.
 *
 * The bound of an interval (bounds.h) says what the tiles with the most points and the best leave would bring.  Most
 * intervals that pass it hold no word of such tiles.  So each sub-multiset of the rack that fills the interval gets a
 * bound of its own, with its own points and its own leave, and only those that may hold a better play are looked up.
 * Included by interval_kernel.inc.h, once per vector path. */

/* Whether an interval is answered by the sub-multisets of the rack.  With a blank a sub-multiset becomes many look-ups,
 * which only intervals with the same letters share: the others choose between list and look-ups as for all plays. */
static inline int NAME(takes_subsets)(const Generation *g, const Interval *x) {
    if (x->kind == ONE_EMPTY_SQUARE || g->hand.blanks > MAX_SUBSET_BLANKS) return 0;
    return x->kind != HOLDS_TILES || !g->hand.blanks;
}

/* Return the sub-multisets of `size` letters, as bits, that may make words with a letter of the board (NO_TILE: alone), when
 * played with `blanks` blanks (0 or 1). */
TARGET static uint64_t NAME(find_subset_words)(Generation *g, int letter, int size, int blanks) {
    const LexiconTables *t = g->tables;
    uint64_t base = letter == NO_TILE ? 0 : t->letter_keys[letter], found = 0;
    if (g->subset_words_known[blanks][letter] >> size & 1) return g->subset_words[blanks][letter][size];
    for (int i = 0; i < g->subset_count[size]; i++) {
        uint64_t key = g->subset_keys[size][i] + base;
        found |= (uint64_t)(blanks ? may_be_completed(t, key) : may_have_anagrams(t, key)) << i;
    }
    g->subset_words_known[blanks][letter] |= (uint8_t)(1 << size);
    return g->subset_words[blanks][letter][size] = found;
}

/* Copy the keys of the sub-multisets of `size` letters which, played with `blanks` blanks (0 or 1), may hold a better play
 * than the best so far, and the letters that they exhaust; return how many. */
TARGET static inline int NAME(copy_subsets)(Generation *g, const RankedInterval *ranked, int size, int blanks, uint64_t *keys, letter_mask *exhausted) {
    const Interval *x = &ranked->interval;
    int64_t room = ranked->bound - g->best.equity;
    int32_t factor = 1000 * (ranked->word_factor < MAX_LOSS_FACTOR ? ranked->word_factor : MAX_LOSS_FACTOR);
    uint64_t promising = NAME(within)(g->subset_points_loss[blanks][size], g->subset_leave_loss[blanks][size], g->subset_count[size],
                                      factor, room < INT32_MAX ? (int32_t)room : INT32_MAX);
    int n = 0;
    if (!promising) return 0;
    if (x->kind != HOLDS_TILES) promising &= NAME(find_subset_words)(g, x->kind == HOLDS_ONE_TILE ? NAME(memo_letter)(g, x) : NO_TILE, size, blanks);
    for (; promising; promising &= promising - 1, n++) {
        int i = __builtin_ctzll(promising);
        keys[n] = g->subset_keys[size][i];
        exhausted[n] = g->subset_exhausted[size][i];
    }
    return n;
}

/* Answer intervals of a batch by the words of the first `count` probes. */
TARGET static void NAME(play_probes)(Generation *g, RankedInterval **batch, int count) {
    uint32_t words[CHUNK], n = 0;
    int found = NAME(look_up_probes)(g, count);
    for (int i = 0; i < found; i++) {
        const Probe *probe = &g->probes[i];
        for (uint32_t j = 0; j < probe->slot->count; j++) {
            words[n++] = probe->slot->first + j;
            if (n < CHUNK && (j + 1 < probe->slot->count || (i + 1 < found && probe[1].owner == probe->owner))) continue;
            NAME(play_words)(g, &batch[probe->owner]->interval, words, n, 1);
            n = 0;
        }
    }
}

/* Look up for the intervals of a batch the sub-multisets that may hold a better play. */
TARGET static void NAME(play_subsets)(Generation *g, RankedInterval **batch, int count) {
    uint64_t keys[RACK_SUBSETS];
    letter_mask exhausted[RACK_SUBSETS];
    int waiting = 0;
    for (int i = 0; i < count; i++) {
        const Interval *x = &batch[i]->interval;
        const Line *line = &g->board->lines[x->line];
        uint64_t tiles = line->key_before[x->start + x->length] - line->key_before[x->start];
        int subsets;
        if (!NAME(takes_subsets)(g, x)) continue;
        if (waiting > PROBE_BATCH) {
            NAME(play_probes)(g, batch, waiting);
            waiting = 0;
        }
        subsets = NAME(copy_subsets)(g, batch[i], x->empty_count, 0, keys, exhausted);
        waiting = NAME(add_subset_probes)(g, waiting, keys, subsets, tiles, i, x->length);
        if (!g->hand.blanks) continue;
        subsets = NAME(copy_subsets)(g, batch[i], x->empty_count - 1, 1, keys, exhausted);
        waiting = NAME(add_blank_probes)(g, waiting, keys, exhausted, subsets, tiles, i, x->length);
    }
    NAME(play_probes)(g, batch, waiting);
}

/* Answer some intervals together, so that their cache misses overlap. */
TARGET static void NAME(play_batch)(Generation *g, RankedInterval **batch, int count) {
    for (int i = 0; i < count; i++) {
        Interval *x = &batch[i]->interval;
        if (x->kind == HOLDS_TILES && !NAME(takes_subsets)(g, x)) NAME(find_list)(g, x);
    }
    NAME(play_subsets)(g, batch, count);
    for (int i = 0; i < count; i++) {
        const Interval *x = &batch[i]->interval;
        if (batch[i]->bound < g->best.equity || NAME(takes_subsets)(g, x)) continue;
        if (x->kind == HOLDS_TILES) NAME(find_candidates)(g, x);
        else if (x->kind == HOLDS_NO_TILE) NAME(play_rack_words)(g, x);
        else NAME(play_one_empty_square)(g, x->line, x->start, x->length);
    }
    NAME(play_waiting)(g);
}

/* Answer the intervals from the highest bound down, skipping those that cannot hold a better play. */
TARGET static void NAME(play_ranked)(Generation *g) {
    RankedInterval *batch[RANKED_BATCH];
    int count = 0;
    g->candidates_waiting = g->segments_waiting = 0;
    for (int bucket = BOUND_BUCKETS - 1; bucket >= bound_bucket(g->best.equity); bucket--)
        for (int32_t i = g->bound_heads[bucket]; i >= 0; i = g->ranked[i].next) {
            if (g->ranked[i].bound < g->best.equity) continue;
            batch[count++] = &g->ranked[i];
            if (count < RANKED_BATCH) continue;
            NAME(play_batch)(g, batch, count);
            count = 0;
        }
    NAME(play_batch)(g, batch, count);
}
