/* The scratch memory of one generation by the Anagram Method. */
#ifndef KIBITZ_ANAGRAM_H
#define KIBITZ_ANAGRAM_H

#include "anagrams.h"
#include "generation.h"

#define RACK_STRINGS (SUBSET_CAPACITY / 2)

/* A sub-multiset of the rack. */
typedef struct {
    uint64_t letters; /* letter keys of its letters, summed */
    uint64_t key;     /* the same with a BLANK_KEY for each blank */
    int32_t blanks;   /* its blanks, at most BLANKS_INDEXED */
} RackString;

typedef struct {
    Generation shared; /* rack, board, sink, statistics; its lists of intervals are not used */
    const AnagramIndex *index;
    RackString strings[RACK_CAPACITY + 1][RACK_STRINGS]; /* sub-multisets of the rack by size */
    int32_t string_count[RACK_CAPACITY + 1];  /* how many of each size */
    int32_t indexed;          /* the index answers every interval: the blanks of the rack, and the tiles of rack and board
                                 beyond the tile set, are at most BLANKS_INDEXED, as in every legal position */
    uint64_t lookup_count;    /* strings looked up */
    uint64_t unindexed_count; /* intervals that the index does not answer */
} AnagramGeneration;

typedef struct {
    void (*play_interval)(AnagramGeneration *a, int line, int start, int length);
} AnagramKernels;

#endif
