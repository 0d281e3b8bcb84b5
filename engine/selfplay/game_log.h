/* A game as it was played: what replays, statistics and training read. */
#ifndef KIBITZ_GAME_LOG_H
#define KIBITZ_GAME_LOG_H

#include "ending.h"

#define TURN_CAPACITY 1024 /* more turns than any game has in which somebody can play */
#define HOPELESS_TURNS 200 /* turns without a point from the start on, after which a game is given up */

typedef struct {
    Play play;               /* of a play; zero otherwise */
    int32_t equity;          /* millipoints, by the mover's evaluator */
    int32_t score_before[2]; /* points by seat, before the turn */
    uint16_t bag_before;     /* tiles in the bag before the turn */
    uint8_t seat;            /* who moves: 0 began the game */
    uint8_t kind;            /* PLAY_MOVE, EXCHANGE_MOVE, PASS_MOVE */
    uint8_t rack_count;      /* tiles of the mover before the turn */
    uint8_t kept_count;      /* tiles kept, before drawing */
    uint8_t rack[RACK_CAPACITY]; /* codes, ascending (0 = blank) */
    uint8_t kept[RACK_CAPACITY];
} TurnLog;

typedef struct {
    uint64_t seed, number;
    int32_t ending;          /* WENT_OUT, ZERO_TURNS, ALL_PASSED, GIVEN_UP */
    int32_t final[2];        /* points by seat, the ending's adjustments made */
    int32_t left_count[2];   /* tiles left by seat */
    uint8_t left[2][RACK_CAPACITY];
    int32_t turn_count;
    TurnLog turns[TURN_CAPACITY];
} GameLog;

/* What a match keeps of a game; all pairs are by seat. */
typedef struct {
    int32_t final[2];      /* points */
    uint16_t turns[2];
    uint16_t exchanges[2];
    uint16_t passes[2];
    uint16_t bingos[2];
    uint32_t ending;
} GameResult;

/* Sum a game up. */
static inline GameResult summed_up(const GameLog *log, int bingo_tiles) {
    GameResult result = {{log->final[0], log->final[1]}, {0}, {0}, {0}, {0}, (uint32_t)log->ending};
    for (int i = 0; i < log->turn_count; i++) {
        const TurnLog *turn = &log->turns[i];
        result.turns[turn->seat]++;
        if (turn->kind == EXCHANGE_MOVE) result.exchanges[turn->seat]++;
        if (turn->kind == PASS_MOVE) result.passes[turn->seat]++;
        if (turn->kind == PLAY_MOVE && turn->play.placed >= bingo_tiles) result.bingos[turn->seat]++;
    }
    return result;
}

#endif
