/* Leaves by rank: every multiset of up to six tiles that the set of tiles can deal has a number of its own, dense
 * and in order of size.  leave_ranks.py makes the tables.
 *
 * rank(leave) = base[tiles] + sum over its letters of offset[code][tiles of this code and higher][copies]:
 * the leaves of the same size that have fewer copies of that code, all lower codes being equal. */
#ifndef KIBITZ_LEAVE_RANKS_H
#define KIBITZ_LEAVE_RANKS_H

#include <stdint.h>

#define LEAVE_TILES 6     /* tiles of the largest leave that has a rank */
#define NO_RANK 0xffffffffu
#define LEAVE_CAPACITY 128 /* leaves of a rack of seven tiles */

typedef struct {
    uint32_t count;                                   /* leaves of all sizes, the empty one first */
    uint32_t base[LEAVE_TILES + 2];                   /* by size: rank of the first leave */
    uint32_t offset[64][LEAVE_TILES + 1][LEAVE_TILES + 1]; /* by code, tiles of this code and higher, copies */
} LeaveRanks;

/* Write rank and size of every leave of a rack (codes ascending), in the order in which Hand numbers them: the
 * lowest code is the fastest digit.  A leave of seven tiles gets NO_RANK. */
static inline void rank_leaves(const LeaveRanks *r, const uint8_t *tiles, int count, uint32_t *ranks, uint8_t *sizes) {
    int made = 1, end = count;
    ranks[0] = 0;
    sizes[0] = 0;
    while (end > 0) { /* from the highest code down: what is made so far becomes the higher digits */
        int code = tiles[end - 1], copies = 0;
        while (end > 0 && tiles[end - 1] == code) end--, copies++;
        for (int i = made - 1; i >= 0; i--) {
            uint32_t rank = ranks[i];
            int size = sizes[i];
            for (int of_it = 0; of_it <= copies; of_it++) {
                int at = i * (copies + 1) + of_it, total = size + of_it;
                sizes[at] = (uint8_t)total;
                ranks[at] = total > LEAVE_TILES ? NO_RANK : rank + r->offset[code][total][of_it];
            }
        }
        made *= copies + 1;
    }
    for (int i = 0; i < made; i++)
        if (ranks[i] != NO_RANK) ranks[i] += r->base[sizes[i]];
}

#endif
