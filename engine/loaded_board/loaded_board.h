/* The loaded board: everything of a position that does not depend on the rack, ready for move generation.
 *
 * It is one flat struct without pointers, so copying it is enough to copy a board.  A *line* is a row (number r) or a
 * column (number side + c); its squares count from 0.  "Along" a line lie the words of its own squares, "across" it the
 * perpendicular words that a tile would also make.  A field `..._before[i]` sums something over the squares before
 * square i, so that any stretch of squares costs one subtraction; it has one entry more than there are squares.
 * Bit sets of squares have bit i for square i, of letters bit i for letter i.
 * Source: [Heuri, section 6.3.2]; what was added: docs/internal-words.md. */
#ifndef KIBITZ_LOADED_BOARD_H
#define KIBITZ_LOADED_BOARD_H

#include "tables.h"

#define BOARD_FORMAT 5          /* version of the stored form */
#define NO_LETTER 0xff          /* Line.tiles of an empty square */
#define BLANK_BIT 0x80          /* of a tile code: a blank that stands for the letter */
#define LINE_PADDING (2 * SIDE) /* vector loads begin at any square and read a whole vector */
#define RUN_CAPACITY (SIDE / 2 + 1)

/* A run: neighbouring tiles of a line, with an empty square or the edge on both sides.  Its internal word is the run
 * itself, or, when that is no word (a phony), its longest part that is one, else its first letter. */
typedef struct {
    uint8_t first, last;                     /* its squares, both included */
    uint8_t internal_first, internal_length; /* first square of the internal word; its letters */
    uint32_t internal_word;    /* index into LexiconTables.internal_words; NO_WORD for a single letter, and for a word
                                  that lies in no longer word */
    uint32_t first_list;       /* number of the first list of the internal word */
    letter_mask front_hooks;   /* letters that make a word with the whole run when put just before it */
    letter_mask back_hooks;    /* the same just after it */
    uint64_t placements[PLACED_LIMBS]; /* bit set of its placements (position, word length), as in InternalWord; of a
                                          single letter 0: LexiconTables.letter_lengths has them */
} Run;

/* A run in the stored form of a board: what loading it looked up in the lexicon. */
typedef struct {
    letter_mask front_hooks, back_hooks;      /* as in Run */
    uint32_t internal_word;                   /* as in Run */
    uint8_t internal_offset, internal_length; /* where the internal word begins in the run; its letters */
    uint8_t unused[2];
} StoredRun;

typedef struct {
    letter_mask admissible[LINE_PADDING];    /* the letters that each square admits for words along the line: its
                                                cross-check set; every letter where nothing lies across; its own
                                                letter where a tile lies; all ones past the end */
    uint64_t key_before[SIDE + 1];           /* letter keys of the tiles */
    int32_t points_before[SIDE + 1];         /* points of the tiles, blanks 0 */
    int32_t cross_points_before[SIDE + 1];   /* cross_points x word factor of the squares that have any */
    int16_t cross_points[SIDE];              /* points of the tiles of the word across an empty square, -1: no word */
    int16_t along_factor[LINE_PADDING];      /* letter factor of an empty square, 0 of one with a tile */
    int16_t across_factor[LINE_PADDING];     /* letter factor x word factor of an empty square with a word across,
                                                else 0 */
    uint8_t tiles[SIDE];                     /* letter of the tile on each square, or NO_LETTER */
    uint8_t letter_factor[SIDE], word_factor[SIDE]; /* of the layout: 1 to 4 */
    uint8_t empty_before[SIDE + 1];          /* empty squares */
    uint8_t empties[SIDE];                   /* the numbers of the empty squares, ascending */
    uint8_t doubled_before[SIDE + 1];        /* empty squares whose letter factor is at least 2, */
    uint8_t tripled_before[SIDE + 1];        /* at least 3, */
    uint8_t quadrupled_before[SIDE + 1];     /* at least 4, the highest that a layout may have */
    uint32_t occupied;                       /* squares with a tile */
    uint32_t crossed;                        /* empty squares with a word across */
    uint32_t halo;                           /* squares of which a play must cover one: occupied or crossed; on an empty
                                                board the start squares */
    uint32_t open_word_premiums;             /* empty squares whose word factor is above 1 */
    uint32_t starts;                         /* start squares of the layout */
    uint32_t doubles, triples, quadruples;   /* squares of the layout whose letter factor is at least 2, 3, 4 */
    uint32_t word_premiums;                  /* squares of the layout whose word factor is above 1 */
    uint32_t interval_starts;                /* first squares of the intervals that may hold a word, whatever the rack */
    uint32_t interval_ends[SIDE];            /* by first square: the last squares of those intervals.  Each has 1 to
                                                RACK_CAPACITY empty squares and touches the halo, and each run in it
                                                lies at that place in some word of that length */
    uint8_t runs_before[SIDE + 1];           /* runs that begin before each square */
    int32_t run_count;
    Run runs[RUN_CAPACITY];                  /* in the order of the squares */
} Line;

typedef struct {
    int32_t side;                    /* squares of a line */
    int32_t letter_count;            /* letters of the tile set */
    int32_t tile_count;              /* tiles on the board */
    int32_t both_ways;               /* an empty board is opened in both directions (asymmetric layout) */
    int16_t values[LETTER_CAPACITY]; /* points of each letter */
    uint8_t squares[SIDE * SIDE];    /* row by row, side x side in use: tile code (letter + 1, BLANK_BIT), 0: empty */
    Line lines[2 * SIDE];            /* rows, then columns: 2 side in use */
} LoadedBoard;

/* Write the number of bits of a set below each square: before[i] counts bits 0 .. i - 1, up to before[SIDE].
 * It takes eight squares at a time: their bits are spread to the bytes of a number, and one multiplication makes all
 * their running sums. */
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
