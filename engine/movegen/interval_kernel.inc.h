/* Answers intervals: finds the words for each, which validation_kernel.inc.h turns into plays.
 *
 * Included once per target; NAME() gives each function the target's suffix, TARGET its instruction set.
 * Source: systems.md G5 (thesis 001, sections 5.2 to 5.5); what is ours:
 * docs/internal-words.md. */

#include "validation_kernel.inc.h"

/* Keep the multisets that may have anagrams, and find those that have: the first `count` probes, their first words
 * on the way to the cache.  The passes are apart so that the misses of one overlap. */
TARGET static inline int NAME(find_classes)(Generation *g, int count) {
    const LexiconTables *t = g->tables;
    int classes = 0;
    for (int i = 0; i < count; i++) {
        Probe probe = g->probes[i];
        if (!(probe.slot = find_anagrams(t, probe.key))) continue;
        __builtin_prefetch(&t->words[probe.slot->first]);
        g->probes[classes++] = probe;
    }
    return classes;
}

TARGET static inline int NAME(add_probes)(Generation *g, int waiting, const uint64_t *subsets, int count, uint64_t base, int letter, int length) {
    const LexiconTables *t = g->tables;
    for (int i = 0; i < count; i++) {
        Probe probe = {subsets[i] + base, NULL, (uint8_t)letter, (uint8_t)length};
        g->probes[waiting] = probe;
        if (!may_have_anagrams(t, probe.key)) continue;
        __builtin_prefetch(&t->anagram_slots[probe.key >> (64 - t->anagram_bits)]);
        waiting++;
    }
    return waiting;
}

/* The graph of multisets names the letters that the blank may stand for.  Only letters of which the subset has all
 * there are: so no multiset comes up twice. */
TARGET static __attribute__((noinline)) int NAME(add_blank_probes)(Generation *g, int waiting, int size, uint64_t base, int letter, int length) {
    const LexiconTables *t = g->tables;
    uint64_t keys[BLANK_SUBSETS];
    letter_mask spent[BLANK_SUBSETS];
    int count = 0;
    for (int i = 0; i < g->subset_count[size]; i++) {
        keys[count] = g->subset_keys[size][i] + base;
        spent[count] = g->subset_spent[size][i];
        if (!may_be_completed(t, keys[count])) continue;
        __builtin_prefetch(&t->nodes[keys[count] >> (64 - t->node_bits)]);
        count++;
    }
    for (int i = 0; i < count; i++)
        for (letter_mask letters = completing_letters(t, keys[i]) & spent[i]; letters; letters &= letters - 1) {
            Probe probe = {keys[i] + t->letter_keys[__builtin_ctzll(letters)], NULL, (uint8_t)letter, (uint8_t)length};
            g->probes[waiting++] = probe;
            __builtin_prefetch(&t->anagram_slots[probe.key >> (64 - t->anagram_bits)]);
        }
    return waiting;
}

/* Add what `size` tiles of the rack, one of them perhaps a blank, make with the letters of a key to the probes that
 * wait; returns how many wait then. */
TARGET static inline int NAME(add_rack_probes)(Generation *g, int waiting, int size, uint64_t base, int letter, int length) {
    waiting = NAME(add_probes)(g, waiting, g->subset_keys[size], g->subset_count[size], base, letter, length);
    return g->hand.blanks ? NAME(add_blank_probes)(g, waiting, size - 1, base, letter, length) : waiting;
}

/* ------------------------------------------------------------------- intervals with tiles: lists of words */

/* Find the list of an interval's rarest internal word, and fetch its first entries ahead of their use. */
TARGET static inline void NAME(resolve_list)(Generation *g, Interval *x) {
    const LexiconTables *t = g->tables;
    const Line *line = &g->board->lines[x->line];
    uint32_t fewest = NO_ENTRY;
    for (int r = x->run; r < x->run + x->run_count; r++) {
        const Run *run = &line->runs[r];
        int index = placement_index(run->key_length, run->key_first - x->start, x->length);
        uint32_t list = run->lists + (run->key_length == 1 ? (uint32_t)index : placement_rank(run->placed, index));
        uint32_t first = t->list_starts[list], last = t->list_starts[list + 1];
        if (last - first < fewest) {
            fewest = last - first;
            x->first = first;
            x->last = last;
        }
    }
    __builtin_prefetch(&t->list_masks[x->first]);
    if (fewest > 16) __builtin_prefetch(&t->list_masks[x->first + 16]);
}

TARGET static void NAME(resolve_lists)(Generation *g) {
    for (int32_t i = 0; i < g->listed.count; i++) NAME(resolve_list)(g, &g->listed.items[i]);
}

/* Validate and write the words that wait. */
TARGET static void NAME(play_waiting)(Generation *g) {
    for (int32_t i = 0; i < g->segments_waiting; i++) {
        const Segment *segment = &g->segments[i];
        const Interval *x = segment->interval;
        NAME(Place) p;
        NAME(set_place)(g, &p, x->line, x->start, x->length);
        NAME(hold_tiles)(g, &p);
        NAME(play_words)(g, &p, g->candidates + segment->first, segment->count, 0);
    }
    g->segments_waiting = 0;
    g->candidates_waiting = 0;
}

/* Make room for the next words found; returns where they go. */
TARGET static inline uint32_t *NAME(candidate_room)(Generation *g) {
    if (g->candidates_waiting > CANDIDATE_CAPACITY - CHUNK) NAME(play_waiting)(g);
    return g->candidates + g->candidates_waiting;
}

/* Let the next `count` candidates wait for an interval, their records on the way to the cache. */
TARGET static inline void NAME(let_wait)(Generation *g, const Interval *x, int count) {
    const uint32_t *words = g->candidates + g->candidates_waiting;
    Segment segment = {x, (uint32_t)g->candidates_waiting, (uint32_t)count};
    if (!count) return;
    for (int i = 0; i < count; i++) __builtin_prefetch(&g->tables->words[words[i]]);
    g->segments[g->segments_waiting++] = segment;
    g->candidates_waiting += count;
}

/* High level: all words of the list whose letters are held. */
TARGET static void NAME(find_in_list)(Generation *g, const Interval *x) {
    const LexiconTables *t = g->tables;
    const Line *line = &g->board->lines[x->line];
    letter_mask held = g->held;
    /* The masks leave out one internal word; any other tile of the interval is there too: those of other runs,
     * and of a phony around the word. */
    if (x->run_count > 1 || line->runs[x->run].key_length != line->runs[x->run].last - line->runs[x->run].first + 1) {
        letter_mask once = g->at_least[0], twice = g->at_least[1];
        for (int i = x->start; i < x->start + x->length; i++)
            if (line->tiles[i] != NO_LETTER) {
                letter_mask letter = (letter_mask)1 << line->tiles[i];
                twice |= once & letter;
                once |= letter;
            }
        held = scan_mask(t, once, twice);
    }
    g->scanned_count += x->last - x->first;
    for (uint32_t from = x->first; from < x->last; from += CHUNK) {
        int count = x->last - from < CHUNK ? (int)(x->last - from) : CHUNK;
        uint32_t *room = NAME(candidate_room)(g);
        NAME(let_wait)(g, x, NAME(scan)(t->list_masks + from, t->list_words + from, count, held, g->hand.blanks, room));
    }
}

/* Low level: the anagrams of the interval's tiles and each sub-multiset of the rack that fills it. */
TARGET static void NAME(find_by_subsets)(Generation *g, const Interval *x) {
    const Line *line = &g->board->lines[x->line];
    uint64_t tiles = line->key_before[x->start + x->length] - line->key_before[x->start];
    int n = NAME(find_classes)(g, NAME(add_rack_probes)(g, 0, x->placed, tiles, 0, 0));
    for (int i = 0; i < n; i++)
        for (uint32_t first = 0; first < g->probes[i].slot->count; first += CHUNK) {
            uint32_t *room = NAME(candidate_room)(g);
            int count = 0;
            for (uint32_t j = first; j < g->probes[i].slot->count && count < CHUNK; j++)
                room[count++] = g->probes[i].slot->first + j;
            NAME(let_wait)(g, x, count);
        }
}

/* Do the sub-multisets of the rack answer an interval of this length?  With a blank, as far as the graph leads. */
static inline int NAME(has_low_level)(const Generation *g, int length) {
    return !g->hand.blanks || (g->hand.blanks <= MOST_SUBSET_BLANKS && length <= GRAPH_LETTERS);
}

TARGET static inline void NAME(find_listed)(Generation *g, const Interval *x) {
    uint64_t probes = (uint64_t)g->subset_count[x->placed];
    if (g->hand.blanks) probes += BLANK_PROBES * (uint64_t)g->subset_count[x->placed - 1];
    if (NAME(has_low_level)(g, x->length) && x->last - x->first > g->fixed_threshold + g->threshold * probes) NAME(find_by_subsets)(g, x);
    else NAME(find_in_list)(g, x);
}

TARGET static void NAME(play_listed)(Generation *g) {
    g->candidates_waiting = g->segments_waiting = 0;
    for (int32_t i = 0; i < g->listed.count && !g->sink.overflow; i++) NAME(find_listed)(g, &g->listed.items[i]);
    NAME(play_waiting)(g);
}

/* ---------------------------------------------------------------- intervals with one tile: memo of a letter */

/* Put the words of the probed multisets into the buckets of the letter added to each. */
TARGET static void NAME(fill_buckets)(Generation *g, int count) {
    const WordRecord *words = g->tables->words;
    count = NAME(find_classes)(g, count);
    for (int i = 0; i < count; i++) {
        Probe probe = g->probes[i];
        if (!reserve_memo(g, probe.slot->count * MEMO_LENGTHS)) return;
        for (uint32_t word = probe.slot->first; word < probe.slot->first + probe.slot->count; word++) {
            uint32_t positions = NAME(letter_squares)(&words[word], probe.letter) & g->memo_needed[probe.letter][probe.length];
            for (; positions; positions &= positions - 1) {
                uint32_t *head = &g->memo_heads[probe.letter][probe.length][__builtin_ctz(positions)];
                g->memo[g->memo_count].word = word;
                g->memo[g->memo_count].next = *head;
                *head = g->memo_count++;
            }
        }
    }
}

/* Add the words made of a letter and v tiles of the rack to the probes that wait; returns how many wait then. */
TARGET static inline int NAME(add_memo_probes)(Generation *g, int waiting, int letter, int v) {
    if (waiting > PROBE_BATCH) {
        NAME(fill_buckets)(g, waiting);
        waiting = 0;
    }
    return NAME(add_rack_probes)(g, waiting, v, g->tables->letter_keys[letter], letter, v + 1);
}

/* Find the words made of each letter needed and any sub-multiset of the rack. */
TARGET static void NAME(fill_memo)(Generation *g) {
    int waiting = 0;
    for (letter_mask letters = g->memo_letters; letters; letters &= letters - 1) {
        int letter = __builtin_ctzll(letters);
        for (int v = 2; v <= g->hand.tiles; v++)
            if (g->memo_needed[letter][v + 1]) waiting = NAME(add_memo_probes)(g, waiting, letter, v);
    }
    NAME(fill_buckets)(g, waiting);
}

static inline int NAME(memo_letter)(const Generation *g, const Interval *x) {
    const Line *line = &g->board->lines[x->line];
    return line->tiles[line->runs[x->run].first];
}

TARGET static inline void NAME(play_memo)(Generation *g, const Interval *x) {
    int square = g->board->lines[x->line].runs[x->run].first;
    uint32_t entry = g->memo_heads[NAME(memo_letter)(g, x)][x->length][square - x->start];
    uint32_t words[CHUNK];
    NAME(Place) p;
    if (entry == NO_ENTRY) return;
    NAME(set_place)(g, &p, x->line, x->start, x->length);
    NAME(hold_tiles)(g, &p);
    while (entry != NO_ENTRY) {
        uint32_t n = 0;
        for (; entry != NO_ENTRY && n < CHUNK; entry = g->memo[entry].next) words[n++] = g->memo[entry].word;
        NAME(play_words)(g, &p, words, n, 1);
    }
}

TARGET static void NAME(play_lettered)(Generation *g) {
    NAME(fill_memo)(g);
    for (int32_t i = 0; i < g->lettered.count && !g->sink.overflow; i++) NAME(play_memo)(g, &g->lettered.items[i]);
}

/* ------------------------------------------------------------- intervals without tiles: words of the rack */

TARGET static void NAME(look_up_rack_words)(Generation *g, int length) {
    const LexiconTables *t = g->tables;
    uint32_t *words = g->rack_words[length];
    int32_t n = 0;
    if (g->hand.blanks > MOST_SUBSET_BLANKS) {
        uint32_t first = t->length_start[length], last = t->length_start[length + 1];
        uint32_t found[CHUNK + 16], ids[CHUNK + 16];
        g->scanned_count += last - first;
        for (uint32_t from = first; from < last; from += CHUNK) {
            int count = last - from < CHUNK ? (int)(last - from) : CHUNK, hits;
            for (int i = 0; i < count; i++) ids[i] = from + (uint32_t)i;
            hits = NAME(scan)(t->word_masks + from, ids, count, g->held, g->hand.blanks, found);
            for (int i = 0; i < hits; i++) {
                const WordRecord *record = &t->words[found[i]];
                int missing = 0;
                for (int k = 0; k < COUNT_PLANES; k++)
                    missing += __builtin_popcountll(record->at_least[k] & ~g->at_least[k]);
                if (missing <= g->hand.blanks) words[n++] = found[i];
            }
        }
    } else {
        int hits = NAME(find_classes)(g, NAME(add_rack_probes)(g, 0, length, 0, 0, 0));
        for (int i = 0; i < hits; i++)
            for (uint32_t j = 0; j < g->probes[i].slot->count; j++) words[n++] = g->probes[i].slot->first + j;
    }
    g->rack_word_count[length] = n;
}

TARGET static inline void NAME(play_rack_words)(Generation *g, const Interval *x) {
    NAME(Place) p;
    if (g->rack_word_count[x->length] < 0) NAME(look_up_rack_words)(g, x->length);
    if (!g->rack_word_count[x->length]) return;
    NAME(set_place)(g, &p, x->line, x->start, x->length);
    NAME(hold_tiles)(g, &p);
    NAME(play_words)(g, &p, g->rack_words[x->length], (uint32_t)g->rack_word_count[x->length], 1);
}

TARGET static void NAME(play_open)(Generation *g) {
    for (int32_t i = 0; i < g->open.count && !g->sink.overflow; i++) NAME(play_rack_words)(g, &g->open.items[i]);
}

/* ---------------------------------------------------------------------------- intervals with one empty square */

/* The cross-check sets of both directions name the letters: no word is looked up. */
TARGET static void NAME(play_one_tile)(Generation *g, int line_number, int start, int length) {
    int side = g->board->side, square, crossing, place;
    uint32_t held_blanks = (uint32_t)g->hand.blanks;
    letter_mask admissible;
    NAME(Place) p;
    int32_t factor;
    if (!g->best_only && !reserve_plays(&g->sink, 2 * LETTER_CAPACITY)) return;
    NAME(set_place)(g, &p, line_number, start, length);
    square = start + __builtin_ctz(p.placed);
    crossing = line_number < side ? side + square : square;
    place = line_number < side ? line_number : line_number - side;
    admissible = p.line->admissible[square] & g->board->lines[crossing].admissible[place];
    if (g->tables->letter_count < MASK_BITS) admissible &= ((letter_mask)1 << g->tables->letter_count) - 1;
    factor = p.line->own_factor[square] * p.word_factor + p.line->across_factor[square];
    for (letter_mask letters = admissible & g->hand.letters; letters; letters &= letters - 1) {
        int letter = __builtin_ctzll(letters);
        NAME(write)(g, &p, ONE_TILE | (uint32_t)letter, p.base + factor * g->hand.values[letter], 0, g->hand.leave_weights[letter], g->best_only);
    }
    if (held_blanks)
        for (letter_mask letters = admissible; letters; letters &= letters - 1)
            NAME(write)(g, &p, ONE_TILE | (uint32_t)__builtin_ctzll(letters), p.base, p.placed, g->hand.blank_weight, g->best_only);
}

/* ----------------------------------------------------------------------------------- the best play alone */

/* Find the words of a letter and the rack that one interval asks for, and all others of its letter and length. */
TARGET static inline void NAME(complete_memo)(Generation *g, const Interval *x) {
    int letter = NAME(memo_letter)(g, x);
    if (!g->memo_needed[letter][x->length]) return;
    NAME(fill_buckets)(g, NAME(add_memo_probes)(g, 0, letter, x->placed));
    g->memo_needed[letter][x->length] = 0;
}

/* Answer some intervals together, so that their cache misses overlap. */
TARGET static void NAME(play_batch)(Generation *g, RankedInterval **batch, int count) {
    for (int i = 0; i < count; i++)
        if (batch[i]->interval.kind == LISTED) NAME(resolve_list)(g, &batch[i]->interval);
    for (int i = 0; i < count; i++) {
        const Interval *x = &batch[i]->interval;
        if (batch[i]->bound < g->best.equity) continue;
        if (x->kind == LISTED) {
            NAME(find_listed)(g, x);
        } else if (x->kind == LETTERED) {
            NAME(complete_memo)(g, x);
            NAME(play_memo)(g, x);
        } else if (x->kind == OPEN) {
            NAME(play_rack_words)(g, x);
        } else {
            NAME(play_one_tile)(g, x->line, x->start, x->length);
        }
    }
    NAME(play_waiting)(g);
}

/* Answer the intervals from the highest bound down, until none can hold a better play. */
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

static const IntervalKernels NAME(interval_kernels) = {
    KERNEL_NAME, NAME(resolve_lists), NAME(play_listed), NAME(play_lettered), NAME(play_open), NAME(play_one_tile),
    NAME(play_ranked)};
