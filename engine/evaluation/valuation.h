/* The interface of all evaluators for kernels: players and searches call a Valuer without knowing which one it is.
 *
 * An evaluator values all leaves of a rack at once, in the order in which Hand numbers them.  The move generator adds the
 * values to the scores; an exchange is worth the value of the tiles that stay in the rack.  What depends on more than the
 * leave (the defence of Heuri 1) is subtracted from each play afterwards. */
#ifndef KIBITZ_VALUATION_H
#define KIBITZ_VALUATION_H

#include "plays.h"

/* The position that leaves are valued in. */
typedef struct {
    const LoadedBoard *board;
    const Hand *hand;        /* the rack, and the numbers of its leaves: 0 .. hand->full_leave */
    const uint8_t *tiles;    /* the rack as tile codes, ascending (0 = blank); hand->tiles of them */
    const uint8_t *unseen;   /* by tile code: how many tiles are in the bag and on the other racks together */
    int32_t unseen_count;    /* their sum */
    int32_t bag_count;       /* tiles in the bag */
    int32_t spread;          /* own score less the other's, before the move; points */
} Situation;

typedef struct Valuer Valuer;
struct Valuer {
    /* Write the value of each leave in millipoints, full_leave + 1 of them. */
    void (*value_leaves)(Valuer *self, const Situation *situation, int32_t *values);
    /* Change the equity of plays by what depends on more than their leaves; NULL if nothing does. */
    void (*adjust_plays)(Valuer *self, const Situation *situation, Play *plays, uint64_t count);
    /* 1: the pass competes with the other moves by the value of the full rack; 0: it is chosen only without them. */
    int32_t weighs_pass;
};

#endif
