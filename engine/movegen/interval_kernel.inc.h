/* Step 3 of internal_words_kernel.pyx: finds the candidates of an interval, the words that may fill it.
 *
 * Candidates go to play_words() in validation_kernel.inc.h, which is included at the end and takes steps 4 to 6.
 * This file is included once per vector path (the build for one instruction set): NAME(x) gives each function the suffix
 * of the path, TARGET its instruction set, and VECTOR_OPERATIONS names the file with the few operations that differ between
 * the paths, all of them described in vector_plain.inc.h. __builtin_prefetch asks memory for data that is read a little
 * later; work is split into passes so that many such requests wait together.
 * Source: [Sanchez2025, sections 5.2 to 5.5]; what is not in the thesis: docs/internal-words.md. */

#include VECTOR_OPERATIONS

/* Validate words as candidates of an interval, score them and write their plays.  `fits`: the rack, with its
 * blanks, is known to supply the letters, and the tiles of the interval to be in their places. */
TARGET static void NAME(play_words)(Generation *g, const Interval *x, const uint32_t *words, uint32_t count, int fits);

/* Write the plays of an interval with one empty square. */
TARGET static void NAME(play_one_empty_square)(Generation *g, int line_number, int start, int length);

/* ---------------------------------------------------------------- looking up multisets: the anagrams of some letters
 *
 * A probe is a multiset of letters, as the sum of their keys, that is looked up in the table of anagrams.  Probes are
 * collected first, and a small bit set drops most of those without words; then all are looked up together.  The graph
 * of multisets gives, for a multiset, every letter that makes it the letters of a word of up to GRAPH_LETTERS letters. */

/* Add the probes of `count` sub-multisets, each joined with the letters of the key `base`, to the `waiting` ones; return
 * how many wait then.  `owner`, `length`: as in Probe. */
TARGET static inline int NAME(add_subset_probes)(Generation *g, int waiting, const uint64_t *subsets, int count, uint64_t base, int owner, int length) {
    const LexiconTables *t = g->tables;
    int first = waiting;
    for (int i = 0; i < count; i++) { /* no branch, since the outcome cannot be predicted */
        Probe probe = {subsets[i] + base, NULL, (uint8_t)owner, (uint8_t)length};
        g->probes[waiting] = probe;
        waiting += may_have_anagrams(t, probe.key);
    }
    for (int i = first; i < waiting; i++) prefetch_anagrams(t, g->probes[i].key);
    return waiting;
}

/* Add the probes that use the blank: each of `count` sub-multisets, joined with the letters of `base`, and one letter
 * more, which the blank stands for.  Only letters that the rack has no further copy of are taken: with a further copy,
 * the same multiset comes from a larger sub-multiset of the rack.  That the blank may also replace a letter of the rack
 * is left to step 5. */
TARGET static __attribute__((noinline)) int NAME(add_blank_probes)(Generation *g, int waiting, const uint64_t *subsets, const letter_mask *exhausted, int count, uint64_t base, int owner, int length) {
    const LexiconTables *t = g->tables;
    uint64_t keys[BLANK_SUBSETS];
    letter_mask missing[BLANK_SUBSETS];
    int promising = 0;
    for (int i = 0; i < count; i++) {
        keys[promising] = subsets[i] + base;
        missing[promising] = exhausted[i];
        promising += may_be_completed(t, keys[promising]);
    }
    for (int i = 0; i < promising; i++) __builtin_prefetch(&t->nodes[home_of(keys[i], t->node_homes)]);
    for (int i = 0; i < promising; i++)
        for (letter_mask letters = completing_letters(t, keys[i]) & missing[i]; letters; letters &= letters - 1) {
            Probe probe = {keys[i] + t->letter_keys[__builtin_ctzll(letters)], NULL, (uint8_t)owner, (uint8_t)length};
            g->probes[waiting++] = probe;
            prefetch_anagrams(t, probe.key);
        }
    return waiting;
}

/* Add the same probes for words of more than GRAPH_LETTERS letters, which the graph does not hold: try each letter. */
TARGET static __attribute__((noinline)) int NAME(add_long_blank_probes)(Generation *g, int waiting, int size, uint64_t base, int length) {
    const LexiconTables *t = g->tables;
    for (int i = 0; i < g->subset_count[size]; i++)
        for (int letter = 0; letter < t->letter_count; letter++) { /* no branch, since the outcome cannot be predicted */
            Probe probe = {g->subset_keys[size][i] + base + t->letter_keys[letter], NULL, 0, (uint8_t)length};
            g->probes[waiting] = probe;
            waiting += (int)(g->subset_exhausted[size][i] >> letter & 1) & may_have_anagrams(t, probe.key);
        }
    return waiting;
}

/* Add the probes of all that `size` tiles of the rack, one of them perhaps a blank, spell with the letters of `base`. */
TARGET static inline int NAME(add_rack_probes)(Generation *g, int waiting, int size, uint64_t base, int owner, int length) {
    waiting = NAME(add_subset_probes)(g, waiting, g->subset_keys[size], g->subset_count[size], base, owner, length);
    return g->hand.blanks ? NAME(add_blank_probes)(g, waiting, g->subset_keys[size - 1], g->subset_exhausted[size - 1], g->subset_count[size - 1], base, owner, length) : waiting;
}

/* Look up the first `count` probes; move those that have words to the front and return their number. */
TARGET static inline int NAME(look_up_probes)(Generation *g, int count) {
    const LexiconTables *t = g->tables;
    int found = 0;
    for (int i = 0; i < count; i++) {
        Probe probe = g->probes[i];
        if (!(probe.slot = find_anagrams(t, probe.key))) continue;
        __builtin_prefetch(word_letters(t, probe.slot->first, probe.length));
        g->probes[found++] = probe;
    }
    return found;
}

/* --------------------------------------------------------------- intervals without tiles: the words of the rack alone */

/* Find the words of a length that the rack spells.  With two blanks or more the sub-multisets are too many: then all
 * words of that length are scanned by their letters, and counted letter by letter if they pass. */
TARGET static void NAME(look_up_rack_words)(Generation *g, int length) {
    const LexiconTables *t = g->tables;
    uint32_t *words = g->rack_words[length];
    int32_t n = 0;
    if (g->hand.blanks > MAX_SUBSET_BLANKS) {
        uint32_t first = t->length_start[length], last = t->length_start[length + 1];
        uint32_t found[CHUNK + VECTOR_ROOM];
        g->scanned_count += last - first;
        for (uint32_t from = first; from < last; from += CHUNK) {
            int count = last - from < CHUNK ? (int)(last - from) : CHUNK;
            int hits = NAME(scan)(t->word_masks + from, from, count, g->rack_scan_mask, g->hand.blanks, found);
            for (int i = 0; i < hits; i++) {
                uint8_t missing[RACK_CAPACITY + 1];
                if (find_missing(g, word_letters(t, found[i], length), (1u << length) - 1, missing) <= g->hand.blanks) words[n++] = found[i];
            }
        }
    } else {
        int found = NAME(look_up_probes)(g, NAME(add_rack_probes)(g, 0, length, 0, 0, length));
        for (int i = 0; i < found; i++)
            for (uint32_t j = 0; j < g->probes[i].slot->count; j++) words[n++] = g->probes[i].slot->first + j;
    }
    g->rack_word_count[length] = n;
}

TARGET static inline void NAME(play_rack_words)(Generation *g, const Interval *x) {
    if (g->rack_word_count[x->length] < 0) NAME(look_up_rack_words)(g, x->length);
    if (!g->rack_word_count[x->length]) return;
    NAME(play_words)(g, x, g->rack_words[x->length], (uint32_t)g->rack_word_count[x->length], 1);
}

TARGET static void NAME(play_without_tiles)(Generation *g) {
    for (int32_t i = 0; i < g->without_tiles.count && !g->sink.overflow; i++) NAME(play_rack_words)(g, &g->without_tiles.items[i]);
}

/* ------------------------------------------------------------------- intervals with one tile: the memo of its letter
 *
 * The low level for all such intervals at once: the words of the letter and the rack are found once, and put into
 * buckets by (letter, length, position of the letter).  An interval takes the bucket that its tile names. */

/* Look up the first `count` probes and put their words into the buckets that were asked for (request_memo). */
TARGET static void NAME(fill_buckets)(Generation *g, int count) {
    count = NAME(look_up_probes)(g, count);
    for (int i = 0; i < count; i++) {
        Probe probe = g->probes[i];
        if (!reserve_memo(g, probe.slot->count * MEMO_LENGTHS)) return;
        for (uint32_t word = probe.slot->first; word < probe.slot->first + probe.slot->count; word++) {
            uint32_t positions = NAME(letter_squares)(word_letters(g->tables, word, probe.length), probe.owner) & g->memo_needed[probe.owner][probe.length];
            for (; positions; positions &= positions - 1) {
                uint32_t *head = &g->memo_heads[probe.owner][probe.length][__builtin_ctz(positions)];
                g->memo[g->memo_count].word = word;
                g->memo[g->memo_count].next = *head;
                *head = g->memo_count++;
            }
        }
    }
}

/* Add the probes of a letter and `size` tiles of the rack to those that wait; return how many wait then. */
TARGET static inline int NAME(add_memo_probes)(Generation *g, int waiting, int letter, int size) {
    if (waiting > PROBE_BATCH) {
        NAME(fill_buckets)(g, waiting);
        waiting = 0;
    }
    return NAME(add_rack_probes)(g, waiting, size, g->tables->letter_keys[letter], letter, size + 1);
}

/* Fill all buckets that were asked for. */
TARGET static void NAME(fill_memo)(Generation *g) {
    int waiting = 0;
    for (letter_mask letters = g->memo_letters; letters; letters &= letters - 1) {
        int letter = __builtin_ctzll(letters);
        for (int size = 2; size <= g->hand.tiles; size++)
            if (g->memo_needed[letter][size + 1]) waiting = NAME(add_memo_probes)(g, waiting, letter, size);
    }
    NAME(fill_buckets)(g, waiting);
}

/* The letter of the one tile in an interval. */
static inline int NAME(memo_letter)(const Generation *g, const Interval *x) {
    const Line *line = &g->board->lines[x->line];
    return line->tiles[line->runs[x->first_run].first];
}

TARGET static inline void NAME(play_memo)(Generation *g, const Interval *x) {
    int square = g->board->lines[x->line].runs[x->first_run].first;
    uint32_t entry = g->memo_heads[NAME(memo_letter)(g, x)][x->length][square - x->start];
    uint32_t words[CHUNK];
    while (entry != NO_ENTRY) {
        uint32_t n = 0;
        for (; entry != NO_ENTRY && n < CHUNK; entry = g->memo[entry].next) words[n++] = g->memo[entry].word;
        NAME(play_words)(g, x, words, n, 1);
    }
}

TARGET static void NAME(play_with_one_tile)(Generation *g) {
    NAME(fill_memo)(g);
    for (int32_t i = 0; i < g->with_one_tile.count && !g->sink.overflow; i++) NAME(play_memo)(g, &g->with_one_tile.items[i]);
}

/* --------------------------------------------------------------- all other intervals with tiles: high level or low level */

/* Find the shortest of the lists of the internal words in an interval: that of the rarest one.  Every word that fills the
 * interval stands in each of these lists.  placement_index() numbers a placement (position, length of the whole word) of
 * an internal word, placement_rank() counts how many lists of this internal word come before; the loaded board lists no
 * interval for which one of them does not exist.  If none of the lists is stored, take all words of this length. */
TARGET static inline void NAME(find_list)(Generation *g, Interval *x) {
    const LexiconTables *t = g->tables;
    const Line *line = &g->board->lines[x->line];
    uint32_t fewest = NO_ENTRY;
    for (int r = x->first_run; r < x->first_run + x->run_count; r++) {
        const Run *run = &line->runs[r];
        int placement = placement_index(run->internal_length, run->internal_first - x->start, x->length);
        uint32_t list = run->first_list + (run->internal_length == 1 ? (uint32_t)placement : placement_rank(run->placements, placement));
        uint32_t begin = t->list_starts[list], end = t->list_starts[list + 1];
        if (begin < end && end - begin < fewest) {
            fewest = end - begin;
            x->list_begin = begin;
            x->list_end = end;
        }
    }
    x->listed = fewest != NO_ENTRY;
    if (!x->listed) {
        x->list_begin = t->length_start[x->length];
        x->list_end = t->length_start[x->length + 1];
        return;
    }
    __builtin_prefetch(&t->list_masks[x->list_begin]);
    if (fewest > 16) __builtin_prefetch(&t->list_masks[x->list_begin + 16]);
}

TARGET static void NAME(find_lists)(Generation *g) {
    for (int32_t i = 0; i < g->with_tiles.count; i++) NAME(find_list)(g, &g->with_tiles.items[i]);
}

/* Candidates of these intervals wait until many are together, since the letters of each word are a miss of the caches. */
TARGET static void NAME(play_waiting)(Generation *g) {
    for (int32_t i = 0; i < g->segments_waiting; i++) {
        const Segment *segment = &g->segments[i];
        NAME(play_words)(g, segment->interval, g->candidates + segment->first, segment->count, 0);
    }
    g->segments_waiting = 0;
    g->candidates_waiting = 0;
}

/* Return where the next candidates go, after making room for CHUNK of them. */
TARGET static inline uint32_t *NAME(candidate_room)(Generation *g) {
    if (g->candidates_waiting > CANDIDATE_CAPACITY - CHUNK) NAME(play_waiting)(g);
    return g->candidates + g->candidates_waiting;
}

/* Add the `count` candidates just written to candidate_room() to those that wait, for an interval. */
TARGET static inline void NAME(add_waiting)(Generation *g, const Interval *x, int count) {
    const uint32_t *words = g->candidates + g->candidates_waiting;
    Segment segment = {x, (uint32_t)g->candidates_waiting, (uint32_t)count};
    if (!count) return;
    for (int i = 0; i < count; i++) __builtin_prefetch(word_letters(g->tables, words[i], x->length));
    g->segments[g->segments_waiting++] = segment;
    g->candidates_waiting += count;
}

/* High level: the words of the list, without most of those that the rack cannot supply.  The scan mask of a list entry
 * holds the letters of the word outside the internal word; with b blanks the rack may lack b of its bits.  Step 4 decides.
 * Without a list the scan masks of all words of this length are read; they hold every letter. */
TARGET static void NAME(find_in_list)(Generation *g, const Interval *x) {
    const LexiconTables *t = g->tables;
    const Line *line = &g->board->lines[x->line];
    const Run *run = &line->runs[x->first_run];
    uint32_t available = g->rack_scan_mask;
    /* Tiles outside that internal word are available too: those of other runs, and of a phony around the word.  All tiles
     * of the interval are added: a few words too many pass, none too few. */
    if (!x->listed || x->run_count > 1 || run->internal_length != run->last - run->first + 1)
        available = available_mask(g, line, x->start, x->length);
    g->scanned_count += x->list_end - x->list_begin;
    for (uint32_t from = x->list_begin; from < x->list_end; from += CHUNK) {
        int count = x->list_end - from < CHUNK ? (int)(x->list_end - from) : CHUNK;
        uint32_t *room = NAME(candidate_room)(g);
        int hits = NAME(scan)((x->listed ? t->list_masks : t->word_masks) + from, from, count, available, g->hand.blanks, room);
        if (x->listed)
            for (int i = 0; i < hits; i++) room[i] = list_word(t, room[i], x->length);
        NAME(add_waiting)(g, x, hits);
    }
}

/* Low level: the anagrams of the interval's tiles and each sub-multiset of the rack that fills it. */
TARGET static void NAME(find_by_subsets)(Generation *g, const Interval *x) {
    const Line *line = &g->board->lines[x->line];
    uint64_t tiles = line->key_before[x->start + x->length] - line->key_before[x->start];
    int waiting, found;
    if (!g->hand.blanks || x->length <= GRAPH_LETTERS) {
        waiting = NAME(add_rack_probes)(g, 0, x->empty_count, tiles, 0, x->length);
    } else {
        waiting = NAME(add_subset_probes)(g, 0, g->subset_keys[x->empty_count], g->subset_count[x->empty_count], tiles, 0, x->length);
        waiting = NAME(add_long_blank_probes)(g, waiting, x->empty_count - 1, tiles, x->length);
    }
    found = NAME(look_up_probes)(g, waiting);
    for (int i = 0; i < found; i++)
        for (uint32_t first = 0; first < g->probes[i].slot->count; first += CHUNK) {
            uint32_t *room = NAME(candidate_room)(g);
            int count = 0;
            for (uint32_t j = first; j < g->probes[i].slot->count && count < CHUNK; j++)
                room[count++] = g->probes[i].slot->first + j;
            NAME(add_waiting)(g, x, count);
        }
}

/* Choose the level: the low level if the list has more than fixed_threshold + threshold x look-ups words.  A sub-multiset
 * that a blank completes counts as BLANK_PROBES look-ups; in words that the graph does not hold, as one for each letter. */
TARGET static inline void NAME(find_candidates)(Generation *g, const Interval *x) {
    uint64_t probes = (uint64_t)g->subset_count[x->empty_count];
    if (g->hand.blanks) probes += (uint64_t)(x->length <= GRAPH_LETTERS ? BLANK_PROBES : g->tables->letter_count) * (uint64_t)g->subset_count[x->empty_count - 1];
    if (g->hand.blanks <= MAX_SUBSET_BLANKS && x->list_end - x->list_begin > g->fixed_threshold + g->threshold * probes) NAME(find_by_subsets)(g, x);
    else NAME(find_in_list)(g, x);
}

TARGET static void NAME(play_with_tiles)(Generation *g) {
    g->candidates_waiting = g->segments_waiting = 0;
    for (int32_t i = 0; i < g->with_tiles.count && !g->sink.overflow; i++) NAME(find_candidates)(g, &g->with_tiles.items[i]);
    NAME(play_waiting)(g);
}

#include "validation_kernel.inc.h"
#include "best_play_kernel.inc.h"

static const IntervalKernels NAME(interval_kernels) = {
    KERNEL_NAME, NAME(find_lists), NAME(play_with_tiles), NAME(play_with_one_tile), NAME(play_without_tiles),
    NAME(play_one_empty_square), NAME(play_ranked)};
