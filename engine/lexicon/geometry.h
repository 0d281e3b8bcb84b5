/* The two sizes every kernel is built for.
 *
 * narrow: up to 32 letters and 16 squares a side (the fast path: one letter set is one 32-bit lane);
 * wide:   up to 63 letters and 26 squares a side (KIBITZ_WIDE).
 * Code never names a size; it uses these constants, so one source serves both builds. */
#ifndef KIBITZ_GEOMETRY_H
#define KIBITZ_GEOMETRY_H

#include <stdint.h>

#ifdef KIBITZ_WIDE
typedef uint64_t letter_mask; /* bit i: letter index i, or a second copy of a letter (tables.h) */
#define SIDE 26               /* most squares in a line, most letters in a word */
#define WORD_BYTES 32         /* letters of a word record, padded for vector loads */
#define PLACED_LIMBS 6        /* 64-bit limbs that hold a bit for every placement of a 2-letter word */
#define GEOMETRY_CODE 2
#else
typedef uint32_t letter_mask;
#define SIDE 16
#define WORD_BYTES 16
#define PLACED_LIMBS 2
#define GEOMETRY_CODE 1
#endif

#define MASK_BITS ((int)(8 * sizeof(letter_mask)))
#define LETTER_CAPACITY 64 /* size of arrays indexed by letter */
#define COUNT_PLANES 4     /* planes of a multiset: plane k holds the letters with more than k copies */
#define RACK_CAPACITY 7
#define GRAPH_LETTERS (RACK_CAPACITY + 1) /* letters of the largest multiset that the graph of multisets leads to */
#define SUBSET_CAPACITY (20 * LETTER_CAPACITY) /* sub-multisets of one size of a rack of seven tiles, one of
                                                  which may be a blank standing for any letter */

/* Placements (position, word length) of a single letter; see placement_index(). */
#define LETTER_PLACEMENTS ((SIDE - 1) + SIDE * (SIDE - 1) / 2)

#endif
