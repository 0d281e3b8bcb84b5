/* What one rollout starts from, what it carries along, and what it leaves behind.
 *
 * Seat 0 is the player whose moves are compared, seat 1 the opponent.
 * Source: systems.md S; thesis 003, sections 4.2.2 and 8.1 to 8.3. */
#ifndef KIBITZ_SIMULATION_H
#define KIBITZ_SIMULATION_H

#include "ending.h"
#include "tile_order.h"

#define WIN_SCALE 1000000   /* units of a certain win */
#define PLAY_OUT_TURNS 200  /* turns after which a rollout is no longer played out: nobody can play */

/* A move to compare, and the board after it. */
typedef struct {
    LoadedBoard board;
    int32_t score;                    /* points of the move */
    int32_t leave_value;              /* millipoints of what it keeps, by the evaluator asked */
    int32_t zeros, passes;            /* turns without points, passes, in a row and with this one */
    uint8_t kind;                     /* PLAY_MOVE, EXCHANGE_MOVE or PASS_MOVE */
    uint8_t kept_count, returned_count;
    uint8_t kept[RACK_CAPACITY];      /* codes, ascending (0 = blank) */
    uint8_t returned[RACK_CAPACITY];  /* of an exchange: codes put back */
    uint8_t unplayed[LETTER_CAPACITY + 1]; /* by code: tiles not on the board after it */
    uint64_t changed;                 /* lines of its board that are not those of the board before it (bit set) */
} Candidate;

/* A rollout under way. */
typedef struct {
    const LoadedBoard *board;
    Bag bag;
    Random random;
    int32_t scores[2];                /* points by seat */
    int32_t leave_values[2];          /* millipoints by seat: what the last move kept */
    int32_t rack_counts[2];
    int32_t zeros, passes;            /* in a row */
    int32_t over;                     /* the game has ended: ROLLOUT_... */
    int32_t turns;                    /* since the candidate */
    uint8_t racks[2][RACK_CAPACITY];  /* codes, ascending */
    uint8_t unplayed[LETTER_CAPACITY + 1]; /* by code: tiles not on the board */
    uint64_t changed;                 /* lines of `board` that are not those of the board before the candidate */
    int32_t pending;                  /* tiles of the last move, not yet on the board, */
    int cells[RACK_CAPACITY];         /* where they go, */
    uint8_t codes[RACK_CAPACITY];     /* and which they are */
} Rollout;

enum { ROLLOUT_GOES_ON, ROLLOUT_WENT_OUT, ROLLOUT_STOPPED };

/* The columns of what a rollout found, each an int32.  Where own racks are drawn many times for each reply
 * (refills) they are means, cut to whole units. */
enum {
    FOUND_SPREAD,         /* millipoints: own less other's score, leaves included unless the game ended */
    FOUND_WIN,            /* millionths */
    FOUND_OPPONENT_SCORE, /* millipoints of the opponent's next move */
    FOUND_OWN_SCORE,      /* millipoints of the own next move */
    FOUND_OPPONENT_BINGO, /* thousandths of a bingo in the opponent's next move */
    FOUND_OWN_BINGO,      /* the same of the own next move */
    FOUND_LEAVE,          /* millipoints: own less other's leave at the end */
    FOUND_ENDED,          /* thousandths: the game ended */
    FOUND_COLUMNS
};

/* How a rollout ends after a turn of a seat. */
static inline int rollout_end(const GameRules *rules, int rack_count, int zeros, int passes, int scoreless) {
    int how = game_ending(rules, 2, rack_count, zeros, passes, scoreless);
    return how == GOES_ON ? ROLLOUT_GOES_ON : how == WENT_OUT ? ROLLOUT_WENT_OUT : ROLLOUT_STOPPED;
}

/* Own less other's final score, in points, with the adjustments of the ending. */
static inline int32_t final_spread(const GameRules *rules, const LoadedBoard *board, const Rollout *r) {
    int32_t left[2] = {0, 0}, added[2];
    for (int seat = 0; seat < 2; seat++)
        for (int i = 0; i < r->rack_counts[seat]; i++)
            if (r->racks[seat][i]) left[seat] += board->values[r->racks[seat][i] - 1];
    add_ending(rules, 2, r->over == ROLLOUT_WENT_OUT ? r->rack_counts[0] != 0 : -1, left, added);
    return r->scores[0] + added[0] - r->scores[1] - added[1];
}

/* Chance of the player on turn, in millionths: WinPctTable.chance in whole numbers. */
static inline int32_t win_chance(const uint16_t *values, int rows, int middle, int unit, int64_t spread, int unseen) {
    int64_t at = spread + 1000 * (int64_t)middle, low, part;
    const uint16_t *row = values + (size_t)(2 * middle + 1) * (size_t)(unseen < rows ? unseen : rows - 1);
    at = at < 0 ? 0 : at > 2000 * (int64_t)middle ? 2000 * (int64_t)middle : at;
    low = at / 1000 < 2 * middle - 1 ? at / 1000 : 2 * middle - 1;
    part = at - 1000 * low;
    return (int32_t)((row[low] * (1000 - part) + row[low + 1] * part) * (WIN_SCALE / 1000) / unit);
}

#endif
