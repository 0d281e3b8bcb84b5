/* What a side cannot score more than, if from here on only it lays tiles: a bound that costs little.
 *
 * A bound for the true game too: the other side is free to pass to the end, so that nobody is worth more than what
 * he gains alone.  A play of some tiles may cover any squares of a line that lie next to each other but for tiles,
 * together with own tiles laid before, wherever the tiles on the board allow some word of that length. */
#ifndef KIBITZ_CEILING_H
#define KIBITZ_CEILING_H

#include "loaded_board.h"

typedef struct {
    int32_t points[RACK_CAPACITY][2 * SIDE][SIDE]; /* by own tiles laid before, line and square: the most tile points
                                                      that lie in a word along the line through that empty square */
    int32_t sums[RACK_CAPACITY + 1];               /* points of the dearest 0, 1, 2, ... tiles of the rack */
    int32_t singles[RACK_CAPACITY];                /* by own tiles laid before: the most that one more tile scores */
    int32_t squares[RACK_CAPACITY];                /* the same by square, whatever is laid before; highest first */
    int32_t plays[RACK_CAPACITY][RACK_CAPACITY + 1]; /* by own tiles laid before, and tiles: the most that a play of
                                                        so many scores */
} Ceiling;

static inline void keep_highest(int32_t *sorted, int count, int32_t value) {
    for (int i = 0; i < count; i++)
        if (value > sorted[i]) {
            int32_t kept = sorted[i];
            sorted[i] = value;
            value = kept;
        }
}

/* May a word lie in these squares?  Without a tile on the board among them nothing is known against it. */
static inline int may_hold_word(const Line *x, int from, int to, int empties) {
    return to - from == empties || (x->interval_ends[from] >> (to - 1) & 1);
}

/* Find Ceiling.points: a word through an empty square takes at most `before` others, all next to each other. */
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

/* Find what one tile scores at most: in a word along the row, and one along the column.  All tiles are taken for
 * the second dearest; returns what the dearest one, laid once, may add. */
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
                for (int k = 0; k <= before; k++) { /* so many of the tiles before it lie along the row */
                    int both = c->points[k][row][column] + c->points[before - k][side + column][row];
                    if (both > lying) lying = both;
                }
                score = x->word_factor[column] * (lying + c->sums[before] + fresh * common) + bonus;
                if (score > c->singles[before]) c->singles[before] = score;
            }
            if (fresh * x->word_factor[column] > highest) highest = fresh * x->word_factor[column];
            keep_highest(c->squares, count, score);
        }
    return highest * (values[0] - common);
}

/* Find what a play of two and more tiles scores at most, at least one own tile having been laid before. */
static inline void find_longer(Ceiling *c, const LoadedBoard *b, const int *values, int count, int bonus, int bingo_tiles) {
    int side = b->side, before = count - 2; /* own tiles laid before it, at most */
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
                if (x->word_factor[at] > 1) { /* most squares are plain */
                    words[premiums++] = 1;
                    keep_highest(words, premiums, x->word_factor[at]);
                }
                if (x->letter_factor[at] > 1) keep_highest(letters, m, x->letter_factor[at] - 1);
                if (across[first + m - 1]) keep_highest(crosses, m, across[first + m - 1]);
                if (!may_hold_word(x, from, to, m)) continue;
                lying = x->points_before[to] - x->points_before[from] + c->sums[m];
                for (int q = 1; q <= m && q < count; q++) { /* tiles of the play; the others lie already */
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
    for (int laid = 1; laid < count; laid++) /* not all that lie need be used */
        for (int q = 2; q < count; q++)
            if (c->plays[laid - 1][q] > c->plays[laid][q]) c->plays[laid][q] = c->plays[laid - 1][q];
}

/* Bound what a side scores after it has laid 1, 2, ... of its tiles, all on this board and all alone:
 * most[n] once n of the `count` tiles lie.  `values`: their points, the highest first. */
static void find_ceiling(Ceiling *c, const LoadedBoard *b, const int *values, int count, int bonus, int bingo_tiles, int32_t *most) {
    int32_t found[RACK_CAPACITY + 1][RACK_CAPACITY + 1]; /* by tiles laid, and single tiles still to be laid as plays */
    int dearest;
    c->sums[0] = 0;
    for (int i = 0; i < count; i++) c->sums[i + 1] = c->sums[i] + values[i];
    find_lying(c, b, count);
    dearest = find_singles(c, b, values, count, bingo_tiles <= 1 ? bonus : 0);
    memset(c->plays, 0, sizeof(c->plays));
    if (count > 2) find_longer(c, b, values, count, bonus, bingo_tiles);
    for (int n = 0; n <= count; n++) found[count][n] = n ? -(1 << 28) : 0;
    most[count] = 0;
    for (int laid = count - 1; laid > 0; laid--) {
        most[laid] = 0;
        for (int n = 0; n <= count; n++) {
            int32_t best = found[laid + 1][n], value;
            if (n) { /* no two single tiles take the same square: the last of them gets the dearest one */
                value = c->singles[laid] < c->squares[n - 1] ? c->singles[laid] : c->squares[n - 1];
                if (found[laid + 1][n - 1] + value > best) best = found[laid + 1][n - 1] + value;
            }
            for (int q = 2; laid + q <= count; q++)
                if (found[laid + q][n] + c->plays[laid][q] > best) best = found[laid + q][n] + c->plays[laid][q];
            found[laid][n] = best;
            if (best + (n ? dearest : 0) > most[laid]) most[laid] = best + (n ? dearest : 0);
        }
    }
    most[0] = 0; /* nobody asks: the first play is one of a list */
}

#endif
