/* The rank of a leave: its number among all multisets of up to six tiles that the tile set can deal, the smaller leaves
 * first.  leave_ranks.py makes the tables.
 *
 * rank(leave) = base[tiles] + sum over its tile codes of offset[code][tiles of this code and higher][copies].  An offset
 * counts the leaves of the same size that have fewer copies of that code and the same lower codes. */
#ifndef KIBITZ_LEAVE_RANKS_H
#define KIBITZ_LEAVE_RANKS_H

#include "plays.h"

#define LEAVE_TILES 6     /* tiles of the largest leave that has a rank */
#define NO_RANK 0xffffffffu /* of a leave of more tiles */

typedef struct {
    uint32_t count;                                   /* leaves of all sizes, the empty one first */
    uint32_t base[LEAVE_TILES + 2];                   /* by size: rank of the first leave */
    uint32_t offset[LETTER_CAPACITY][LEAVE_TILES + 1][LEAVE_TILES + 1]; /* by code, tiles of this code and higher, copies */
} LeaveRanks;

/* Write rank and size of every leave of a rack of `count` tiles (codes ascending), in the order in which Hand numbers
 * them: the lowest code is the fastest digit. */
static inline void rank_leaves(const LeaveRanks *r, const uint8_t *tiles, int count, uint32_t *ranks, uint8_t *sizes) {
    int leaves = 1, end = count;
    ranks[0] = 0;
    sizes[0] = 0;
    while (end > 0) { /* from the highest code down: the leaves so far become the higher digits */
        int code = tiles[end - 1], copies = 0;
        while (end > 0 && tiles[end - 1] == code) end--, copies++;
        for (int i = leaves - 1; i >= 0; i--) {
            uint32_t rank = ranks[i];
            int size = sizes[i];
            for (int some = 0; some <= copies; some++) {
                int at = i * (copies + 1) + some, total = size + some;
                sizes[at] = (uint8_t)total;
                ranks[at] = total > LEAVE_TILES ? NO_RANK : rank + r->offset[code][total][some];
            }
        }
        leaves *= copies + 1;
    }
    for (int i = 0; i < leaves; i++)
        if (ranks[i] != NO_RANK) ranks[i] += r->base[sizes[i]];
}

#endif
