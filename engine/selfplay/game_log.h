/* The record of a game played in the kernel, which replays, statistics and training read.
 * All pairs are by seat: seat 0 began the game. */
#ifndef KIBITZ_GAME_LOG_H
#define KIBITZ_GAME_LOG_H

#include <string.h>

#include "game_rules.h"
#include "mover.h"

#define TURN_CAPACITY 1024 /* longer than any game in which somebody can play */
#define HOPELESS_TURNS 200 /* turns without points at the start of a game after which it is given up */
#define MIDDLE_TURN 12     /* the turn after which GameResult holds the scores; statistics.py: MIDDLE_TURN */

/* One turn. */
typedef struct {
    Play play;               /* the play; all zero for an exchange or a pass */
    int32_t equity;          /* of the move, in millipoints, by the evaluator of the player on turn */
    int32_t score_before[2]; /* points before the turn */
    uint16_t bag_before;     /* tiles in the bag before the turn */
    uint8_t seat;            /* on turn */
    uint8_t kind;            /* PLAY_MOVE, EXCHANGE_MOVE, PASS_MOVE */
    uint8_t rack_count;      /* tiles on the rack before the turn */
    uint8_t leave_count;     /* tiles of the leave, before drawing */
    uint8_t rack[RACK_CAPACITY];  /* codes, ascending (0 = blank) */
    uint8_t leave[RACK_CAPACITY]; /* codes, ascending */
} TurnLog;

/* A game. */
typedef struct {
    uint64_t seed, number;   /* of the game: they determine the order of the tiles */
    int32_t ending;          /* WENT_OUT, ZERO_TURNS, ALL_PASSED or GIVEN_UP */
    int32_t final[2];        /* scores after the adjustments of the ending */
    int32_t left_count[2];   /* tiles left on each rack */
    uint8_t left[2][RACK_CAPACITY]; /* their codes */
    int32_t turn_count;      /* entries used in `turns` */
    TurnLog turns[TURN_CAPACITY];
} GameLog;

/* The summary of a game that matches store. */
typedef struct {
    int32_t final[2];      /* scores after the adjustments of the ending */
    uint16_t turns[2];     /* turns of each seat, exchanges and passes included */
    uint16_t exchanges[2];
    uint16_t passes[2];
    uint16_t bingos[2];
    int32_t middle[2];     /* scores after turn MIDDLE_TURN; the final ones of a game that had no more turns */
    int32_t endgame[2];    /* scores when the bag was first empty; the final ones if no turn came after that */
    uint32_t ending;       /* as in GameLog */
} GameResult;

/* Return the summary of a game. */
static inline GameResult game_result(const GameLog *log, int bingo_tiles) {
    int32_t first = log->final[0], second = log->final[1];
    GameResult result = {{first, second}, {0}, {0}, {0}, {0}, {first, second}, {first, second},
                         (uint32_t)log->ending};
    int has_endgame = 0;
    for (int i = 0; i < log->turn_count; i++) {
        const TurnLog *turn = &log->turns[i];
        if (i == MIDDLE_TURN) memcpy(result.middle, turn->score_before, sizeof(result.middle));
        if (!turn->bag_before && !has_endgame) {
            has_endgame = 1;
            memcpy(result.endgame, turn->score_before, sizeof(result.endgame));
        }
        result.turns[turn->seat]++;
        if (turn->kind == EXCHANGE_MOVE) result.exchanges[turn->seat]++;
        if (turn->kind == PASS_MOVE) result.passes[turn->seat]++;
        if (turn->kind == PLAY_MOVE && turn->play.placed >= bingo_tiles) result.bingos[turn->seat]++;
    }
    return result;
}

#endif
