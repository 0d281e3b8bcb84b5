/* The bingo table of a lexicon, and the scratch memory of one thread for delta_set.h and bingo_expectation.h.
 *
 * An *entry* is a septet (seven tiles, blanks included, that spell a word of seven letters) or a reduced octet (seven
 * tiles that spell a word of eight letters together with a letter on the board).  Its *level* is its number of blanks.
 * The entries of a level are neighbours, in three ranges: the regular ones, ordered by front part and back part; the
 * crowded ones, with more than MAX_COPIES of a letter; and helpers, which the bag cannot deal, but which become entries of
 * higher levels when blanks take the place of letters.
 * Source: [Heuri, chapter 7]. */
#ifndef KIBITZ_BINGO_TABLE_H
#define KIBITZ_BINGO_TABLE_H

#include <stdlib.h>
#include "valuation.h"

#define BINGO_TILES RACK_CAPACITY
#define BINGO_LEVELS (BINGO_TILES + 1)
#define OCTET_LETTERS (BINGO_TILES + 1)
#define MAX_COPIES 3             /* of a letter in a regular entry: two bits a letter in its profile */
#define FILTER_BITS 21           /* 256 KB, which fit into the cache beside the delta set */
#define PROFILES (BINGO_LEVELS << 12) /* most profiles of a rack: blanks and six letters; seven letters have 1 << 14 */

/* A part of an entry: the multiset of those of its letters that belong to the front (the commonest letters), or of those
 * that belong to the back (the others).  Part 0 is empty; every part comes after its parent. */
typedef struct {
    uint32_t parent; /* the part without its last letter */
    uint8_t letter;  /* the last letter, as tile code */
    uint8_t copies;  /* how many of it */
    uint8_t unused[2];
} Part;

typedef struct {
    const LexiconTables *lexicon;
    int32_t levels;                      /* levels are 0 .. levels - 1 */
    uint32_t entry_count;                /* a multiple of 64; the last number stands for "no entry" */
    uint32_t regular[BINGO_LEVELS + 1];  /* first entry of each level, a multiple of 64 */
    uint32_t crowded[BINGO_LEVELS];      /* first crowded entry of each level */
    uint32_t helpers[BINGO_LEVELS];      /* first helper of each level: the end of those that the bag can deal */
    uint32_t ends[BINGO_LEVELS];         /* end of the helpers of each level */
    uint32_t front_count, back_count;    /* parts */
    const Part *fronts, *backs;
    const uint32_t *front_starts;        /* [levels][front_count + 1] first regular entry of each front */
    const uint32_t *entry_backs;         /* [entry_count] back part of each regular entry */
    const uint64_t *keys;                /* [entry_count] tile codes, ascending, the first in the highest of 7 bytes */
    const uint32_t *slots;               /* [1 << slot_bits] entry + 1 by key, 0 = free; open addressing */
    const uint64_t *filter;              /* bit set of 1 << FILTER_BITS: some key has these top bits of its hash */
    int32_t slot_bits;
    uint32_t septet_count;               /* septets that the bag can deal */
    const uint64_t *septets, *counted;   /* [entry_count / 64] bit sets: is a septet; the bag can deal it */
    const uint32_t *children[BINGO_LEVELS]; /* by level: [regular .. ends][7 - level] entries with a blank in place
                                            of a letter, or none */
    const uint32_t *septet_of;           /* [64 x row_limbs[7]] entries of the words of 7 letters, padded with "no entry" */
    const uint32_t *octet_of;            /* [8][words of 8 letters] by position: the entry of the word without that letter */
    const uint64_t *rows;                /* by length, position and letter: bit set of the words of that length with the letter there */
    uint64_t row_first[SIDE + 2];        /* first limb of the rows of a length */
    uint32_t row_limbs[SIDE + 2];        /* limbs of a row */
} BingoTable;

/* The values of a part for one rack and one set of unseen tiles. */
typedef struct {
    double ways;      /* product of C(unseen, copies) over its letters that the rack lacks */
    double points;    /* points of its tiles */
    double reward;    /* front: ways x (bonus + factor x points); back: ways x points */
    uint32_t profile; /* its copies of each letter of the rack, two bits each */
} PartValue;

enum { NONE_FIT, SOME_FIT, ALL_FIT };

/* The scratch memory of one thread. */
typedef struct {
    uint64_t *delta;       /* [entry_count / 64] bit set: some bingo with these tiles is legal on the board */
    uint64_t *chosen;      /* [entry_count / 64] the entries that count in an evaluation */
    uint64_t *fitting;     /* a bit set of words: those that fit an interval */
    uint64_t *admitted;    /* the same: those that one square admits */
    uint64_t *sevens;      /* the same: words of seven letters that fit somewhere */
    uint64_t *eights;      /* [letter][8] such sets: words of eight letters that fit around a letter on the board */
    uint8_t eight_state[LETTER_CAPACITY][OCTET_LETTERS]; /* NONE_FIT, SOME_FIT (those in `eights`) or ALL_FIT */
    PartValue *fronts, *backs; /* [front_count], [back_count] */
    double *sums, *spare;  /* [PROFILES] */
    uint64_t marked_longer; /* words of nine or more letters that fit, for measurements */
    int32_t levels;        /* levels of `delta` that are computed for the board in `squares`, 0 if none */
    int32_t side;          /* of that board */
    uint8_t squares[SIDE * SIDE]; /* its tiles */
} BingoScratch;

static void free_bingo_scratch(BingoScratch *s) {
    free(s->delta);
    free(s->chosen);
    free(s->fitting);
    free(s->admitted);
    free(s->sevens);
    free(s->eights);
    free(s->fronts);
    free(s->backs);
    free(s->sums);
    free(s->spare);
    memset(s, 0, sizeof(BingoScratch));
}

/* Allocate the scratch memory for a table; return 0 if memory is out. */
static int make_bingo_scratch(BingoScratch *s, const BingoTable *t) {
    uint32_t limbs = 1;
    memset(s, 0, sizeof(BingoScratch));
    for (int n = 0; n <= SIDE; n++)
        if (t->row_limbs[n] > limbs) limbs = t->row_limbs[n];
    s->delta = calloc(t->entry_count / 64, sizeof(uint64_t));
    s->chosen = calloc(t->entry_count / 64, sizeof(uint64_t));
    s->fitting = malloc(limbs * sizeof(uint64_t));
    s->admitted = malloc(limbs * sizeof(uint64_t));
    s->sevens = malloc(limbs * sizeof(uint64_t));
    s->eights = malloc(((size_t)t->lexicon->letter_count * OCTET_LETTERS * t->row_limbs[OCTET_LETTERS] + 1) * sizeof(uint64_t));
    s->fronts = malloc(t->front_count * sizeof(PartValue));
    s->backs = malloc(t->back_count * sizeof(PartValue));
    s->sums = malloc(PROFILES * sizeof(double));
    s->spare = malloc(PROFILES * sizeof(double));
    if (s->delta && s->chosen && s->fitting && s->admitted && s->sevens && s->eights && s->fronts && s->backs && s->sums && s->spare)
        return 1;
    free_bingo_scratch(s);
    return 0;
}

#endif
