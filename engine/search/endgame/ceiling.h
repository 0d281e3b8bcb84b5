/* An upper bound on what a side can score if only it plays from now on; it is cheap to compute.
 *
 * It bounds the value of the true game too: the other side may pass to the end, so a side never gains more than it would
 * alone.  For the bound, a play may fill any consecutive empty squares of a line, together with own tiles placed before,
 * wherever the tiles on the board allow a word of that length.  "Before" means placed earlier by the same side. */
#ifndef KIBITZ_CEILING_H
#define KIBITZ_CEILING_H

#include "loaded_board.h"

/* Scratch of find_ceiling. */
typedef struct {
    int32_t points[RACK_CAPACITY][2 * SIDE][SIDE]; /* by own tiles placed before, line and square: the most points of
                                                      tiles on the board in a word of the line through that square */
    int32_t sums[RACK_CAPACITY + 1];               /* points of the 0, 1, 2, ... tiles of the rack with the most points */
    int32_t singles[RACK_CAPACITY];                /* by own tiles placed before: the highest score of one more tile */
    int32_t squares[RACK_CAPACITY];                /* the highest scores of one tile by square, in falling order */
    int32_t plays[RACK_CAPACITY][RACK_CAPACITY + 1]; /* by own tiles placed before, and by tiles of the play: the
                                                        highest score of a play */
} Ceiling;

/* Insert a value into the `count` highest values, which are in falling order. */
static inline void insert_highest(int32_t *sorted, int count, int32_t value) {
    for (int i = 0; i < count; i++)
        if (value > sorted[i]) {
            int32_t next = sorted[i];
            sorted[i] = value;
            value = next;
        }
}

/* Return whether the lexicon may have a word for the squares `from` to `to` - 1 of a line; true if they hold no tile. */
static inline int may_hold_word(const Line *x, int from, int to, int empties) {
    return to - from == empties || (x->interval_ends[from] >> (to - 1) & 1);
}

/* Set Ceiling.points: a word through an empty square fills at most `before` other empty squares, all consecutive. */
static inline void find_lying(Ceiling *c, const LoadedBoard *b, int count) {
    for (int line = 0; line < 2 * b->side; line++) {
        const Line *x = &b->lines[line];
        int empties = x->empty_before[b->side];
        for (int before = 0; before < count; before++) {
            int32_t *points = c->points[before][line];
            if (before)
                memcpy(points, c->points[before - 1][line], sizeof(c->points[0][0]));
            else
                memset(points, 0, sizeof(c->points[0][0]));
            for (int first = 0; first + before < empties; first++) {
                int from = first > 0 ? x->empties[first - 1] + 1 : 0;
                int to = first + before + 1 < empties ? x->empties[first + before + 1] : b->side;
                int lying = x->points_before[to] - x->points_before[from];
                if (!lying || !may_hold_word(x, from, to, before + 1)) continue;
                for (int i = first; i <= first + before; i++)
                    if (lying > points[x->empties[i]]) points[x->empties[i]] = lying;
            }
        }
    }
}

/* Set Ceiling.singles and squares: one tile forms a word of the row and one of the column.  Every tile counts with the
 * second highest points of the rack; return what the tile with the highest points, placed once, may add. */
static inline int find_singles(Ceiling *c, const LoadedBoard *b, const int *values, int count, int bonus) {
    int side = b->side, highest = 0, common = values[count > 1];
    memset(c->singles, 0, sizeof(c->singles));
    memset(c->squares, 0, sizeof(c->squares));
    for (int row = 0; row < side; row++)
        for (int i = 0; i < b->lines[row].empty_before[side]; i++) {
            const Line *x = &b->lines[row];
            int column = x->empties[i], score = 0, fresh = 2 * x->letter_factor[column];
            for (int before = 0; before < count; before++) {
                int lying = 0;
                for (int k = 0; k <= before; k++) { /* k of the tiles before lie along the row */
                    int both = c->points[k][row][column] + c->points[before - k][side + column][row];
                    if (both > lying) lying = both;
                }
                score = x->word_factor[column] * (lying + c->sums[before] + fresh * common) + bonus;
                if (score > c->singles[before]) c->singles[before] = score;
            }
            if (fresh * x->word_factor[column] > highest) highest = fresh * x->word_factor[column];
            insert_highest(c->squares, count, score);
        }
    return highest * (values[0] - common);
}

/* Set Ceiling.plays for plays of two and more tiles, after at least one own tile. */
static inline void find_longer(Ceiling *c, const LoadedBoard *b, const int *values, int count, int bonus, int bingo_tiles) {
    int side = b->side, before = count - 2; /* own tiles placed before, at most */
    memset(c->plays, 0, sizeof(c->plays));
    for (int line = 0; line < 2 * side; line++) {
        const Line *x = &b->lines[line];
        int empties = x->empty_before[side];
        int32_t across[SIDE];
        for (int i = 0; i < empties; i++) {
            int at = x->empties[i], place = line < side ? line : line - side;
            const int32_t *points = c->points[before][line < side ? side + at : at];
            across[i] = x->word_factor[at] * (points[place] + c->sums[before] + x->letter_factor[at] * values[0]);
        }
        for (int first = 0; first < empties; first++) {
            int32_t words[RACK_CAPACITY], letters[RACK_CAPACITY] = {0}, crosses[RACK_CAPACITY] = {0};
            int from = first > 0 ? x->empties[first - 1] + 1 : 0, premiums = 0;
            for (int m = 1; m <= count && first + m <= empties; m++) { /* empty squares of the word */
                int at = x->empties[first + m - 1], lying, fresh = 0, factor = 1, cross = 0;
                int to = first + m < empties ? x->empties[first + m] : side;
                if (x->word_factor[at] > 1) { /* most squares have no premium */
                    words[premiums++] = 1;
                    insert_highest(words, premiums, x->word_factor[at]);
                }
                if (x->letter_factor[at] > 1) insert_highest(letters, m, x->letter_factor[at] - 1);
                if (across[first + m - 1]) insert_highest(crosses, m, across[first + m - 1]);
                if (!may_hold_word(x, from, to, m)) continue;
                lying = x->points_before[to] - x->points_before[from] + c->sums[m];
                for (int q = 1; q <= m && q < count; q++) { /* tiles of the play; the others were placed before */
                    int score;
                    if (q <= premiums) factor *= words[q - 1];
                    fresh += letters[q - 1] * values[q - 1];
                    cross += crosses[q - 1];
                    score = factor * (lying + fresh) + cross + (q >= bingo_tiles ? bonus : 0);
                    if (q > 1 && score > c->plays[m - q][q]) c->plays[m - q][q] = score;
                }
            }
        }
    }
    for (int laid = 1; laid < count; laid++) /* a play need not use all tiles placed before */
        for (int q = 2; q < count; q++)
            if (c->plays[laid - 1][q] > c->plays[laid][q]) c->plays[laid][q] = c->plays[laid - 1][q];
}

/* Write what a side scores at most after it has placed n of its `count` tiles, n >= 1: most[n].
 * `values`: the points of its tiles in falling order; `bonus`, `bingo_tiles`: of a bingo. */
static void find_ceiling(Ceiling *c, const LoadedBoard *b, const int *values, int count, int bonus, int bingo_tiles, int32_t *most) {
    int32_t found[RACK_CAPACITY + 1][RACK_CAPACITY + 1]; /* by tiles placed, and plays of one tile still to be made */
    int extra; /* what the tile with the highest points adds to plays of one tile */
    c->sums[0] = 0;
    for (int i = 0; i < count; i++) c->sums[i + 1] = c->sums[i] + values[i];
    find_lying(c, b, count);
    extra = find_singles(c, b, values, count, bingo_tiles <= 1 ? bonus : 0);
    memset(c->plays, 0, sizeof(c->plays));
    if (count > 2) find_longer(c, b, values, count, bonus, bingo_tiles);
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
