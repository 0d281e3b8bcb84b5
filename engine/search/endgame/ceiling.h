/* An upper bound on what a side can score if only it plays from now on; it is cheap to compute.
 *
 * It bounds the value of the true game too: the other side may pass to the end, so a side never gains more than it would
 * alone.  For the bound, a play may fill any consecutive empty squares of a line, together with own tiles placed before,
 * wherever the tiles on the board allow a word of that length.  "Before" means placed earlier by the same side. */
#ifndef KIBITZ_CEILING_H
#define KIBITZ_CEILING_H

#include "loaded_board.h"

#define LANES 8                 /* neighbouring squares of a line that are computed at once */
#define ROUNDED ((SIDE + LANES - 1) / LANES * LANES)
#define NO_WORD_HERE (-(1 << 16)) /* in Ceiling.lying: no score that counts comes of it */
#define INLINED static inline __attribute__((always_inline))

/* What Ceiling.lying, along and down of a line come from. */
typedef struct {
    uint8_t tiles[SIDE];             /* as in Line */
    int32_t points_before[SIDE + 1]; /* as in Line */
    uint32_t interval_ends[SIDE];    /* as in Line */
    int32_t side;                    /* as in LoadedBoard */
    int32_t count;                   /* tiles of the rack; with fewer, the same numbers hold */
} LineSource;

/* Scratch of find_ceiling; all zero at first.  Points of tiles on the board in a word are the most that a word may have there, if it fills
 * that many empty squares. */
typedef struct {
    LineSource sources[2 * SIDE]; /* by line: lines that have not changed since the last call are not computed again */
    int32_t lying[2 * SIDE][RACK_CAPACITY][LANES + ROUNDED]; /* by line, empty squares of the word less one, and LANES +
                                     number of its first empty square: its points of tiles on the board, or NO_WORD_HERE */
    int32_t along[RACK_CAPACITY][SIDE][ROUNDED]; /* by own tiles placed before, row and column of an empty square: the most
                                     points of tiles on the board in a word of the row through it */
    int32_t down[RACK_CAPACITY][SIDE][ROUNDED]; /* the same in a word of the column */
    int32_t sums[RACK_CAPACITY + 1];         /* points of the 0, 1, 2, ... tiles of the rack with the most points */
    int32_t singles[RACK_CAPACITY];          /* by own tiles placed before: the highest score of one more tile */
    int32_t squares[RACK_CAPACITY];          /* the highest scores of one tile by square, in falling order */
    int32_t plays[RACK_CAPACITY][RACK_CAPACITY + 1]; /* by own tiles placed before, and by tiles of the play: the
                                                        highest score of a play */
} Ceiling;

INLINED int32_t higher(int32_t a, int32_t b) { return a > b ? a : b; }

INLINED int32_t lower(int32_t a, int32_t b) { return a < b ? a : b; }

/* Insert a value into the `count` highest values, which are in falling order. */
INLINED void insert_highest(int32_t *sorted, int count, int32_t value) {
    for (int i = 0; i < count; i++) {
        int32_t next = lower(sorted[i], value);
        sorted[i] = higher(sorted[i], value);
        value = next;
    }
}

/* The same in each lane. */
INLINED void insert_in_lanes(int32_t (*sorted)[LANES], int count, const int32_t *values) {
    int32_t left[LANES];
    memcpy(left, values, sizeof(left));
    for (int k = 0; k < count; k++)
        for (int i = 0; i < LANES; i++) {
            int32_t next = lower(sorted[k][i], left[i]);
            sorted[k][i] = higher(sorted[k][i], left[i]);
            left[i] = next;
        }
}

/* Return the highest of all lanes, at least 0. */
INLINED int32_t highest_lane(const int32_t *lanes) {
    int32_t highest = 0;
    for (int i = 0; i < LANES; i++) highest = higher(highest, lanes[i]);
    return highest;
}

/* Return whether a line differs from what is stored of it, and store it. */
INLINED int has_changed(LineSource *s, const Line *x, int side, int count) {
    if (count <= s->count && side == s->side && !memcmp(s->interval_ends, x->interval_ends, sizeof(s->interval_ends))
        && !memcmp(s->points_before, x->points_before, sizeof(s->points_before)) && !memcmp(s->tiles, x->tiles, sizeof(s->tiles)))
        return 0;
    memcpy(s->interval_ends, x->interval_ends, sizeof(s->interval_ends));
    memcpy(s->points_before, x->points_before, sizeof(s->points_before));
    memcpy(s->tiles, x->tiles, sizeof(s->tiles));
    s->side = side;
    s->count = count;
    return 1;
}

/* Set Ceiling.lying of a line.  A word needs one in the lexicon that may lie there, unless it fills only empty squares:
 * own tiles placed before may then lie across it. */
INLINED void find_words(Ceiling *c, const LoadedBoard *b, int line, int count) {
    const Line *x = &b->lines[line];
    int empties = x->empty_before[b->side];
    for (int m = 1; m <= count; m++) { /* empty squares of the word */
        int32_t *lying = c->lying[line][m - 1] + LANES;
        for (int i = -LANES; i < ROUNDED; i++) lying[i] = NO_WORD_HERE;
        for (int first = 0; first + m <= empties; first++) {
            int from = first > 0 ? x->empties[first - 1] + 1 : 0;
            int to = first + m < empties ? x->empties[first + m] : b->side;
            if (to - from == m || (x->interval_ends[from] >> (to - 1) & 1))
                lying[first] = x->points_before[to] - x->points_before[from];
        }
    }
}

/* Set Ceiling.along or down on a line, once Ceiling.lying is set. */
INLINED void find_lying(Ceiling *c, const LoadedBoard *b, int line, int count) {
    const Line *x = &b->lines[line];
    int empties = x->empty_before[b->side];
    int32_t most[ROUNDED] = {0}; /* by number of the empty square */
    for (int m = 1; m <= count; m++) {
        const int32_t *lying = c->lying[line][m - 1] + LANES;
        for (int k = 0; k < m; k++) /* the square is number k of those that the word fills */
            for (int i = 0; i < ROUNDED; i++) most[i] = higher(most[i], lying[i - k]);
        for (int i = 0; i < empties; i++)
            *(line < b->side ? &c->along[m - 1][line][x->empties[i]] : &c->down[m - 1][x->empties[i]][line - b->side]) = most[i];
    }
}

/* Set Ceiling.singles and squares: one tile forms a word of the row and one of the column.  Every tile counts with the
 * second highest points of the rack; return what the tile with the highest points, placed once, may add. */
INLINED int find_singles(Ceiling *c, const LoadedBoard *b, const int *values, int count, int bonus) {
    int32_t best[RACK_CAPACITY][LANES] = {{0}}, highest[LANES] = {0};
    int common = values[count > 1];
    memset(c->squares, 0, sizeof(c->squares));
    for (int row = 0; row < b->side; row++) {
        const Line *x = &b->lines[row];
        int32_t factors[ROUNDED] = {0}, fresh[ROUNDED] = {0}; /* 0 where a tile lies */
        for (int i = 0; i < x->empty_before[b->side]; i++) {
            int column = x->empties[i];
            factors[column] = x->word_factor[column];
            fresh[column] = 2 * x->letter_factor[column];
        }
        for (int from = 0; from < ROUNDED; from += LANES) {
            int32_t scores[LANES] = {0};
            for (int before = 0; before < count; before++) {
                int32_t lying[LANES] = {0};
                for (int k = 0; k <= before; k++) /* k of the tiles before lie along the row */
                    for (int i = 0; i < LANES; i++)
                        lying[i] = higher(lying[i], c->along[k][row][from + i] + c->down[before - k][row][from + i]);
                for (int i = 0; i < LANES; i++) {
                    scores[i] = factors[from + i] * (lying[i] + c->sums[before] + fresh[from + i] * common) + bonus;
                    best[before][i] = higher(best[before][i], scores[i]);
                }
            }
            for (int i = 0; i < LANES; i++)
                highest[i] = higher(highest[i], fresh[from + i] * factors[from + i]);
            if (highest_lane(scores) <= c->squares[count - 1]) continue;
            for (int i = 0; i < LANES; i++) insert_highest(c->squares, count, scores[i]);
        }
    }
    for (int before = 0; before < count; before++) c->singles[before] = highest_lane(best[before]);
    return highest_lane(highest) * (values[0] - common);
}

/* Raise the scores `best` of plays of two and more tiles, by own tiles placed before and tiles of the play, to those of the
 * words whose first empty squares are number `from` to `from` + LANES - 1 of a line.
 * By number of an empty square: the factors of its premiums, and the score of the word across. */
INLINED void find_longer(
        const Ceiling *c, int line, int from, const int *values, int count, int bonus, int bingo_tiles,
        const int32_t *word_factors, const int32_t *letter_factors, const int32_t *across,
        int32_t (*best)[RACK_CAPACITY + 1][LANES]) {
    int32_t words[RACK_CAPACITY][LANES], letters[RACK_CAPACITY][LANES], crosses[RACK_CAPACITY][LANES];
    for (int m = 1; m <= count; m++) { /* empty squares of the word */
        const int32_t *lying = c->lying[line][m - 1] + LANES + from;
        int32_t factor[LANES], points[LANES], cross[LANES] = {0};
        for (int i = 0; i < LANES; i++) words[m - 1][i] = letters[m - 1][i] = crosses[m - 1][i] = 0;
        insert_in_lanes(words, m, word_factors + from + m - 1);
        insert_in_lanes(letters, m, letter_factors + from + m - 1);
        insert_in_lanes(crosses, m, across + from + m - 1);
        for (int i = 0; i < LANES; i++) {
            factor[i] = 1;
            points[i] = lying[i] + c->sums[m];
        }
        for (int q = 1; q <= m && q < count; q++) { /* tiles of the play; the others were placed before */
            int extra = q >= bingo_tiles ? bonus : 0;
            for (int i = 0; i < LANES; i++) {
                factor[i] *= words[q - 1][i];
                points[i] += letters[q - 1][i] * values[q - 1];
                cross[i] += crosses[q - 1][i];
                best[m - q][q][i] = higher(best[m - q][q][i], factor[i] * points[i] + cross[i] + extra);
            }
        }
    }
}

/* Set Ceiling.plays for plays of two and more tiles, after at least one own tile. */
INLINED void find_plays(Ceiling *c, const LoadedBoard *b, const int *values, int count, int bonus, int bingo_tiles) {
    int32_t best[RACK_CAPACITY][RACK_CAPACITY + 1][LANES] = {{{0}}};
    int32_t words[ROUNDED + LANES] = {0}, letters[ROUNDED + LANES] = {0}, across[ROUNDED + LANES] = {0};
    int side = b->side, before = count - 2; /* own tiles placed before, at most */
    for (int line = 0; line < 2 * side; line++) {
        const Line *x = &b->lines[line];
        int empties = x->empty_before[side], place = line < side ? line : line - side;
        for (int i = 0; i < empties; i++) {
            int at = x->empties[i];
            int lying = line < side ? c->down[before][line][at] : c->along[before][at][place];
            words[i] = x->word_factor[at];
            letters[i] = x->letter_factor[at] - 1;
            across[i] = words[i] * (lying + c->sums[before] + x->letter_factor[at] * values[0]);
        }
        for (int from = 0; from < empties; from += LANES)
            find_longer(c, line, from, values, count, bonus, bingo_tiles, words, letters, across, best);
    }
    for (int laid = 0; laid < count; laid++)
        for (int q = 2; q < count; q++) {
            c->plays[laid][q] = highest_lane(best[laid][q]);
            /* a play need not use all tiles placed before */
            if (laid) c->plays[laid][q] = higher(c->plays[laid][q], c->plays[laid - 1][q]);
        }
}

/* Set the fields of Ceiling; return what the tile with the highest points adds to plays of one tile. */
INLINED int find_scores(Ceiling *c, const LoadedBoard *b, const int *values, int count, int bonus, int bingo_tiles) {
    for (int line = 0; line < 2 * b->side; line++) {
        if (!has_changed(&c->sources[line], &b->lines[line], b->side, count)) continue;
        find_words(c, b, line, count);
        find_lying(c, b, line, count);
    }
    memset(c->plays, 0, sizeof(c->plays));
    if (count > 2) find_plays(c, b, values, count, bonus, bingo_tiles);
    return find_singles(c, b, values, count, bingo_tiles <= 1 ? bonus : 0);
}

#if defined(__x86_64__)
/* The same in vectors of eight numbers. */
__attribute__((target("avx2"))) static int find_scores_avx2(
        Ceiling *c, const LoadedBoard *b, const int *values, int count, int bonus, int bingo_tiles) {
    return find_scores(c, b, values, count, bonus, bingo_tiles);
}
#endif

/* Write what a side scores at most after it has placed n of its `count` tiles, n >= 1: most[n].
 * `values`: the points of its tiles in falling order; `bonus`, `bingo_tiles`: of a bingo; `has_avx2`: 1 to use AVX2. */
static void find_ceiling(Ceiling *c, const LoadedBoard *b, const int *values, int count, int bonus, int bingo_tiles, int has_avx2, int32_t *most) {
    int32_t found[RACK_CAPACITY + 1][RACK_CAPACITY + 1]; /* by tiles placed, and plays of one tile still to be made */
    int extra; /* what the tile with the highest points adds to plays of one tile */
    c->sums[0] = 0;
    for (int i = 0; i < count; i++) c->sums[i + 1] = c->sums[i] + values[i];
#if defined(__x86_64__)
    if (has_avx2)
        extra = find_scores_avx2(c, b, values, count, bonus, bingo_tiles);
    else
#endif
        extra = find_scores(c, b, values, count, bonus, bingo_tiles);
    for (int n = 0; n <= count; n++) found[count][n] = n ? -(1 << 28) : 0;
    most[count] = 0;
    for (int laid = count - 1; laid > 0; laid--) {
        most[laid] = 0;
        for (int n = 0; n <= count; n++) {
            int32_t best = found[laid + 1][n], value;
            if (n) { /* plays of one tile use different squares: the n-th gets the n-th highest square at most */
                value = c->singles[laid] < c->squares[n - 1] ? c->singles[laid] : c->squares[n - 1];
                if (found[laid + 1][n - 1] + value > best) best = found[laid + 1][n - 1] + value;
            }
            for (int q = 2; laid + q <= count; q++)
                if (found[laid + q][n] + c->plays[laid][q] > best) best = found[laid + q][n] + c->plays[laid][q];
            found[laid][n] = best;
            if (best + (n ? extra : 0) > most[laid]) most[laid] = best + (n ? extra : 0);
        }
    }
    most[0] = 0; /* never read: the first play is one of a list */
}

#endif
