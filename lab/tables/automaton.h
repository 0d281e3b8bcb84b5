/* A minimal acyclic automaton over letters: a DAWG, or a GADDAG, which is a DAWG of rotated words.
 *
 * There are no nodes: an arc contains the data of its target, so one load is one step.  The arcs that leave a
 * state are consecutive in letter order, and are found by counting bits.  Every accepted string has a number:
 * its rank if the strings that end after one more letter come first, then the longer ones, letter by letter.
 * The `skip` of the arcs on the path sum up to it (a minimal perfect hash); `words` maps it to a word id. */
#ifndef KIBITZ_AUTOMATON_H
#define KIBITZ_AUTOMATON_H

#include "tables.h"

#define HAS_SEPARATOR 0x80000000u /* of Arc.skip: the target also has the separator's arc, at base - 1 */
#define STRING_BITS 0x7fffffffu   /* the bits of a sum of skips that are the number of the string */

typedef struct {
    letter_mask kids; /* of the target: letters with an arc */
    letter_mask ends; /* of the target: letters that complete a string (with or without an arc) */
    uint32_t base;    /* of the target: number of its first letter's arc */
    uint32_t skip;    /* strings of the source that come before those through this arc; bit 31: HAS_SEPARATOR */
} Arc;

typedef struct {
    const Arc *arcs;       /* [arc_count]; arcs[0] leads to the root */
    const uint32_t *words; /* [string_count] word id by number of the string */
    uint32_t arc_count, string_count;
} Automaton;

static inline letter_mask below(int letter) { return ((letter_mask)1 << letter) - 1; }

#ifdef KIBITZ_WIDE
#define count_bits(mask) ((uint32_t)__builtin_popcountll(mask))
#define lowest_letter(mask) __builtin_ctzll(mask)
#else
#define count_bits(mask) ((uint32_t)__builtin_popcount(mask))
#define lowest_letter(mask) __builtin_ctz(mask)
#endif

/* The arc of a letter that is in `kids`. */
static inline __attribute__((always_inline)) const Arc *arc_of(const Arc *arcs, const Arc *from, int letter) {
    return arcs + from->base + count_bits(from->kids & below(letter));
}

/* What the string that ends with a letter of `ends` adds to the number. */
static inline __attribute__((always_inline)) uint32_t end_rank(const Arc *from, int letter) {
    return count_bits(from->ends & below(letter));
}

#endif
