/* What the floors above need to know to play on: the rules as numbers, and the move chosen. */
#ifndef KIBITZ_MOVER_H
#define KIBITZ_MOVER_H

#include "leave_ranks.h"
#include "plays.h"

/* engine/rules/rule_set.py says what each means. */
typedef struct {
    int32_t bingo_bonus;            /* points */
    int32_t bingo_tiles;            /* tiles that earn them */
    int32_t rack_size;              /* tiles of a full rack */
    int32_t exchange_limit;         /* least tiles in the bag that allow an exchange */
    int32_t zero_turn_limit;        /* turns without points in a row that end the game */
    int32_t passes_each;            /* passes of each player in a row that end it; 0: no such rule */
    int32_t zero_turns_need_points; /* the zero turns do not count while all scores are 0 */
    int32_t ending_is_double;       /* who goes out gets twice the other rack; else once, and the other loses it */
} GameRules;

enum { PLAY_MOVE, EXCHANGE_MOVE, PASS_MOVE };

typedef struct {
    Play play;           /* of a play; zero otherwise */
    int32_t equity;      /* millipoints, by the evaluator asked */
    uint8_t kind;        /* PLAY_MOVE, EXCHANGE_MOVE or PASS_MOVE */
    uint8_t kept_count;  /* tiles kept */
    uint8_t kept[RACK_CAPACITY]; /* their codes, ascending (0 = blank) */
} Choice;

#define STANDING_PLAYS 3 /* so many, before all lines are looked at again */

/* The best plays of a rack on a board from which later boards differ in some lines only: each is the best beyond
 * the lines of those before it.  The first whose line has not changed is the best of all lines that have not. */
typedef struct {
    Play plays[STANDING_PLAYS];
    int32_t count;     /* plays known so far */
    int32_t exhausted; /* there is no play beyond their lines */
    int32_t is_sought; /* they are looked for; else every board is looked at whole */
} Standing;

/* Write the tiles of a leave, given by its number, and return how many. */
static inline int leave_tiles(const uint8_t *tiles, int count, int number, uint8_t *kept) {
    int n = 0;
    for (int i = 0, copies; i < count; i += copies) {
        int of_it;
        for (copies = 1; i + copies < count && tiles[i + copies] == tiles[i]; copies++) {}
        of_it = number % (copies + 1);
        number /= copies + 1;
        while (of_it--) kept[n++] = tiles[i];
    }
    return n;
}

/* Write the number of tiles of each leave, in the order of their numbers. */
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

/* Take the tiles just played, as codes on the board (0x80 = blank), from a rack; returns how many are left. */
static inline int keep_unplayed(const uint8_t *tiles, int count, const uint8_t *played, int played_count, uint8_t *kept) {
    uint32_t gone = 0;
    int n = 0;
    for (int j = 0; j < played_count; j++) {
        int code = played[j] & 0x80 ? 0 : played[j], i = 0;
        while (i < count && (tiles[i] != code || gone >> i & 1)) i++;
        gone |= 1u << i;
    }
    for (int i = 0; i < count; i++)
        if (!(gone >> i & 1)) kept[n++] = tiles[i];
    return n;
}

/* Order tile codes. */
static inline void sort_tiles(uint8_t *tiles, int count) {
    for (int i = 1; i < count; i++) {
        uint8_t tile = tiles[i];
        int j = i;
        for (; j > 0 && tiles[j - 1] > tile; j--) tiles[j] = tiles[j - 1];
        tiles[j] = tile;
    }
}

#endif
