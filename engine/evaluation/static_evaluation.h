/* The static evaluator: the learned value of a leave, and what an empty bag makes of it.
 * Source: thesis 003, section 4.2.2; systems.md L. */
#ifndef KIBITZ_STATIC_EVALUATION_H
#define KIBITZ_STATIC_EVALUATION_H

#include "leave_ranks.h"
#include "valuation.h"

#define UNIT 10             /* millipoints of a table's value: it holds hundredths of points */
#define MOVE_LOST 10000     /* millipoints: what staying in costs once the bag is empty, besides the tiles */

typedef struct {
    Valuer valuer;          /* first, so that its address is this one's */
    LeaveRanks ranks;
    const int16_t *values;  /* by rank: hundredths of points */
} StaticValuer;

/* With an empty bag: who goes out gains the other rack twice over (in either ending: what the other loses counts as
 * much as what is gained), who does not loses the tiles kept, twice, and a move. */
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

/* Valuer.value_leaves.  The whole of a full rack, which a pass keeps, is worth its worst six tiles. */
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
        values[leave] = UNIT * s->values[ranks[leave]];
        if (sizes[leave] == LEAVE_TILES && values[leave] < least) least = values[leave];
    }
    if (ranks[full] == NO_RANK) values[full] = least;
}

/* The evaluator "combined": what leaves are worth without bingos, and the bingos to expect of them. */
typedef struct {
    Valuer valuer;  /* first */
    Valuer *plain;  /* leaves of a player who never plays a bingo */
    Valuer *bingos; /* what a bingo gains over such a player's turn, times its probability */
} CombinedValuer;

/* Valuer.value_leaves.  The bingos to expect of the empty leave are taken off all, so that it is worth 0. */
static void value_combined_leaves(Valuer *self, const Situation *q, int32_t *values) {
    const CombinedValuer *c = (const CombinedValuer *)self;
    int32_t bingos[LEAVE_CAPACITY];
    c->plain->value_leaves(c->plain, q, values);
    if (q->bag_count == 0) return;
    c->bingos->value_leaves(c->bingos, q, bingos);
    for (int leave = 0; leave <= q->hand->full_leave; leave++) values[leave] += bingos[leave] - bingos[0];
}

#endif
