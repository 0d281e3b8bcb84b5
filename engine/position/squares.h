/* Boards as bytes, one tile code a square: counted by tile, and looked at for islands. */

#ifndef KIBITZ_SQUARES_H
#define KIBITZ_SQUARES_H

#include <stdint.h>
#include <string.h>

#define KIBITZ_BLANK 0x80     /* set in the code of a blank that stands for a letter */
#define KIBITZ_SIDE_LIMIT 32  /* squares of a line at most: a row is one word of bits */

typedef struct {
    uint16_t of[256];  /* tiles by code; a blank counts as code 0, whatever letter it stands for */
    int total;         /* tiles on the board */
    int highest;       /* the highest code of a tile that is no blank, 0 without one */
} KibitzCounts;

typedef struct {
    uint32_t tiles[KIBITZ_SIDE_LIMIT];    /* a word a row: bit c is set if a tile lies in column c */
    uint32_t reached[KIBITZ_SIDE_LIMIT];  /* those of the tiles that hang together with the start */
} KibitzIsland;

static inline void kibitz_count(const uint8_t *squares, int length, KibitzCounts *counts)
{
    int place = 0, code, blanks = 0;
    uint64_t eight;
    memset(counts, 0, sizeof *counts);
    for (; place + 8 <= length; place += 8) {
        memcpy(&eight, squares + place, 8);
        if (eight)  /* most of a board is empty */
            for (code = 0; code < 8; code++)
                counts->of[squares[place + code]]++;
        else
            counts->of[0] += 8;
    }
    for (; place < length; place++)
        counts->of[squares[place]]++;
    counts->total = length - counts->of[0];
    for (code = KIBITZ_BLANK; code < 256; code++) {
        blanks += counts->of[code];
        counts->of[code] = 0;
    }
    counts->of[0] = (uint16_t) blanks;
    for (code = KIBITZ_BLANK - 1; code > 0 && !counts->of[code]; code--)
        ;
    counts->highest = code;
}

/* Grow what is reached of a row along it. Returns whether it grew beyond what was reached before. */
static inline int kibitz_grow(KibitzIsland *island, int row, uint32_t beside)
{
    uint32_t tiles = island->tiles[row], before = island->reached[row];
    uint32_t grown = before | (beside & tiles), last = before;
    while (grown != last) {
        last = grown;
        grown |= ((grown << 1) | (grown >> 1)) & tiles;
    }
    island->reached[row] = grown;
    return grown != before;
}

/* Find the tiles that hang together with the one at `start`, which must be one. Returns how many. */
static inline int kibitz_reach(const uint8_t *squares, int side, int start, KibitzIsland *island)
{
    int row, column, growing, count = 0;
    for (row = 0; row < side; row++) {
        uint32_t tiles = 0;
        for (column = 0; column < side; column++)
            tiles |= (uint32_t) (squares[row * side + column] != 0) << column;
        island->tiles[row] = tiles;
        island->reached[row] = 0;
    }
    kibitz_grow(island, start / side, (uint32_t) 1 << (start % side));
    do {
        growing = 0;
        for (row = 1; row < side; row++)
            growing |= kibitz_grow(island, row, island->reached[row - 1]);
        for (row = side - 2; row >= 0; row--)
            growing |= kibitz_grow(island, row, island->reached[row + 1]);
    } while (growing);
    for (row = 0; row < side; row++)
        count += __builtin_popcount(island->reached[row]);
    return count;
}

#endif
