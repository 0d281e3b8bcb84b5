/* Steps 4 to 6 of internal_words_kernel.pyx: cross-checks, score, sink.  From candidates to plays, in this order:
 *
 *   play_words    takes the candidates of an interval, play_candidates a batch of them
 *   play_chunk    4. keeps those that every square admits (the cross-check sets)
 *   play_word     4. keeps those whose letters the rack supplies; 5. adds up their points
 *   write_..._plays  5. makes a play of each choice of squares that blanks may take
 *   write         6. values the leave and writes the play to the sink, or compares it with the best play so far
 *
 * Included by interval_kernel.inc.h, once per vector path; the operations on `lanes` (admits, points, leave_spent) and on
 * the letters of a word (letter_squares) are described in vector_plain.inc.h.
 * Source: [Sanchez2025, section 5.6]; what is not in the thesis: docs/internal-words.md. */

/* What validation and scoring need to know of one interval. */
typedef struct {
    NAME(Lanes) lanes;       /* admissible letters and factors of its squares, ready for the vector operations */
    const Line *line;
    uint32_t empty;          /* bit i: square i of the interval is empty */
    uint32_t crossed;        /* squares of the line (bits) where the interval meets words across */
    int32_t base_points;     /* points that every word scores here: tiles there, words across, bingo bonus */
    int32_t word_factor;     /* product of the word factors of its empty squares */
    uint8_t line_number, start, length;
    uint8_t empty_count;     /* its empty squares, which a play fills with as many tiles */
} NAME(Site);

TARGET static inline __attribute__((always_inline)) void NAME(play_chunk)(Generation *g, const NAME(Site) *site, const uint32_t *words, uint32_t count, int fits, int blanks);
TARGET static inline __attribute__((always_inline)) void NAME(play_word)(Generation *g, const NAME(Site) *site, uint32_t word, int32_t score, int fits, int blanks, int best_only);
TARGET static inline __attribute__((always_inline)) void NAME(write_one_blank_plays)(Generation *g, const NAME(Site) *site, uint32_t word, const uint8_t *letters, int32_t score, int spent, const uint8_t *missing, int missing_count, int best_only);
TARGET static void NAME(write_blank_plays)(Generation *g, const NAME(Site) *site, uint32_t word, const uint8_t *letters, int32_t score, int spent, const uint8_t *missing, int missing_count);
TARGET static inline __attribute__((always_inline)) void NAME(write)(Generation *g, const NAME(Site) *site, uint32_t word, int32_t score, uint32_t blanks, int spent, int best_only);

/* ------------------------------------------------------------------------------------------ the interval, made ready */

TARGET static inline void NAME(set_site)(const Generation *g, NAME(Site) *site, int line_number, int start, int length) {
    const Line *line = &g->board->lines[line_number];
    uint32_t squares = (uint32_t)((1ull << length) - 1) << start;
    site->line = line;
    site->line_number = (uint8_t)line_number;
    site->start = (uint8_t)start;
    site->length = (uint8_t)length;
    site->empty_count = (uint8_t)(line->empty_before[start + length] - line->empty_before[start]);
    site->empty = (squares & ~line->occupied) >> start;
    site->crossed = squares & line->crossed;
    site->word_factor = 1;
    for (uint32_t premiums = squares & line->open_word_premiums; premiums; premiums &= premiums - 1)
        site->word_factor *= line->word_factor[__builtin_ctz(premiums)];
    site->base_points = (line->points_before[start + length] - line->points_before[start]) * site->word_factor +
                        line->cross_points_before[start + length] - line->cross_points_before[start] +
                        (site->empty_count == g->hand.bingo_tiles ? g->hand.bingo_bonus : 0);
    NAME(load_lanes)(&site->lanes, line, start, length, site->word_factor);
}

/* ------------------------------------------------------------------------------ the candidates, a batch at a time */

/* `blanks` is a constant in every call of play_chunk, and `best_only` where the rack has at most one blank, so that the
 * compiler makes a version of the inlined functions for each case.  `blanks` is 0, 1 or, for two and more, 2. */
TARGET static void NAME(play_candidates)(Generation *g, const NAME(Site) *site, const uint32_t *words, uint32_t count, int fits) {
    g->candidate_count += count;
    for (uint32_t done = 0; done < count && !g->sink.overflow; done += CHUNK) {
        uint32_t some = count - done < CHUNK ? count - done : CHUNK;
        if (g->hand.blanks > 1) NAME(play_chunk)(g, site, words + done, some, fits, 2);
        else if (g->hand.blanks) NAME(play_chunk)(g, site, words + done, some, fits, 1);
        else NAME(play_chunk)(g, site, words + done, some, fits, 0);
    }
}

TARGET static void NAME(play_words)(Generation *g, const Interval *x, const uint32_t *words, uint32_t count, int fits) {
    NAME(Site) site;
    NAME(set_site)(g, &site, x->line, x->start, x->length);
    NAME(play_candidates)(g, &site, words, count, fits);
}

/* ------------------------------------------------------------------------------------------ 4. cross-checks, letters */

/* Copy the words that every square admits: a square with a tile admits its letter, one beside tiles of other lines the
 * letters of its cross-check set, any other square every letter.  No branch, since the outcome cannot be predicted. */
TARGET static inline uint32_t NAME(copy_admitted)(const Generation *g, const NAME(Site) *site, const uint32_t *words, uint32_t count, uint32_t *admitted) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        admitted[n] = words[i];
        n += (uint32_t)NAME(admits)(&site->lanes, word_letters(g->tables, words[i], site->length), site->length);
    }
    return n;
}

/* Copy the words that could be the best play: their points are high enough, and every square admits them. */
TARGET static inline uint32_t NAME(copy_promising)(const Generation *g, const NAME(Site) *site, const uint32_t *words, uint32_t count, uint32_t *promising, int32_t *scores) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *letters = word_letters(g->tables, words[i], site->length);
        int32_t score = site->base_points + NAME(points)(g, &site->lanes, letters, site->length);
        if (1000 * (int64_t)score + g->max_leave_value[site->empty_count] < g->best.equity) continue;
        promising[n] = words[i];
        scores[n] = score;
        n += (uint32_t)NAME(admits)(&site->lanes, letters, site->length);
    }
    return n;
}

/* Play up to CHUNK candidates. */
TARGET static inline __attribute__((always_inline)) void NAME(play_chunk)(Generation *g, const NAME(Site) *site, const uint32_t *words, uint32_t count, int fits, int blanks) {
    uint32_t admitted[CHUNK];
    if (g->best_only) {
        int32_t scores[CHUNK];
        count = NAME(copy_promising)(g, site, words, count, admitted, scores);
        for (uint32_t i = 0; i < count; i++) NAME(play_word)(g, site, admitted[i], scores[i], fits, blanks, 1);
        return;
    }
    if (!reserve_plays(&g->sink, count * (blanks == 0 ? PLAYS_WITHOUT_BLANK : blanks == 1 ? PLAYS_WITH_ONE_BLANK : g->hand.blanks == 2 ? PLAYS_WITH_TWO_BLANKS : PLAYS_WITH_BLANKS))) return;
    /* Words that fit agree with the tiles; where no word crosses there is nothing else to check. */
    if (!fits || site->crossed) {
        count = NAME(copy_admitted)(g, site, words, count, admitted);
        words = admitted;
    }
    for (uint32_t i = 0; i < count; i++) NAME(play_word)(g, site, words[i], 0, fits, blanks, 0);
}

/* Write the plays of a word that every square admits, if the rack supplies its letters.  `score` is used with
 * `best_only`: the points of the word with no blank among its tiles. */
TARGET static inline __attribute__((always_inline)) void NAME(play_word)(Generation *g, const NAME(Site) *site, uint32_t word, int32_t score, int fits, int blanks, int best_only) {
    const uint8_t *letters = word_letters(g->tables, word, site->length);
    uint8_t missing[RACK_CAPACITY + 1];
    int missing_count = 0;
    int spent; /* leave weights of the tiles played, summed: what they take off the number of the leave (Hand, plays.h) */
    if (blanks || !fits) {
        uint32_t lacking = short_shares(g, letters, site->empty);
        if (__builtin_popcount(lacking) > (blanks ? g->hand.blanks : 0)) return;
        if (lacking && (missing_count = find_missing(g, letters, site->empty, missing)) > g->hand.blanks) return;
    }
    if (!best_only) score = site->base_points + NAME(points)(g, &site->lanes, letters, site->length);
    spent = g->hand.leave_values ? NAME(leave_spent)(g, &site->lanes, letters, site->empty) : 0;
    if (blanks > 1) NAME(write_blank_plays)(g, site, word, letters, score, spent, missing, missing_count);
    else if (blanks) NAME(write_one_blank_plays)(g, site, word, letters, score, spent, missing, missing_count, best_only);
    else NAME(write)(g, site, word, score, 0, spent, best_only);
}

/* ------------------------------------------------------------------------------------------- 5. score: the blanks */

/* Points of the tile on square i of the interval, if it is no blank. */
TARGET static inline int32_t NAME(points_on)(const Generation *g, const NAME(Site) *site, const uint8_t *letters, int i) {
    const Line *line = site->line;
    int32_t factor = line->along_factor[site->start + i] * site->word_factor + line->across_factor[site->start + i];
    return factor * g->hand.values[letters[i]];
}

/* Write the plays that use no blank or one: the play without it, if no letter is missing, and the plays with it on each
 * square that it may take. */
TARGET static inline __attribute__((always_inline)) void NAME(write_one_blank_plays)(Generation *g, const NAME(Site) *site, uint32_t word, const uint8_t *letters, int32_t score, int spent, const uint8_t *missing, int missing_count, int best_only) {
    uint32_t squares = site->empty;
    if (missing_count == 0) NAME(write)(g, site, word, score, 0, spent, best_only);
    else squares &= NAME(letter_squares)(letters, missing[0]);
    for (; squares; squares &= squares - 1) {
        int i = __builtin_ctz(squares);
        NAME(write)(g, site, word, score - NAME(points_on)(g, site, letters, i), 1u << i,
                    spent + g->hand.blank_weight - g->hand.leave_weights[letters[i]], best_only);
    }
}

/* Write the play with blanks on two squares. */
TARGET static inline void NAME(write_pair)(Generation *g, const NAME(Site) *site, uint32_t word, const uint8_t *letters, int32_t score, int spent, int i, int j) {
    const uint8_t *weights = g->hand.leave_weights;
    NAME(write)(g, site, word, score - NAME(points_on)(g, site, letters, i) - NAME(points_on)(g, site, letters, j), 1u << i | 1u << j,
                spent + 2 * g->hand.blank_weight - weights[letters[i]] - weights[letters[j]], g->best_only);
}

/* Write the plays that use three blanks or more (rare tile sets): one for every set of squares of that size that covers the
 * missing letters.  Each square has one letter, so taking the lowest free square for each missing letter is exact. */
TARGET static void NAME(write_many_blank_plays)(Generation *g, const NAME(Site) *site, uint32_t word, const uint8_t *letters, int32_t score, int spent, const uint8_t *missing, int missing_count) {
    for (uint32_t chosen = site->empty; chosen; chosen = (chosen - 1) & site->empty) {
        int count = __builtin_popcount(chosen), covered = 0, weight = spent;
        int32_t points = score;
        uint32_t uncommitted = chosen;
        if (count < 3 || count > g->hand.blanks || count < missing_count) continue;
        for (int m = 0; m < missing_count; m++) {
            uint32_t squares = uncommitted & NAME(letter_squares)(letters, missing[m]);
            uncommitted &= ~(squares & -squares);
            covered += squares != 0;
        }
        if (covered < missing_count) continue;
        for (uint32_t squares = chosen; squares; squares &= squares - 1) {
            int i = __builtin_ctz(squares);
            points -= NAME(points_on)(g, site, letters, i);
            weight += g->hand.blank_weight - g->hand.leave_weights[letters[i]];
        }
        NAME(write)(g, site, word, points, chosen, weight, g->best_only);
    }
}

/* Two blanks or more in the rack: write a play for every choice of squares that take a blank, at least those of the
 * missing letters, at most as many as there are blanks. */
TARGET static void NAME(write_blank_plays)(Generation *g, const NAME(Site) *site, uint32_t word, const uint8_t *letters, int32_t score, int spent, const uint8_t *missing, int missing_count) {
    uint32_t first = site->empty, second = site->empty; /* squares for one blank and for another */
    if (missing_count > 0) first &= NAME(letter_squares)(letters, missing[0]);
    if (missing_count > 1) second &= NAME(letter_squares)(letters, missing[1]);
    if (missing_count < 2) NAME(write_one_blank_plays)(g, site, word, letters, score, spent, missing, missing_count, g->best_only);
    if (missing_count < 3)
        for (uint32_t f = first; f; f &= f - 1) {
            uint32_t square = f & -f, others = second & ~square;
            others &= ~(first & second & (square - 1)); /* a pair of squares both open to both blanks is taken in one order only */
            for (; others; others &= others - 1)
                NAME(write_pair)(g, site, word, letters, score, spent, __builtin_ctz(square), __builtin_ctz(others));
        }
    if (g->hand.blanks > 2) NAME(write_many_blank_plays)(g, site, word, letters, score, spent, missing, missing_count);
}

/* --------------------------------------------------------------------------------------------------- 6. the sink */

/* Write a play to the list, or take it as the best if it is better than the best so far. */
TARGET static inline __attribute__((always_inline)) void NAME(write)(Generation *g, const NAME(Site) *site, uint32_t word, int32_t score, uint32_t blanks, int spent, int best_only) {
    Play play = {word, score, 0, blanks, site->line_number, site->start, site->length, site->empty_count, 0, {0}};
    if (!best_only) {
        write_play(&g->sink, &g->hand, play, spent);
        return;
    }
    value_play(&g->hand, &play, spent);
    if (g->has_best && !comes_before(&play, &g->best)) return;
    g->best = play;
    g->has_best = 1;
}

/* -------------------------------------------------------------------------------- intervals with one empty square */

/* The cross-check set of the crossing line is the set of letters that complete this line's word; this line's set covers
 * the other word.  So no candidate is looked up. */
TARGET static void NAME(play_one_empty_square)(Generation *g, int line_number, int start, int length) {
    int side = g->board->side, square, crossing_line, crossing_square;
    letter_mask admissible;
    NAME(Site) site;
    int32_t factor;
    if (!g->best_only && !reserve_plays(&g->sink, 2 * LETTER_CAPACITY)) return;
    NAME(set_site)(g, &site, line_number, start, length);
    square = start + __builtin_ctz(site.empty);
    crossing_line = line_number < side ? side + square : square;
    crossing_square = line_number < side ? line_number : line_number - side;
    admissible = site.line->admissible[square] & g->board->lines[crossing_line].admissible[crossing_square];
    if (g->tables->letter_count < MASK_BITS) admissible &= ((letter_mask)1 << g->tables->letter_count) - 1;
    factor = site.line->along_factor[square] * site.word_factor + site.line->across_factor[square];
    for (letter_mask letters = admissible & g->hand.letters; letters; letters &= letters - 1) {
        int letter = __builtin_ctzll(letters);
        NAME(write)(g, &site, ONE_TILE | (uint32_t)letter, site.base_points + factor * g->hand.values[letter], 0, g->hand.leave_weights[letter], g->best_only);
    }
    if (g->hand.blanks)
        for (letter_mask letters = admissible; letters; letters &= letters - 1)
            NAME(write)(g, &site, ONE_TILE | (uint32_t)__builtin_ctzll(letters), site.base_points, site.empty, g->hand.blank_weight, g->best_only);
}
