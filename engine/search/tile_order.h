/* The order in which the tiles of a game are drawn.  It depends on the seed and the number of the game alone.
 *
 * The bag is shuffled once.  Seat 0 draws from its front and seat 1 from its back, so that what a player draws does
 * not depend on how many tiles the other one takes.  This makes games with the same number as alike as possible,
 * whoever plays them, and reduces the variance of comparisons.  Exchanged tiles return to random places. */
#ifndef KIBITZ_TILE_ORDER_H
#define KIBITZ_TILE_ORDER_H

#include <stdint.h>
#include <string.h>

#define BAG_CAPACITY 400 /* engine/rules/tile_set.py: MAX_TILES */

/* A generator of random numbers: splitmix64 (Steele, Lea and Flood 2014). */
typedef struct {
    uint64_t state; /* its counter */
} Random;

typedef struct {
    uint8_t tiles[BAG_CAPACITY]; /* tile codes, 0 = blank */
    int32_t first, end;          /* the tiles from index `first` to `end` - 1 are in the bag */
} Bag;

/* Return 64 random bits. */
static inline uint64_t next_random(Random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* Return a number from 0 to `bound` - 1; the bias is below one in ten million for the bounds used here. */
static inline uint32_t random_below(Random *random, uint32_t bound) {
    return (uint32_t)((next_random(random) >> 32) * bound >> 32);
}

/* Return the generator of one game. */
static inline Random game_random(uint64_t seed, uint64_t number) {
    Random random = {seed};
    random.state = next_random(&random) + number;
    random.state = next_random(&random);
    return random;
}

/* Return how many tiles are in the bag. */
static inline int bag_count(const Bag *bag) { return bag->end - bag->first; }

/* Fill the bag with `counts[code]` tiles of each code and shuffle it. */
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

/* Draw one tile for a seat; the bag must not be empty. */
static inline uint8_t draw_tile(Bag *bag, int seat) {
    return seat ? bag->tiles[--bag->end] : bag->tiles[bag->first++];
}

/* Return a tile to a random place.  A tile must have been drawn before, which left room at one end. */
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
