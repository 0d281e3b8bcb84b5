/* How the evaluators of this floor are asked: one form for all, so that players and searches need to know none.
 *
 * An evaluator values leaves, all of a rack at once, in the order in which Hand numbers them; the move generator
 * adds them to the scores, and the value of an exchange is that of the leave it keeps.  What cannot be said of a
 * leave alone (Heuri 1's defence) it says of each play. */
#ifndef KIBITZ_VALUATION_H
#define KIBITZ_VALUATION_H

#include "plays.h"

typedef struct {
    const LoadedBoard *board;
    const Hand *hand;        /* the rack, and the numbers of its leaves: 0 .. hand->full_leave */
    const uint8_t *tiles;    /* the rack as tile codes, ascending (0 = blank); hand->tiles of them */
    const uint8_t *unseen;   /* by tile code: tiles of the bag and of the other racks, together */
    int32_t unseen_count;    /* their sum */
    int32_t bag_count;       /* tiles in the bag */
    int32_t spread;          /* own score less the other's, before the move; points */
} Situation;

typedef struct Valuer Valuer;
struct Valuer {
    /* Write the value of each leave in millipoints, full_leave + 1 of them. */
    void (*value_leaves)(Valuer *self, const Situation *situation, int32_t *values);
    /* Change the equity of plays by what depends on more than their leaves; NULL where nothing does. */
    void (*adjust_plays)(Valuer *self, const Situation *situation, Play *plays, uint64_t count);
};

#endif
