/* What one generation by the Anagram Method works on, beside what all interval generators share. */
#ifndef KIBITZ_ANAGRAM_H
#define KIBITZ_ANAGRAM_H

#include "anagrams.h"
#include "generation.h"

/* A sub-multiset of the rack. */
typedef struct {
    uint64_t letters; /* letter keys of its letters, summed */
    uint64_t key;     /* the same with a BLANK_KEY for each blank */
    int32_t blanks;   /* at most BLANKS_INDEXED */
} RackString;

typedef struct {
    Generation shared; /* rack, board, sink, interval and candidate counts; its lists of intervals are not used */
    const AnagramIndex *index;
    RackString strings[RACK_CAPACITY + 1][SUBSET_CAPACITY / 2]; /* sub-multisets of the rack by size */
    int32_t string_count[RACK_CAPACITY + 1];
    int32_t indexed;       /* the index answers every interval: blanks and excess of rack and board are at most
                              BLANKS_INDEXED together, as in every position that the tile set allows */
    uint64_t lookup_count; /* strings looked up */
    uint64_t unindexed_count; /* intervals answered from the list of all words, since the rule does not reach */
} AnagramGeneration;

typedef struct {
    void (*play_interval)(AnagramGeneration *a, int line, int start, int length);
} AnagramKernels;

#endif
