/* Upper bounds, for the best play alone: what the plays of an interval can be worth at most.
 *
 * The bound takes the dearest tiles of the rack for the dearest squares, along and across apart, and the best
 * leave of as many tiles.  It costs a few additions an interval: the squares are counted on the board, the
 * tiles once a rack, the words across once a line. */
#ifndef KIBITZ_BOUNDS_H
#define KIBITZ_BOUNDS_H

#include "generation.h"

/* What the rack can give at most; its leave values, if any, are in place. */
static void take_reach(Generation *g) {
    const Hand *hand = &g->hand;
    uint8_t kept[128]; /* by leave: its tiles */
    int tiles = 0;
    g->value_count = 0;
    for (int letter = 0; letter < g->tables->letter_count; letter++) {
        int i = g->value_count, value = hand->values[letter];
        if (!hand->counts[letter]) continue;
        for (; i > 0 && g->values[i - 1] < value; i--) {
            g->values[i] = g->values[i - 1];
            g->valued[i] = g->valued[i - 1];
        }
        g->values[i] = value;
        g->valued[i] = (letter_mask)1 << letter;
        g->value_count++;
    }
    g->tile_reach[0] = 0;
    for (int i = 0; i < g->value_count; i++)
        for (int k = hand->counts[__builtin_ctzll(g->valued[i])]; k; k--, tiles++)
            g->tile_reach[tiles + 1] = g->tile_reach[tiles] + g->values[i];
    for (; tiles < RACK_CAPACITY; tiles++) g->tile_reach[tiles + 1] = g->tile_reach[tiles];
    memset(g->leave_reach, 0, sizeof(g->leave_reach));
    if (!hand->leave_values) return;
    kept[0] = 0;
    for (int i = 0; i <= RACK_CAPACITY; i++) g->leave_reach[i] = INT32_MIN;
    for (int letter = -1, weight = 1; letter < g->tables->letter_count; letter++) {
        int count = letter < 0 ? hand->blanks : hand->counts[letter];
        for (int k = 1; k <= count; k++)
            for (int i = 0; i < weight; i++) kept[k * weight + i] = (uint8_t)(kept[i] + k);
        weight *= count + 1;
    }
    for (int leave = 0; leave <= hand->full_leave; leave++) {
        int placed = hand->tiles - kept[leave];
        if (hand->leave_values[leave] > g->leave_reach[placed]) g->leave_reach[placed] = hand->leave_values[leave];
    }
}

/* What the tiles of the rack can add at most to the words across a line. */
static void take_line_reach(Generation *g, const Line *line) {
    int32_t sum = 0;
    int done = 0;
    for (uint32_t crossed = line->crossed; crossed; crossed &= crossed - 1) {
        int square = __builtin_ctz(crossed), i = 0;
        while (done <= square) g->across_reach[done++] = sum;
        while (i < g->value_count && !(line->admissible[square] & g->valued[i])) i++;
        if (i < g->value_count) sum += g->values[i] * line->across_factor[square];
    }
    while (done <= g->board->side) g->across_reach[done++] = sum;
}

/* The equity that no play on these squares of a line exceeds, in millipoints. */
static inline int32_t interval_bound(const Generation *g, const Line *line, int start, int end, int placed) {
    uint32_t squares = ((2u << (end - start)) - 1) << start;
    int64_t along, factor = 1, bound;
    for (uint32_t premium = squares & line->premium; premium; premium &= premium - 1)
        factor *= line->word_factor[__builtin_ctz(premium)];
    along = line->points_before[end + 1] - line->points_before[start] + g->tile_reach[placed] +
            g->tile_reach[line->doubled_before[end + 1] - line->doubled_before[start]] +
            g->tile_reach[line->tripled_before[end + 1] - line->tripled_before[start]] +
            g->tile_reach[line->quadrupled_before[end + 1] - line->quadrupled_before[start]];
    bound = 1000 * (along * factor + line->across_before[end + 1] - line->across_before[start] +
                    g->across_reach[end + 1] - g->across_reach[start] +
                    (placed == g->hand.bingo_tiles ? g->hand.bingo_bonus : 0)) +
            g->leave_reach[placed];
    return bound > INT32_MAX ? INT32_MAX : (int32_t)bound;
}

/* Intervals of about the same bound share a bucket, two points wide. */
static inline int bound_bucket(int32_t bound) {
    int bucket = (bound >> BOUND_SHIFT) + LOWEST_BUCKETS;
    return bucket < 0 ? 0 : bucket >= BOUND_BUCKETS ? BOUND_BUCKETS - 1 : bucket;
}

/* Make a place in its bucket for an interval, which the caller fills in. */
static inline Interval *rank_interval(Generation *g, int32_t bound) {
    RankedInterval *ranked = &g->ranked[g->ranked_count];
    int bucket = bound_bucket(bound);
    ranked->bound = bound;
    ranked->next = g->bound_heads[bucket];
    g->bound_heads[bucket] = g->ranked_count++;
    return &ranked->interval;
}

#endif
