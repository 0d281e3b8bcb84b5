/* The two geometries of every kernel.
 *
 * narrow: up to 32 letters and 16 squares a side (a bit set of letters is one 32-bit lane, which is faster);
 * wide:   up to 63 letters and 26 squares a side (KIBITZ_WIDE).
 * Kernels use these constants and never a number, so that one source serves both. */
#ifndef KIBITZ_GEOMETRY_H
#define KIBITZ_GEOMETRY_H

#include <stdint.h>

#ifdef KIBITZ_WIDE
typedef uint64_t letter_mask; /* bit i: letter index i, in the order of the tile set */
#define SIDE 26               /* maximum number of squares of a line and of letters of a word */
#define WORD_BYTES 32         /* bytes that vector loads read from the first letter of a word */
typedef uint16_t placement_number; /* bit of a placement among those of an internal word: placement_index() */
#define PLACED_LIMBS 6        /* 64-bit limbs with a bit for every placement of a word of two letters */
#define GEOMETRY_CODE 2        /* identifies the geometry in stored data */
#else
typedef uint32_t letter_mask;
#define SIDE 16
#define WORD_BYTES 16
typedef uint8_t placement_number;
#define PLACED_LIMBS 2
#define GEOMETRY_CODE 1
#endif

#define MASK_BITS ((int)(8 * sizeof(letter_mask)))
#define LETTER_CAPACITY 64 /* size of arrays indexed by letter */
#define RACK_CAPACITY 7    /* maximum number of tiles on a rack */
#define GRAPH_LETTERS (RACK_CAPACITY + 1) /* maximum size of a target in the graph of multisets */
#define SUBSET_CAPACITY (20 * LETTER_CAPACITY) /* bound of the number of sub-multisets of one size of a
                                                  rack whose blank can be any letter */

/* Number of placements (position, word length) of a single letter; see placement_index(). */
#define LETTER_PLACEMENTS ((SIDE - 1) + SIDE * (SIDE - 1) / 2)

#endif
