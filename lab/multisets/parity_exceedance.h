/* Multisets of letters in one 64-bit integer: the Parity-Exceedance Representation, and, to compare it with,
 * the forms that the kernels use.
 *
 * Source: [Sanchez2025], chapter 3. */
#ifndef KIBITZ_PARITY_EXCEEDANCE_H
#define KIBITZ_PARITY_EXCEEDANCE_H

#include <stdint.h>

#define NOT_FEASIBLE 0u  /* the code of a multiset whose exceedance no part of a word has */
#define ID_BITS 16       /* exceedance ids in the triad tables: 1 .. 65535 */
#define COUNTER_LIMBS 4  /* 64-bit limbs of packed counters, 16 letters a limb */
#define PLANES 4         /* plane k: the letters with more than k copies */

typedef struct {
    uint64_t mask; /* bit per letter */
    uint64_t id;   /* of the exceedance that holds each of them once; 0 = free slot */
} CarrySlot;

typedef struct {
    const CarrySlot *carries;   /* [1 << carry_bits] the carry-mask table, open addressing */
    const uint64_t *sums;       /* [1 << triad_bits] the feasible triads: carry, a, b -> carry + a + b */
    const uint64_t *differences;/* [1 << triad_bits] the same by carry, a and sum -> b */
    uint64_t parity_mask;       /* the low parity_bits bits */
    int32_t parity_bits;        /* bits of the parity mask; the exceedance id lies above them */
    int32_t carry_bits, triad_bits;
} ParityTables;

#define HASH_FACTOR 0x9e3779b97f4a7c15ull

static inline uint64_t carry_slot(const ParityTables *t, uint64_t mask) {
    return mask * HASH_FACTOR >> (64 - t->carry_bits);
}

/* Id of the exceedance with each letter of the mask once, or 0. */
static inline uint64_t carry_id(const ParityTables *t, uint64_t mask) {
    uint64_t slot = carry_slot(t, mask), last = (1ull << t->carry_bits) - 1;
    for (; t->carries[slot].id; slot = (slot + 1) & last)
        if (t->carries[slot].mask == mask) return t->carries[slot].id;
    return 0;
}

static inline uint64_t triad_key(uint64_t carry, uint64_t a, uint64_t b) {
    return carry << 2 * ID_BITS | a << ID_BITS | b;
}

static inline uint64_t triad_slot(const ParityTables *t, uint64_t key) {
    return key * HASH_FACTOR >> (64 - t->triad_bits);
}

/* What a triad leads to, or 0 if it is not feasible.  A slot is its key and, in the low ID_BITS, the answer. */
static inline uint64_t find_triad(const ParityTables *t, const uint64_t *table, uint64_t carry, uint64_t a, uint64_t b) {
    uint64_t key = triad_key(carry, a, b), slot = triad_slot(t, key), last = (1ull << t->triad_bits) - 1;
    for (; table[slot]; slot = (slot + 1) & last)
        if (table[slot] >> ID_BITS == key) return table[slot] & ((1u << ID_BITS) - 1);
    return 0;
}

/* The multisum: XOR of the parities; the letters odd in both carry one into the exceedance. */
static inline uint64_t parity_sum(const ParityTables *t, uint64_t x, uint64_t y) {
    uint64_t carry = carry_id(t, x & y & t->parity_mask), id;
    if (!carry) return NOT_FEASIBLE;
    id = find_triad(t, t->sums, carry, x >> t->parity_bits, y >> t->parity_bits);
    return id ? id << t->parity_bits | ((x ^ y) & t->parity_mask) : NOT_FEASIBLE;
}

/* What is left of y when x is taken out, or NOT_FEASIBLE if y does not hold x.  The letters odd in x and even
 * in y are borrowed from the exceedance of y: e(y) = borrow + e(x) + e(rest), which is a triad once more. */
static inline uint64_t parity_difference(const ParityTables *t, uint64_t y, uint64_t x) {
    uint64_t borrow = carry_id(t, x & ~y & t->parity_mask), id;
    if (!borrow) return NOT_FEASIBLE;
    id = find_triad(t, t->differences, borrow, x >> t->parity_bits, y >> t->parity_bits);
    return id ? id << t->parity_bits | ((x ^ y) & t->parity_mask) : NOT_FEASIBLE;
}

static inline int parity_included(const ParityTables *t, uint64_t x, uint64_t y) {
    return parity_difference(t, y, x) != NOT_FEASIBLE;
}

/* ------------------------------------------------------------------------------ the forms of the kernels */

/* Packed counters: four bits a letter, of which the highest stays free; counts up to 7. */
typedef struct {
    uint64_t limbs[COUNTER_LIMBS];
} Counters;

#define GUARDS 0x8888888888888888ull

static inline int counters_included(const Counters *x, const Counters *y, int limbs) {
    uint64_t held = GUARDS;
    for (int i = 0; i < limbs; i++) held &= (y->limbs[i] | GUARDS) - x->limbs[i];
    return (held & GUARDS) == GUARDS;
}

/* Planes: plane k holds the letters with more than k copies (geometry.h); 32 bits a plane in the narrow build,
 * 64 in the wide one. */
#define PLANE_FORM(bits)                                                                                           \
    typedef struct {                                                                                               \
        uint##bits##_t planes[PLANES];                                                                             \
    } Planes##bits;                                                                                                \
    static inline int planes##bits##_included(const Planes##bits *x, const Planes##bits *y) {                      \
        uint##bits##_t lacking = 0;                                                                                \
        for (int k = 0; k < PLANES; k++) lacking |= x->planes[k] & ~y->planes[k];                                  \
        return !lacking;                                                                                           \
    }                                                                                                              \
    static inline Planes##bits planes##bits##_sum(const Planes##bits *x, const Planes##bits *y) {                  \
        Planes##bits sum;                                                                                          \
        const uint##bits##_t *a = x->planes, *b = y->planes;                                                       \
        sum.planes[0] = a[0] | b[0];                                                                               \
        sum.planes[1] = a[1] | b[1] | (a[0] & b[0]);                                                               \
        sum.planes[2] = a[2] | b[2] | (a[1] & b[0]) | (a[0] & b[1]);                                               \
        sum.planes[3] = a[3] | b[3] | (a[2] & b[0]) | (a[1] & b[1]) | (a[0] & b[2]);                               \
        return sum;                                                                                                \
    }

PLANE_FORM(32)
PLANE_FORM(64)

#endif
