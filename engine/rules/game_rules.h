/* The rules of a game as numbers, when a game ends, and what its end adds to the scores.
 * engine/rules/rule_set.py describes the rules.  engine/rules/game_end.py states the endings for Python;
 * tests/rules/test_game_rules.py compares the two. */
#ifndef KIBITZ_GAME_RULES_H
#define KIBITZ_GAME_RULES_H

#include <stdint.h>

/* The rule set of a game. */
typedef struct {
    int32_t bingo_bonus;            /* points */
    int32_t bingo_tiles;            /* tiles of one play that earn the bonus */
    int32_t rack_size;              /* tiles of a full rack */
    int32_t exchange_limit;         /* fewest tiles in the bag with which an exchange is legal */
    int32_t zero_turn_limit;        /* turns without points in a row that end the game */
    int32_t passes_each;            /* passes in a row of each player that end it; 0: no such rule */
    int32_t zero_turns_need_points; /* 1: turns without points do not count while all scores are 0 */
    int32_t ending_is_double;       /* 1: the player who goes out gains twice the points of the other racks; 0: gains
                                       them once, and the others lose theirs */
} GameRules;

#define MAX_PLAYERS 4 /* engine/position/limits.py: MAX_PLAYERS */

/* How a game ended: a player went out; too many turns without points; too many passes; the caller gave up because
 * nobody can play (game_ending never returns this); or not at all. */
enum { WENT_OUT, ZERO_TURNS, ALL_PASSED, GIVEN_UP, CONTINUES };

/* Return how the last turn ended the game, or CONTINUES.
 * `tiles_left`: tiles on the rack of the player of that turn, after drawing; `zero_turns`, `passes`: turns without
 * points and passes in a row, the last turn included; `scoreless`: nobody has scored yet. */
static inline int game_ending(const GameRules *rules, int players, int tiles_left, int zero_turns, int passes,
                              int scoreless) {
    if (!tiles_left) return WENT_OUT;
    if (rules->passes_each && passes >= players * rules->passes_each) return ALL_PASSED;
    if (zero_turns >= rules->zero_turn_limit && !(rules->zero_turns_need_points && scoreless)) return ZERO_TURNS;
    return CONTINUES;
}

/* Write what the end of the game adds to the score of each player, in points.
 * `left`: points of the tiles on each rack; `out`: the player who went out, -1 if nobody did.  That player gains the
 * points of all other racks twice (ending_is_double), or gains them once while the others lose theirs.  If nobody went
 * out, every player loses the points of the own rack. */
static inline void add_ending(const GameRules *rules, int players, int out, const int32_t *left, int32_t *added) {
    int32_t others = 0;
    for (int i = 0; i < players; i++) {
        added[i] = out >= 0 && rules->ending_is_double ? 0 : -left[i];
        others += i == out ? 0 : left[i];
    }
    if (out >= 0) added[out] = rules->ending_is_double ? 2 * others : others;
}

#endif
