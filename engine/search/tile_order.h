/* The order in which a game's tiles are drawn: it follows from the seed and the number of the game alone.
 *
 * The bag is shuffled once.  The first seat draws from its front, the second from its back, so that what a player
 * draws does not depend on how many tiles the other takes: the two games of a pair with swapped seats, and games of
 * the same number between other players, are as alike as they can be.  Exchanged tiles go back to random places. */
#ifndef KIBITZ_TILE_ORDER_H
#define KIBITZ_TILE_ORDER_H

#include <stdint.h>
#include <string.h>

#define BAG_CAPACITY 400 /* engine/rules/tile_set.py: MAX_TILES */

typedef struct {
    uint64_t state; /* splitmix64 (Steele, Lea and Flood 2014): a counter, and a mixing of it */
} Random;

typedef struct {
    uint8_t tiles[BAG_CAPACITY]; /* codes, 0 = blank; those from `first` to before `end` are in the bag */
    int32_t first, end;
} Bag;

static inline uint64_t next_random(Random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* A number from 0 to below `bound`, which is small beside 2^32: the bias is under one in ten million. */
static inline uint32_t random_below(Random *random, uint32_t bound) {
    return (uint32_t)((next_random(random) >> 32) * bound >> 32);
}

/* Begin the random numbers of one game. */
static inline Random game_random(uint64_t seed, uint64_t number) {
    Random random = {seed};
    random.state = next_random(&random) + number;
    random.state = next_random(&random);
    return random;
}

static inline int bag_count(const Bag *bag) { return bag->end - bag->first; }

/* Fill the bag with the tiles of a set, by code, and shuffle it. */
static inline void fill_bag(Bag *bag, const uint8_t *counts, int letter_count, Random *random) {
    bag->first = bag->end = 0;
    for (int code = 0; code <= letter_count; code++)
        for (int i = 0; i < counts[code]; i++) bag->tiles[bag->end++] = (uint8_t)code;
    for (int i = bag->end - 1; i > 0; i--) {
        int j = (int)random_below(random, (uint32_t)i + 1);
        uint8_t tile = bag->tiles[i];
        bag->tiles[i] = bag->tiles[j];
        bag->tiles[j] = tile;
    }
}

/* Draw one tile at the end of a seat; the bag is not empty. */
static inline uint8_t draw_tile(Bag *bag, int seat) {
    return seat ? bag->tiles[--bag->end] : bag->tiles[bag->first++];
}

/* Put a tile back at a random place; some tile has been drawn before, so there is room at one end. */
static inline void return_tile(Bag *bag, uint8_t tile, Random *random) {
    int place = (int)random_below(random, (uint32_t)bag_count(bag) + 1);
    uint8_t *tiles = bag->tiles + bag->first;
    if (bag->first > 0) {
        memmove(tiles - 1, tiles, (size_t)place);
        tiles[place - 1] = tile;
        bag->first--;
    } else {
        memmove(tiles + place + 1, tiles + place, (size_t)(bag_count(bag) - place));
        tiles[place] = tile;
        bag->end++;
    }
}

#endif
