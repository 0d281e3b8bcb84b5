/* Step 7 of internal_words_kernel.pyx: answers the intervals for the best play alone, those with the highest bound first.
 *
 * The bound of an interval (bounds.h) says what the tiles with the most points and the best leave would bring.  Most
 * intervals that pass it hold no word of such tiles.  So each sub-multiset of the rack that fills the interval gets a
 * bound of its own, with its own points and its own leave, and only those that may hold a better play are looked up.
 * Included by interval_kernel.inc.h, once per vector path. */

/* Whether the sub-multisets of the rack are looked up to answer an interval: else its list is read. */
static inline int NAME(is_looked_up)(const Generation *g, const Interval *x) {
    return x->kind != ONE_EMPTY_SQUARE && NAME(has_low_level)(g, x->length);
}

/* Copy the keys of the sub-multisets of `size` letters which, played with so many `blanks` (0 or 1), may hold a better play
 * than the best so far, and the letters that they exhaust; return how many. */
TARGET static inline int NAME(copy_subsets)(const Generation *g, const RankedInterval *ranked, int size, int blanks, uint64_t *keys, letter_mask *exhausted) {
    int64_t room = ranked->bound - g->best.equity, factor = 1000 * (int64_t)ranked->word_factor;
    int n = 0;
    for (int i = 0; i < g->subset_count[size]; i++) {
        keys[n] = g->subset_keys[size][i];
        exhausted[n] = g->subset_exhausted[size][i];
        n += factor * g->subset_points_loss[blanks][size][i] + g->subset_leave_loss[blanks][size][i] <= room;
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
TARGET static void NAME(play_looked_up)(Generation *g, RankedInterval **batch, int count) {
    uint64_t keys[RACK_SUBSETS];
    letter_mask exhausted[RACK_SUBSETS];
    int waiting = 0;
    for (int i = 0; i < count; i++) {
        const Interval *x = &batch[i]->interval;
        const Line *line = &g->board->lines[x->line];
        uint64_t tiles = line->key_before[x->start + x->length] - line->key_before[x->start];
        int subsets;
        if (!NAME(is_looked_up)(g, x)) continue;
        if (waiting > PROBE_BATCH) {
            NAME(play_probes)(g, batch, waiting);
            waiting = 0;
        }
        subsets = NAME(copy_subsets)(g, batch[i], x->empty_count, 0, keys, exhausted);
        waiting = NAME(add_subset_probes)(g, waiting, keys, subsets, tiles, i, 0);
        if (!g->hand.blanks) continue;
        subsets = NAME(copy_subsets)(g, batch[i], x->empty_count - 1, 1, keys, exhausted);
        waiting = NAME(add_blank_probes)(g, waiting, keys, exhausted, subsets, tiles, i, 0);
    }
    NAME(play_probes)(g, batch, waiting);
}

/* Answer some intervals together, so that their cache misses overlap. */
TARGET static void NAME(play_batch)(Generation *g, RankedInterval **batch, int count) {
    NAME(play_looked_up)(g, batch, count);
    for (int i = 0; i < count; i++) {
        Interval *x = &batch[i]->interval;
        if (batch[i]->bound < g->best.equity || NAME(is_looked_up)(g, x)) continue;
        if (x->kind == ONE_EMPTY_SQUARE) {
            NAME(play_one_empty_square)(g, x->line, x->start, x->length);
        } else if (x->kind == HOLDS_NO_TILE) {
            NAME(play_rack_words)(g, x);
        } else {
            NAME(find_list)(g, x);
            NAME(find_in_list)(g, x);
        }
    }
    NAME(play_waiting)(g);
}

/* Answer the intervals from the highest bound down, skipping those that cannot hold a better play. */
TARGET static void NAME(play_ranked)(Generation *g) {
    RankedInterval *batch[RANKED_BATCH];
    int count = 0;
    g->candidates_waiting = g->segments_waiting = 0;
    for (int bucket = BOUND_BUCKETS - 1; bucket >= 0; bucket--)
        for (int32_t i = g->bound_heads[bucket]; i >= 0; i = g->ranked[i].next) {
            if (g->ranked[i].bound < g->best.equity) continue;
            batch[count++] = &g->ranked[i];
            if (count < RANKED_BATCH) continue;
            NAME(play_batch)(g, batch, count);
            count = 0;
        }
    NAME(play_batch)(g, batch, count);
}
