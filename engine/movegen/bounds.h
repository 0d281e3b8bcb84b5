/* Upper bounds for the search for the best play alone: an equity that no play of an interval exceeds.
 *
 * The bound assigns the tiles with the most points to the squares with the highest factors, separately for the word
 * along the line and the words across, and adds the best leave of as many tiles.  An interval costs a few additions: the
 * board counts its premium squares, the rack sums its points once, each line sums its words across once. */
#ifndef KIBITZ_BOUNDS_H
#define KIBITZ_BOUNDS_H

#include "generation.h"

/* Compute the bounds that depend on the rack alone: tile points and leave values (g->hand.leave_values may be NULL). */
static void load_rack_bounds(Generation *g) {
    const Hand *hand = &g->hand;
    uint8_t tiles_left[LEAVE_CAPACITY]; /* by leave: its tiles */
    int tiles = 0;
    g->distinct_letters = 0;
    for (int letter = 0; letter < g->tables->letter_count; letter++) {
        int i = g->distinct_letters, value = hand->values[letter];
        if (!hand->counts[letter]) continue;
        for (; i > 0 && g->points_descending[i - 1] < value; i--) {
            g->points_descending[i] = g->points_descending[i - 1];
            g->letters_descending[i] = g->letters_descending[i - 1];
        }
        g->points_descending[i] = value;
        g->letters_descending[i] = (letter_mask)1 << letter;
        g->distinct_letters++;
    }
    g->max_tile_points[0] = 0;
    for (int i = 0; i < g->distinct_letters; i++)
        for (int k = hand->counts[__builtin_ctzll(g->letters_descending[i])]; k; k--, tiles++)
            g->max_tile_points[tiles + 1] = g->max_tile_points[tiles] + g->points_descending[i];
    for (; tiles < RACK_CAPACITY; tiles++) g->max_tile_points[tiles + 1] = g->max_tile_points[tiles];
    memset(g->max_leave_value, 0, sizeof(g->max_leave_value));
    if (!hand->leave_values) return;
    tiles_left[0] = 0;
    for (int i = 0; i <= RACK_CAPACITY; i++) g->max_leave_value[i] = INT32_MIN;
    for (int letter = -1, weight = 1; letter < g->tables->letter_count; letter++) {
        int count = letter < 0 ? hand->blanks : hand->counts[letter];
        for (int k = 1; k <= count; k++)
            for (int i = 0; i < weight; i++) tiles_left[k * weight + i] = (uint8_t)(tiles_left[i] + k);
        weight *= count + 1;
    }
    for (int leave = 0; leave <= hand->full_leave; leave++) {
        int32_t *most = &g->max_leave_value[hand->tiles - tiles_left[leave]];
        if (hand->leave_values[leave] > *most) *most = hand->leave_values[leave];
    }
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

/* Return the equity, in millipoints, that no play on the squares start .. end of a line exceeds. */
static inline int32_t interval_bound(const Generation *g, const Line *line, int start, int end, int empty_count) {
    uint32_t squares = ((2u << (end - start)) - 1) << start;
    int64_t along, factor = 1, bound;
    for (uint32_t squares_left = squares & line->open_word_premiums; squares_left; squares_left &= squares_left - 1)
        factor *= line->word_factor[__builtin_ctz(squares_left)];
    along = line->points_before[end + 1] - line->points_before[start] + g->max_tile_points[empty_count] +
            g->max_tile_points[line->doubled_before[end + 1] - line->doubled_before[start]] +
            g->max_tile_points[line->tripled_before[end + 1] - line->tripled_before[start]] +
            g->max_tile_points[line->quadrupled_before[end + 1] - line->quadrupled_before[start]];
    bound = 1000 * (along * factor + line->cross_points_before[end + 1] - line->cross_points_before[start] +
                    g->max_cross_points_before[end + 1] - g->max_cross_points_before[start] +
                    (empty_count == g->hand.bingo_tiles ? g->hand.bingo_bonus : 0)) +
            g->max_leave_value[empty_count];
    return bound > INT32_MAX ? INT32_MAX : (int32_t)bound;
}

/* Return the bucket of a bound: intervals of about the same bound share one. */
static inline int bound_bucket(int32_t bound) {
    int bucket = (bound >> BOUND_SHIFT) + NEGATIVE_BOUND_BUCKETS;
    return bucket < 0 ? 0 : bucket >= BOUND_BUCKETS ? BOUND_BUCKETS - 1 : bucket;
}

/* Add an interval to the bucket of its bound; the caller fills in the interval returned. */
static inline Interval *rank_interval(Generation *g, int32_t bound) {
    RankedInterval *ranked = &g->ranked[g->ranked_count];
    int bucket = bound_bucket(bound);
    ranked->bound = bound;
    ranked->next = g->bound_heads[bucket];
    g->bound_heads[bucket] = g->ranked_count++;
    return &ranked->interval;
}

#endif
