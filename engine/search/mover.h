/* The move that a Mover chooses, and functions on racks.
 * A rack is a list of tile codes in ascending order (0 = blank); a leave is the tiles that a move leaves on it. */
#ifndef KIBITZ_MOVER_H
#define KIBITZ_MOVER_H

#include "leave_ranks.h"
#include "plays.h"

enum { PLAY_MOVE, EXCHANGE_MOVE, PASS_MOVE };

/* A move. */
typedef struct {
    Play play;           /* the play; all zero for an exchange or a pass */
    int32_t equity;      /* millipoints, by the evaluator of the player */
    uint8_t kind;        /* PLAY_MOVE, EXCHANGE_MOVE or PASS_MOVE */
    uint8_t leave_count; /* tiles of the leave */
    uint8_t leave[RACK_CAPACITY]; /* their codes, ascending (0 = blank) */
} Choice;

#define MAX_BASE_PLAYS 3 /* plays stored in BasePlays; beyond them all lines of a board are searched */

/* The best plays of a rack on a base board, for boards that differ from it in a few lines.
 * Play k is the best one outside the lines of plays 0 to k - 1.  So the first play whose line has not changed is the
 * best play in all unchanged lines. */
typedef struct {
    Play plays[MAX_BASE_PLAYS];
    int32_t count;     /* plays found so far */
    int32_t exhausted; /* 1: the rack has no play outside the lines of these */
    int32_t is_wanted; /* 0: do not use base plays, search every board in full */
} BasePlays;

/* Write the tiles of the leave with a number (movegen.leaves); return how many there are. */
static inline int leave_tiles(const uint8_t *tiles, int count, int number, uint8_t *leave) {
    int n = 0;
    for (int i = 0, copies; i < count; i += copies) {
        int of_it;
        for (copies = 1; i + copies < count && tiles[i + copies] == tiles[i]; copies++) {}
        of_it = number % (copies + 1);
        number /= copies + 1;
        while (of_it--) leave[n++] = tiles[i];
    }
    return n;
}

/* Write the number of tiles of each leave of a rack, by the number of the leave. */
static inline void leave_sizes(const uint8_t *tiles, int count, uint8_t *sizes) {
    int total = 1;
    sizes[0] = 0;
    for (int i = 0, copies; i < count; i += copies) {
        for (copies = 1; i + copies < count && tiles[i + copies] == tiles[i]; copies++) {}
        for (int number = total; number < total * (copies + 1); number++)
            sizes[number] = (uint8_t)(sizes[number % total] + number / total);
        total *= copies + 1;
    }
}

/* Write the leave of a play whose tiles are given as codes on the board (0x80 = blank); return its number of tiles. */
static inline int remove_played(const uint8_t *tiles, int count, const uint8_t *played, int played_count, uint8_t *leave) {
    uint32_t gone = 0;
    int n = 0;
    for (int j = 0; j < played_count; j++) {
        int code = played[j] & 0x80 ? 0 : played[j], i = 0;
        while (i < count && (tiles[i] != code || gone >> i & 1)) i++;
        gone |= 1u << i;
    }
    for (int i = 0; i < count; i++)
        if (!(gone >> i & 1)) leave[n++] = tiles[i];
    return n;
}

/* Sort tile codes in ascending order. */
static inline void sort_tiles(uint8_t *tiles, int count) {
    for (int i = 1; i < count; i++) {
        uint8_t tile = tiles[i];
        int j = i;
        for (; j > 0 && tiles[j - 1] > tile; j--) tiles[j] = tiles[j - 1];
        tiles[j] = tile;
    }
}

#endif
