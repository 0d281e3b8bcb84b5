/* The static evaluator: the learned value of a leave, or, with an empty bag, a rule.
 * Source: [Heuri, section 4.2.2]. */
#ifndef KIBITZ_STATIC_EVALUATION_H
#define KIBITZ_STATIC_EVALUATION_H

#include "leave_ranks.h"
#include "valuation.h"

#define MILLIPOINTS_PER_UNIT 10 /* leave tables hold hundredths of points */
#define MOVE_LOST 10000         /* millipoints: what it costs not to go out once the bag is empty, besides the tiles */

typedef struct {
    Valuer valuer;          /* first, so that its address is this one's */
    LeaveRanks ranks;
    const int16_t *values;  /* by rank: hundredths of points */
} StaticValuer;

/* With an empty bag: who goes out gains the points of the other rack twice (under either rule of the ending, since what
 * the other player loses counts like a gain); who does not go out loses those of the tiles left twice, and a move. */
static void value_endgame_leaves(const Situation *q, int32_t *values) {
    int32_t other = 0;
    for (int code = 1; code <= q->board->letter_count; code++) other += q->unseen[code] * q->board->values[code - 1];
    for (int leave = 0; leave <= q->hand->full_leave; leave++) {
        int left = leave, points = 0;
        if (q->hand->blanks) left /= q->hand->blanks + 1;
        for (int letter = 0; letter < q->board->letter_count; letter++) {
            if (!q->hand->counts[letter]) continue;
            points += left % (q->hand->counts[letter] + 1) * q->board->values[letter];
            left /= q->hand->counts[letter] + 1;
        }
        values[leave] = leave ? -2000 * points - MOVE_LOST : 2000 * other;
    }
}

/* Valuer.value_leaves.  A full rack, which is the leave of a pass, has the value of its worst six tiles. */
static void value_static_leaves(Valuer *self, const Situation *q, int32_t *values) {
    const StaticValuer *s = (const StaticValuer *)self;
    uint32_t ranks[LEAVE_CAPACITY];
    uint8_t sizes[LEAVE_CAPACITY];
    int full = q->hand->full_leave;
    int32_t least = INT32_MAX;
    if (q->bag_count == 0) {
        value_endgame_leaves(q, values);
        return;
    }
    rank_leaves(&s->ranks, q->tiles, q->hand->tiles, ranks, sizes);
    for (int leave = 0; leave <= full; leave++) {
        if (ranks[leave] == NO_RANK) continue;
        values[leave] = MILLIPOINTS_PER_UNIT * s->values[ranks[leave]];
        if (sizes[leave] == LEAVE_TILES && values[leave] < least) least = values[leave];
    }
    if (ranks[full] == NO_RANK) values[full] = least;
}

/* The evaluator "combined": the value of leaves without bingos, plus the bingos to expect of them. */
typedef struct {
    Valuer valuer;  /* first, so that its address is this one's */
    Valuer *plain;  /* learned from a player who never plays a bingo */
    Valuer *bingos; /* probability of a bingo x its gain over the turn of such a player */
} CombinedValuer;

/* Valuer.value_leaves.  The bingos to expect of the empty leave are subtracted from all, so that its value is 0. */
static void value_combined_leaves(Valuer *self, const Situation *q, int32_t *values) {
    const CombinedValuer *c = (const CombinedValuer *)self;
    int32_t bingos[LEAVE_CAPACITY];
    c->plain->value_leaves(c->plain, q, values);
    if (q->bag_count == 0) return;
    c->bingos->value_leaves(c->bingos, q, bingos);
    for (int leave = 0; leave <= q->hand->full_leave; leave++) values[leave] += bingos[leave] - bingos[0];
}

#endif
