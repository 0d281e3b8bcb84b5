/* Upper bounds for the search for the best play alone: an equity that no play of an interval exceeds.
 *
 * The bound assigns the tiles with the most points to the squares with the highest factors, separately for the word
 * along the line and the words across, and adds the best leave of as many tiles.  An interval costs a few additions: the
 * board counts its premium squares, the rack sums its points once, each line sums its words across once. */
#ifndef KIBITZ_BOUNDS_H
#define KIBITZ_BOUNDS_H

#include "generation.h"

#define MAX_LOSS 1000000000 /* a larger loss counts as this, so that sums fit 32 bits; the bound stays correct */
#define MAX_LOSS_FACTOR 256 /* a larger word factor counts as this; 7 tiles have less than 2,000 points */

/* Return the value of the leave when a sub-multiset of the letters, given by its number, and some blanks are played. */
static inline int32_t subset_leave(const Hand *hand, int number, int blanks) {
    if (!hand->leave_values) return 0;
    return hand->leave_values[hand->full_leave - number * (hand->blanks + 1) - blanks];
}

/* Sort the different letters of the rack by points, highest first. */
static void sort_letters(Generation *g) {
    const Hand *hand = &g->hand;
    g->distinct_letters = 0;
    for (letter_mask letters = hand->letters; letters; letters &= letters - 1) {
        int letter = __builtin_ctzll(letters), i = g->distinct_letters++, value = hand->values[letter];
        for (; i > 0 && g->points_descending[i - 1] < value; i--) {
            g->points_descending[i] = g->points_descending[i - 1];
            g->letters_descending[i] = g->letters_descending[i - 1];
        }
        g->points_descending[i] = value;
        g->letters_descending[i] = (letter_mask)1 << letter;
    }
}

/* Find for each number of tiles played the most points and the best leave. */
static void load_maxima(Generation *g) {
    const Hand *hand = &g->hand;
    int letters = hand->tiles - hand->blanks;
    for (int k = 0; k <= RACK_CAPACITY; k++) {
        g->max_tile_points[k] = k > letters ? g->max_tile_points[letters] : 0;
        g->max_leave_value[k] = hand->leave_values ? INT32_MIN : 0;
        for (int i = 0; k <= letters && i < g->subset_count[k]; i++)
            if (g->subset_points[k][i] > g->max_tile_points[k]) g->max_tile_points[k] = g->subset_points[k][i];
    }
    for (int size = 0; hand->leave_values && size <= letters; size++)
        for (int i = 0; i < g->subset_count[size]; i++)
            for (int blanks = 0; blanks <= hand->blanks; blanks++) {
                int32_t value = subset_leave(hand, g->subset_numbers[size][i], blanks);
                if (value > g->max_leave_value[size + blanks]) g->max_leave_value[size + blanks] = value;
            }
}

/* Find for each sub-multiset of the letters, alone and with one blank, what it loses beside those maxima. */
static void load_subset_losses(Generation *g) {
    const Hand *hand = &g->hand;
    int32_t values[LEAVE_CAPACITY]; /* by number of a sub-multiset: the best leave when its letters are played */
    int letters = hand->tiles - hand->blanks;
    for (int size = 0; size <= letters; size++)
        for (int i = 0; i < g->subset_count[size]; i++)
            values[g->subset_numbers[size][i]] = subset_leave(hand, g->subset_numbers[size][i], 0);
    for (int size = 0; hand->blanks && size < letters; size++) /* the blank takes the place of one of its letters */
        for (int i = 0; i < g->subset_count[size]; i++) {
            int number = g->subset_numbers[size][i];
            int32_t value = subset_leave(hand, number, 1);
            for (letter_mask more = hand->letters & ~g->subset_exhausted[size][i]; more; more &= more - 1) {
                int32_t *larger = &values[number + hand->leave_weights[__builtin_ctzll(more)] / (hand->blanks + 1)];
                if (value > *larger) *larger = value;
            }
        }
    for (int blanks = 0; blanks <= (hand->blanks > 0); blanks++)
        for (int size = 0; size <= letters; size++) {
            int64_t leave = g->max_leave_value[size + blanks];
            int32_t points = g->max_tile_points[size + blanks];
            for (int i = 0; i < g->subset_count[size]; i++) {
                int number = g->subset_numbers[size][i];
                int64_t loss = leave - (blanks ? subset_leave(hand, number, 1) : values[number]);
                g->subset_leave_loss[blanks][size][i] = loss > MAX_LOSS ? MAX_LOSS : (int32_t)loss;
                g->subset_points_loss[blanks][size][i] = points - g->subset_points[size][i];
            }
        }
}

/* Compute the bounds that depend on the rack alone: tile points and leave values (g->hand.leave_values may be NULL). */
static void load_rack_bounds(Generation *g) {
    sort_letters(g);
    load_maxima(g);
    if (g->hand.blanks > MAX_SUBSET_BLANKS) return;
    load_subset_losses(g);
    memset(g->subset_words_known, 0, sizeof(g->subset_words_known));
}

/* Sum for each square of a line the most points that new tiles before it add to the words across. */
static void load_line_bounds(Generation *g, const Line *line) {
    int32_t sum = 0;
    int done = 0;
    for (uint32_t crossed = line->crossed; crossed; crossed &= crossed - 1) {
        int square = __builtin_ctz(crossed), i = 0;
        while (done <= square) g->max_cross_points_before[done++] = sum;
        while (i < g->distinct_letters && !(line->admissible[square] & g->letters_descending[i])) i++;
        if (i < g->distinct_letters) sum += g->points_descending[i] * line->across_factor[square];
    }
    while (done <= g->board->side) g->max_cross_points_before[done++] = sum;
}

/* Return the equity, in millipoints, that no play on the squares start .. end of a line exceeds.  `word_factor`: receives
 * the product of the word factors of the empty squares. */
static inline int64_t interval_bound(
    const Generation *g, const Line *line, int start, int end, int empty_count, int32_t *word_factor) {
    uint32_t squares = ((2u << (end - start)) - 1) << start;
    int32_t factor = 1;
    int64_t along;
    for (uint32_t squares_left = squares & line->open_word_premiums; squares_left; squares_left &= squares_left - 1)
        factor *= line->word_factor[__builtin_ctz(squares_left)];
    along = line->points_before[end + 1] - line->points_before[start] + g->max_tile_points[empty_count] +
            g->max_tile_points[line->doubled_before[end + 1] - line->doubled_before[start]] +
            g->max_tile_points[line->tripled_before[end + 1] - line->tripled_before[start]] +
            g->max_tile_points[line->quadrupled_before[end + 1] - line->quadrupled_before[start]];
    *word_factor = factor;
    return 1000 * (along * factor + line->cross_points_before[end + 1] - line->cross_points_before[start] +
                   g->max_cross_points_before[end + 1] - g->max_cross_points_before[start] +
                   (empty_count == g->hand.bingo_tiles ? g->hand.bingo_bonus : 0)) +
           g->max_leave_value[empty_count];
}

/* Return the bucket of a bound: intervals of about the same bound share one. */
static inline int bound_bucket(int64_t bound) {
    int64_t bucket = (bound >> BOUND_SHIFT) + NEGATIVE_BOUND_BUCKETS;
    return bucket < 0 ? 0 : bucket >= BOUND_BUCKETS ? BOUND_BUCKETS - 1 : (int)bucket;
}

/* Add an interval to the bucket of its bound; the caller fills in the interval returned. */
static inline Interval *rank_interval(Generation *g, int64_t bound, int32_t word_factor) {
    RankedInterval *ranked = &g->ranked[g->ranked_count];
    int bucket = bound_bucket(bound);
    ranked->bound = bound;
    ranked->word_factor = word_factor;
    ranked->next = g->bound_heads[bucket];
    g->bound_heads[bucket] = g->ranked_count++;
    return &ranked->interval;
}

#endif
