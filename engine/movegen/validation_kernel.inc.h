/* Validates the words found for an interval, scores them and writes their plays, blanks included.
 *
 * Included once per target, by interval_kernel.inc.h; NAME() gives each function the target's suffix, TARGET its
 * instruction set.  The operations that differ between targets are in VECTOR_OPERATIONS.
 * Source: systems.md G5 (thesis 001, section 5.6); what is ours: docs/internal-words.md. */

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
