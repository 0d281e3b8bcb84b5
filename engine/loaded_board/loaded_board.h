/* The loaded board: everything of a position that does not depend on the rack, ready for move generation.
 *
 * One flat struct without pointers, so a copy is a copy.  A *line* is a row (number r) or a
 * column (number side + c); its squares count from 0.  "Along" a line are the words that lie in it, "across"
 * it the perpendicular words that a tile would also make.
 * Source: systems.md B (thesis 003, section 6.3.2). */
#ifndef KIBITZ_LOADED_BOARD_H
#define KIBITZ_LOADED_BOARD_H

#include "tables.h"

#define BOARD_FORMAT 5 /* of the stored form */
#define NO_LETTER 0xff
#define LINE_PADDING (2 * SIDE) /* vector loads begin at any square and read a whole vector */
#define RUN_CAPACITY (SIDE / 2 + 1)

/* A maximal run of tiles in a line, with the internal word that stands for it: the run itself, or, when that
 * is no word (a phony), its longest part that is one, else its first letter. */
typedef struct {
    uint8_t first, last;           /* squares, inclusive */
    uint8_t key_first, key_length; /* squares of the internal word */
    uint32_t internal;             /* number of the internal word in the tables, NO_WORD if it is a single letter or
                                      lies in no longer word */
    uint32_t lists;                /* number of its first list */
    letter_mask front_hooks;       /* letters that make a word with the whole run when put just before it, */
    letter_mask back_hooks;        /* just after it */
    uint64_t placed[PLACED_LIMBS]; /* its placements; of a single letter: LexiconTables.letter_lengths */
} Run;

/* A run as a store holds it: what loading it looked up in the lexicon. */
typedef struct {
    letter_mask front_hooks, back_hooks;
    uint32_t internal;
    uint8_t key_offset, key_length; /* offset of the internal word in the run; its letters */
    uint8_t unused[2];
} StoredRun;

typedef struct {
    letter_mask admissible[LINE_PADDING]; /* cross-check set of each square for words along the line; all ones
                                             where nothing lies across, the tile's own bit where one lies, all
                                             ones past the end */
    uint64_t key_before[SIDE + 1];        /* letter keys of the tiles before each square, summed */
    int32_t points_before[SIDE + 1];      /* tile points before each square */
    int32_t across_before[SIDE + 1];      /* points of the tiles of perpendicular words x word factor, summed */
    int16_t cross_points[SIDE];           /* points of the tiles of the word across, -1: nothing across */
    int16_t own_factor[LINE_PADDING];     /* letter factor of an empty square, else 0 */
    int16_t across_factor[LINE_PADDING];  /* letter factor x word factor where a word lies across, else 0 */
    uint8_t tiles[SIDE];                  /* letter index or NO_LETTER */
    uint8_t letter_factor[SIDE], word_factor[SIDE]; /* of the layout */
    uint8_t empty_before[SIDE + 1];       /* empty squares before each square */
    uint8_t empties[SIDE];                /* the empty squares, ascending */
    uint8_t doubled_before[SIDE + 1];     /* empty squares before each square whose letter factor is at least 2, */
    uint8_t tripled_before[SIDE + 1];     /* at least 3, */
    uint8_t quadrupled_before[SIDE + 1];  /* at least 4, which no layout exceeds: for upper bounds */
    uint32_t occupied, crossed;           /* bit sets: a tile; an empty square with a word across */
    uint32_t halo;                        /* squares a play must touch: occupied or crossed; on an empty board the
                                             start squares */
    uint32_t premium;                     /* empty squares whose word factor is above 1 */
    uint32_t starts;                      /* start squares of the layout */
    uint32_t doubles, triples, quadruples; /* squares of the layout whose letter factor is at least 2, 3, 4 */
    uint32_t word_premiums;               /* squares of the layout whose word factor is above 1 */
    uint32_t openings;                    /* squares where an interval begins that may hold a word */
    uint32_t ends[SIDE];                  /* by first square: the squares where such an interval ends.  It has 1 to
                                             RACK_CAPACITY empty squares and touches the halo; and each run in it
                                             lies at that place in some word of that length */
    uint8_t runs_before[SIDE + 1];        /* runs that begin before each square */
    int32_t run_count;
    Run runs[RUN_CAPACITY];
} Line;

typedef struct {
    int32_t side, letter_count, tile_count;
    int32_t both_ways;         /* an empty board is opened in both directions (asymmetric layout) */
    int16_t values[LETTER_CAPACITY];  /* points of each letter */
    uint8_t squares[SIDE * SIDE];     /* row-major, side x side used: tile code, 0 = empty, 0x80 = blank */
    Line lines[2 * SIDE];
} LoadedBoard;

/* Count the bits of a set before each square: before[i] of the bits below i, up to before[SIDE].
 * Eight squares at a time: their bits are spread to the bytes of a word, whose multiple holds all their sums. */
static inline void count_before(uint32_t set, uint8_t *before) {
    const uint64_t ones = 0x0101010101010101ull;
    uint8_t sums[(SIDE + 7) / 8 * 8];
    uint64_t total = 0;
    for (int k = 0; k < (SIDE + 7) / 8; k++) {
        uint64_t bytes = ((set >> 8 * k & 0xff) * ones) & 0x8040201008040201ull;
        bytes = ((bytes + 0x7f * ones) >> 7 & ones) * ones + total * ones;
        for (int i = 0; i < 8; i++) sums[8 * k + i] = (uint8_t)(bytes >> 8 * i);
        total = bytes >> 56;
    }
    before[0] = 0;
    memcpy(before + 1, sums, SIDE);
}

#endif
