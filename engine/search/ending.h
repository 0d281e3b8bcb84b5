/* How games end, and what the ending adds to the scores: games, simulations and the Python above ask here.
 * Source: thesis 003, chapter 3; 002 section 2.2. */
#ifndef KIBITZ_ENDING_H
#define KIBITZ_ENDING_H

#include "mover.h"

#define MOST_PLAYERS 4 /* engine/position/limits.py: MAX_PLAYERS */

enum { WENT_OUT, ZERO_TURNS, ALL_PASSED, GIVEN_UP, GOES_ON };

/* How the turn just taken ended the game of so many players, or GOES_ON (GIVEN_UP is for callers to say).
 * `tiles_left`: on the rack of who took it, after drawing; `zeros`, `passes`: turns in a row, with this one,
 * without points, and passes; `scoreless`: nobody has a point. */
static inline int game_ending(const GameRules *rules, int players, int tiles_left, int zeros, int passes,
                              int scoreless) {
    if (!tiles_left) return WENT_OUT;
    if (rules->passes_each && passes >= players * rules->passes_each) return ALL_PASSED;
    if (zeros >= rules->zero_turn_limit && !(rules->zero_turns_need_points && scoreless)) return ZERO_TURNS;
    return GOES_ON;
}

/* What is added to the score of each player at the end, in points.
 * `left`: points of each player's tiles left; `out`: who went out, -1 if nobody did.  Going out earns twice the
 * value of all the other racks, or else once, and the others lose theirs; if nobody went out all lose theirs. */
static inline void add_ending(const GameRules *rules, int players, int out, const int32_t *left, int32_t *added) {
    int32_t others = 0;
    for (int i = 0; i < players; i++) {
        added[i] = out >= 0 && rules->ending_is_double ? 0 : -left[i];
        others += i == out ? 0 : left[i];
    }
    if (out >= 0) added[out] = rules->ending_is_double ? 2 * others : others;
}

#endif
