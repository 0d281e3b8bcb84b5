/* Answers intervals: finds their words, validates, scores and writes the plays.
 *
 * Included once per target; NAME() gives each function the target's suffix, TARGET its instruction set.  The
 * operations that differ between targets are in VECTOR_OPERATIONS.
 * Source: systems.md G5 (thesis 001, sections 5.2 to 5.6); what is ours: speed.md, ideas 1 to 8. */

#include VECTOR_OPERATIONS

/* An interval made ready: what validation and scoring need of its squares. */
typedef struct {
    NAME(Lanes) lanes;
    const Line *line;
    uint32_t placed;  /* bit i: square i of the interval is empty */
    uint32_t crossed; /* squares of the line where the interval meets words across */
    int32_t base;     /* points that do not depend on the word: tiles there, words across, bonus */
    int32_t word_factor;
    uint8_t line_number, start, length, tiles;
    letter_mask held[COUNT_PLANES]; /* rack and tiles of the interval, as planes */
} NAME(Place);

TARGET static inline void NAME(set_place)(const Generation *g, NAME(Place) *p, int line_number, int start, int length) {
    const Line *line = &g->board->lines[line_number];
    uint32_t squares = (uint32_t)((1ull << length) - 1) << start;
    p->line = line;
    p->line_number = (uint8_t)line_number;
    p->start = (uint8_t)start;
    p->length = (uint8_t)length;
    p->tiles = (uint8_t)(line->empty_before[start + length] - line->empty_before[start]);
    p->placed = (squares & ~line->occupied) >> start;
    p->crossed = squares & line->crossed;
    p->word_factor = 1;
    for (uint32_t premium = squares & line->premium; premium; premium &= premium - 1)
        p->word_factor *= line->word_factor[__builtin_ctz(premium)];
    p->base = (line->points_before[start + length] - line->points_before[start]) * p->word_factor +
              line->across_before[start + length] - line->across_before[start] +
              (p->tiles == g->hand.bingo_tiles ? g->hand.bingo_bonus : 0);
    NAME(load_lanes)(&p->lanes, line, start, length, p->word_factor);
}

/* Add the tiles of the interval to the rack's planes. */
TARGET static inline void NAME(hold_tiles)(const Generation *g, NAME(Place) *p) {
    memcpy(p->held, g->at_least, sizeof(p->held));
    for (uint32_t tiles = (p->line->occupied >> p->start) & ~p->placed & (uint32_t)((1ull << p->length) - 1); tiles; tiles &= tiles - 1) {
        letter_mask carry = (letter_mask)1 << p->line->tiles[p->start + __builtin_ctz(tiles)];
        for (int k = 0; k < COUNT_PLANES; k++) {
            letter_mask both = p->held[k] & carry;
            p->held[k] |= carry;
            carry = both;
        }
    }
}

/* Words with more than COUNT_PLANES copies of a letter (or with no room for the mark) are counted exactly. */
static inline int NAME(is_crowded)(const WordRecord *word, int length) {
    return length == WORD_BYTES || word->letters[WORD_BYTES - 1];
}

/* Letters that blanks must stand for: `missing` gets one entry a tile; returns their number, or more than the
 * blanks held when the word cannot be played. */
TARGET static inline int NAME(missing_tiles)(const Generation *g, const NAME(Place) *p, const WordRecord *word, uint8_t *missing) {
    int n = 0;
    if (__builtin_expect(NAME(is_crowded)(word, p->length), 0)) {
        uint8_t left[LETTER_CAPACITY];
        memcpy(left, g->hand.counts, sizeof(left));
        for (uint32_t placed = p->placed; placed; placed &= placed - 1) {
            uint8_t letter = word->letters[__builtin_ctz(placed)];
            if (left[letter]) left[letter]--;
            else if (n == g->hand.blanks) return n + 1;
            else missing[n++] = letter;
        }
        return n;
    }
    for (int k = 0; k < COUNT_PLANES; k++)
        for (letter_mask lacking = word->at_least[k] & ~p->held[k]; lacking; lacking &= lacking - 1) {
            if (n == g->hand.blanks) return n + 1;
            missing[n++] = (uint8_t)__builtin_ctzll(lacking);
        }
    return n;
}

/* Write a play to the list, or keep it if it is the best so far. */
TARGET static inline __attribute__((always_inline)) void NAME(write)(Generation *g, const NAME(Place) *p, uint32_t word, int32_t score, uint32_t blanks, int spent, int best_only) {
    Play play = {word, score, 0, blanks, p->line_number, p->start, p->length, p->tiles, 0, {0}};
    if (!best_only) {
        write_play(&g->sink, &g->hand, play, spent);
        return;
    }
    value_play(&g->hand, &play, spent);
    if (g->found && !comes_before(&play, &g->best)) return;
    g->best = play;
    g->found = 1;
}

TARGET static inline int32_t NAME(points_on)(const Generation *g, const NAME(Place) *p, const WordRecord *record, int i) {
    const Line *line = p->line;
    int32_t factor = line->own_factor[p->start + i] * p->word_factor + line->across_factor[p->start + i];
    return factor * g->hand.values[record->letters[i]];
}

/* One blank held: write the play without it, if no letter is missing, and those with it on each square that may
 * take it. */
TARGET static inline __attribute__((always_inline)) void NAME(write_one_blank_plays)(Generation *g, const NAME(Place) *p, uint32_t word, const WordRecord *record, int32_t score, int spent, const uint8_t *missing, int missing_count, int best_only) {
    uint32_t squares = p->placed;
    if (missing_count == 0) NAME(write)(g, p, word, score, 0, spent, best_only);
    else squares &= NAME(letter_squares)(record, missing[0]);
    for (; squares; squares &= squares - 1) {
        int i = __builtin_ctz(squares);
        NAME(write)(g, p, word, score - NAME(points_on)(g, p, record, i), 1u << i,
                    spent + g->hand.blank_weight - g->hand.leave_weights[record->letters[i]], best_only);
    }
}

/* Write the play with blanks on two squares. */
TARGET static inline void NAME(write_pair)(Generation *g, const NAME(Place) *p, uint32_t word, const WordRecord *record, int32_t score, int spent, int i, int j) {
    const uint8_t *weights = g->hand.leave_weights;
    NAME(write)(g, p, word, score - NAME(points_on)(g, p, record, i) - NAME(points_on)(g, p, record, j), 1u << i | 1u << j,
                spent + 2 * g->hand.blank_weight - weights[record->letters[i]] - weights[record->letters[j]], g->best_only);
}

/* Three or more blanks held (rare tile sets): write a play for every set of three or more squares that covers the
 * missing letters. */
TARGET static void NAME(write_crowds)(Generation *g, const NAME(Place) *p, uint32_t word, const WordRecord *record, int32_t score, int spent, const uint8_t *missing, int missing_count) {
    for (uint32_t chosen = p->placed; chosen; chosen = (chosen - 1) & p->placed) {
        int count = __builtin_popcount(chosen), covered = 0, s = spent;
        int32_t left = score;
        uint32_t free = chosen;
        if (count < 3 || count > g->hand.blanks || count < missing_count) continue;
        for (int m = 0; m < missing_count; m++) {
            uint32_t squares = free & NAME(letter_squares)(record, missing[m]);
            free &= ~(squares & -squares);
            covered += squares != 0;
        }
        if (covered < missing_count) continue;
        for (uint32_t c = chosen; c; c &= c - 1) {
            int i = __builtin_ctz(c);
            left -= NAME(points_on)(g, p, record, i);
            s += g->hand.blank_weight - g->hand.leave_weights[record->letters[i]];
        }
        NAME(write)(g, p, word, left, chosen, s, g->best_only);
    }
}

/* Two or more blanks held: write a play for every choice of squares that take a blank, at least the missing
 * letters, at most the blanks held.  Only squares that can be chosen are gone through. */
TARGET static void NAME(write_blank_plays)(Generation *g, const NAME(Place) *p, uint32_t word, const WordRecord *record, int32_t score, int spent, const uint8_t *missing, int missing_count) {
    uint32_t first = p->placed, second = p->placed; /* squares for one blank and for another */
    if (missing_count > 0) first &= NAME(letter_squares)(record, missing[0]);
    if (missing_count > 1) second &= NAME(letter_squares)(record, missing[1]);
    if (missing_count < 2) NAME(write_one_blank_plays)(g, p, word, record, score, spent, missing, missing_count, g->best_only);
    if (missing_count < 3)
        for (uint32_t f = first; f; f &= f - 1) {
            uint32_t i = f & -f, others = second & ~i;
            others &= ~(first & second & (i - 1)); /* of two squares that may change places, once */
            for (; others; others &= others - 1)
                NAME(write_pair)(g, p, word, record, score, spent, __builtin_ctz(i), __builtin_ctz(others));
        }
    if (g->hand.blanks > 2) NAME(write_crowds)(g, p, word, record, score, spent, missing, missing_count);
}

/* Write the plays of a word that every square admits, if its letters are held.  `fits`: they are known to be, but
 * for blanks (low level).  `blanks` is 0, 1 or, for more, 2.  `best_only`: the best play alone is wanted, and the
 * word's points, blanks not yet counted off, are known already. */
TARGET static inline __attribute__((always_inline)) void NAME(play_word)(Generation *g, const NAME(Place) *p, uint32_t word, int32_t score, int fits, int blanks, int best_only) {
    const WordRecord *record = &g->tables->words[word];
    uint8_t missing[RACK_CAPACITY + 1];
    int missing_count = 0, spent;
    if (blanks) {
        missing_count = NAME(missing_tiles)(g, p, record, missing);
        if (missing_count > g->hand.blanks) return;
    } else if (!fits) {
        if (!NAME(contained)(record, p->held)) return;
        if (__builtin_expect(NAME(is_crowded)(record, p->length), 0) && NAME(missing_tiles)(g, p, record, missing)) return;
    }
    if (!best_only) score = p->base + NAME(points)(g, &p->lanes, record, p->length);
    spent = g->hand.leave_values ? NAME(leave_spent)(g, &p->lanes, record, p->placed) : 0;
    if (blanks > 1) NAME(write_blank_plays)(g, p, word, record, score, spent, missing, missing_count);
    else if (blanks) NAME(write_one_blank_plays)(g, p, word, record, score, spent, missing, missing_count, best_only);
    else NAME(write)(g, p, word, score, 0, spent, best_only);
}

/* Keep the words that every square admits, without a branch: which they are cannot be foreseen. */
TARGET static inline uint32_t NAME(keep_admitted)(const Generation *g, const NAME(Place) *p, const uint32_t *words, uint32_t count, uint32_t *kept) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        kept[n] = words[i];
        n += (uint32_t)NAME(admits)(&p->lanes, &g->tables->words[words[i]], p->length);
    }
    return n;
}

/* Keep the words that could be the best play: their points are high enough, and every square admits them. */
TARGET static inline uint32_t NAME(keep_promising)(const Generation *g, const NAME(Place) *p, const uint32_t *words, uint32_t count, uint32_t *kept, int32_t *scores) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const WordRecord *record = &g->tables->words[words[i]];
        int32_t score = p->base + NAME(points)(g, &p->lanes, record, p->length);
        if (1000 * (int64_t)score + g->leave_reach[p->tiles] < g->best.equity) continue;
        kept[n] = words[i];
        scores[n] = score;
        n += (uint32_t)NAME(admits)(&p->lanes, record, p->length);
    }
    return n;
}

TARGET static inline __attribute__((always_inline)) void NAME(play_chunk)(Generation *g, const NAME(Place) *p, const uint32_t *words, uint32_t count, int fits, int blanks) {
    uint32_t kept[CHUNK];
    if (g->best_only) {
        int32_t scores[CHUNK];
        count = NAME(keep_promising)(g, p, words, count, kept, scores);
        for (uint32_t i = 0; i < count; i++) NAME(play_word)(g, p, kept[i], scores[i], fits, blanks, 1);
        return;
    }
    if (!reserve_plays(&g->sink, count * (blanks == 0 ? 1 : blanks == 1 ? 8 : g->hand.blanks == 2 ? 29 : 1 << RACK_CAPACITY))) return;
    if (!fits || p->crossed) { /* else the words came by their tiles on the board, and nothing crosses */
        count = NAME(keep_admitted)(g, p, words, count, kept);
        words = kept;
    }
    for (uint32_t i = 0; i < count; i++) NAME(play_word)(g, p, words[i], 0, fits, blanks, 0);
}

/* Validate candidates and write their plays.  `fits`: they came by the letters of rack and interval and by the
 * places of its tiles, so that only crossings are left to check, and what blanks stand for. */
TARGET static void NAME(play_words)(Generation *g, const NAME(Place) *p, const uint32_t *words, uint32_t count, int fits) {
    g->candidate_count += count;
    for (uint32_t done = 0; done < count && !g->sink.overflow; done += CHUNK) {
        uint32_t some = count - done < CHUNK ? count - done : CHUNK;
        if (g->hand.blanks > 1) NAME(play_chunk)(g, p, words + done, some, fits, 2);
        else if (g->hand.blanks) NAME(play_chunk)(g, p, words + done, some, fits, 1);
        else NAME(play_chunk)(g, p, words + done, some, fits, 0);
    }
}

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
