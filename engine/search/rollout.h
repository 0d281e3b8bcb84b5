/* One rollout of a simulation: the move it starts from, its state, and its result.
 *
 * Seat 0 is the player whose moves are compared, seat 1 the opponent.  Racks and leaves are lists of tile codes in
 * ascending order (0 = blank).  Source: [Heuri], sections 4.2.2 and 8.1 to 8.3. */
#ifndef KIBITZ_ROLLOUT_H
#define KIBITZ_ROLLOUT_H

#include "game_rules.h"
#include "mover.h"
#include "tile_order.h"

#define SEATS 2
#define CODE_CAPACITY (LETTER_CAPACITY + 1) /* arrays indexed by tile code: the blank and every letter */
#define WIN_SCALE 1000000   /* units of a certain win */
#define PLAY_OUT_TURNS 200  /* turns after which a rollout that is played out stops, because nobody can play */

/* A move to compare, and the board after it. */
typedef struct {
    LoadedBoard board;                /* after the move */
    uint64_t changed;                 /* bit set of the lines of `board` that differ from the board before the move */
    int32_t score;                    /* points of the move */
    int32_t leave_value;              /* millipoints, by the evaluator that proposed the move */
    int32_t zero_turns, passes;       /* turns without points and passes in a row, this move included */
    uint8_t kind;                     /* PLAY_MOVE, EXCHANGE_MOVE or PASS_MOVE */
    uint8_t leave_count;              /* tiles of the leave */
    uint8_t returned_count;           /* tiles that an exchange returns to the bag */
    uint8_t leave[RACK_CAPACITY];     /* codes of the leave */
    uint8_t returned[RACK_CAPACITY];  /* codes returned to the bag */
    uint8_t unplayed[CODE_CAPACITY];  /* by code: tiles that are not on the board after the move */
} Candidate;

/* The state of a rollout. */
typedef struct {
    const LoadedBoard *board;         /* without the pending tiles */
    uint64_t changed;                 /* bit set of the lines of `board` that differ from the board before the candidate */
    Bag bag;                          /* tiles not yet drawn, in their order */
    Random random;                    /* for tiles returned to the bag */
    int32_t scores[SEATS];            /* points */
    int32_t leave_values[SEATS];      /* millipoints: value of the leave of the last move of each seat */
    int32_t rack_counts[SEATS];       /* tiles on each rack */
    int32_t bag_before;               /* tiles in the bag before the last move */
    int32_t zero_turns, passes;       /* turns without points and passes in a row */
    int32_t over;                     /* whether the game has ended: ROLLOUT_... */
    int32_t turns;                    /* turns taken since the candidate */
    int32_t searched;                 /* whether a search has found how the game ends, and the next three fields are set */
    int32_t final_spread;             /* points, own less the other's; within what is proven */
    int32_t final_win;                /* chance of winning in units of 1 / WIN_SCALE */
    int32_t final_doubt;              /* FOUND_DOUBT */
    uint8_t racks[SEATS][RACK_CAPACITY]; /* codes */
    uint8_t unplayed[CODE_CAPACITY];  /* by code: tiles that are not on the board, pending ones counted as on it */
    int32_t pending;                  /* tiles of the last move that are not yet on `board` */
    int cells[RACK_CAPACITY];         /* squares of the pending tiles: row * side + column */
    uint8_t codes[RACK_CAPACITY];     /* codes of the pending tiles */
    uint32_t reply;                   /* squares of the first turn's play (laid_squares), 0 without one */
} Rollout;

/* Whether the game of a rollout has ended: not yet; a player went out; by turns without points. */
enum { ROLLOUT_CONTINUES, ROLLOUT_WENT_OUT, ROLLOUT_STOPPED };

/* The columns of the result of a rollout, each an int32.  If own racks are drawn several times for each reply
 * (refills), they are means over these, rounded down. */
enum {
    FOUND_SPREAD,         /* millipoints: own score less the other's; leaves included unless the game has ended */
    FOUND_WIN,            /* chance of winning in units of 1 / WIN_SCALE */
    FOUND_OPPONENT_SCORE, /* millipoints of the opponent's next move */
    FOUND_OWN_SCORE,      /* millipoints of the own next move */
    FOUND_OPPONENT_BINGO, /* 1000 if the opponent's next move is a bingo */
    FOUND_OWN_BINGO,      /* 1000 if the own next move is a bingo */
    FOUND_LEAVE,          /* millipoints: value of the own leave less that of the other's, at the end */
    FOUND_ENDED,          /* 1000 if the game has ended */
    FOUND_DOUBT,          /* thousandths: standard deviation of the chance because the outcome is an estimate */
    FOUND_COLUMNS
};

#define LINE_SHIFT 26 /* bits for the squares of a line, below the number of the line */

/* Return where a play lays its tiles as one number: its line in the highest bits, bit i for square i of the line.
 * `cells`: the squares of its `count` tiles, as lay_play writes them. */
static inline uint32_t laid_squares(const Play *play, int side, const int *cells, int count) {
    uint32_t squares = (uint32_t)play->line << LINE_SHIFT;
    for (int i = 0; i < count; i++)
        squares |= 1u << (play->line < side ? cells[i] - play->line * side : cells[i] / side);
    return squares;
}

/* Return whether the game of a rollout has ended after a turn: ROLLOUT_...; arguments as in game_ending. */
static inline int rollout_end(const GameRules *rules, int rack_count, int zero_turns, int passes, int scoreless) {
    int how = game_ending(rules, SEATS, rack_count, zero_turns, passes, scoreless);
    return how == CONTINUES ? ROLLOUT_CONTINUES : how == WENT_OUT ? ROLLOUT_WENT_OUT : ROLLOUT_STOPPED;
}

/* Return own less other's final score in points, adjusted by the ending. */
static inline int32_t final_spread(const GameRules *rules, const LoadedBoard *board, const Rollout *r) {
    int32_t left[SEATS] = {0, 0}, added[SEATS];
    for (int seat = 0; seat < SEATS; seat++)
        for (int i = 0; i < r->rack_counts[seat]; i++)
            if (r->racks[seat][i]) left[seat] += board->values[r->racks[seat][i] - 1];
    add_ending(rules, SEATS, r->over == ROLLOUT_WENT_OUT ? r->rack_counts[0] != 0 : -1, left, added);
    return r->scores[0] + added[0] - r->scores[1] - added[1];
}

/* Return the chance of the player who has moved to win, in units of 1 / WIN_SCALE: WinPctTable.chance in integers.
 * `values`: the table, by unseen tiles (`rows` rows) and by expected spread in points from -`middle` to `middle`, in
 * parts of `unit`; `spread`: of the player who has moved, in millipoints, between two columns as a rule. */
static inline int32_t win_chance(const uint16_t *values, int rows, int middle, int unit, int64_t spread, int unseen) {
    int64_t at = spread + 1000 * (int64_t)middle, low, part;
    const uint16_t *row = values + (size_t)(2 * middle + 1) * (size_t)(unseen < rows ? unseen : rows - 1);
    at = at < 0 ? 0 : at > 2000 * (int64_t)middle ? 2000 * (int64_t)middle : at;
    low = at / 1000 < 2 * middle - 1 ? at / 1000 : 2 * middle - 1;
    part = at - 1000 * low;
    return (int32_t)((row[low] * (1000 - part) + row[low + 1] * part) * (WIN_SCALE / 1000) / unit);
}

#endif
