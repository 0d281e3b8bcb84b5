/* The loops that `kibitz bench multisets` times: one sum or one inclusion a turn, for each form of a multiset. */
#ifndef KIBITZ_MULTISET_TIMINGS_H
#define KIBITZ_MULTISET_TIMINGS_H

#include "parity_exceedance.h"

/* Pairs of multisets in every form; all arrays have an entry a pair. */
typedef struct {
    const ParityTables *tables;
    const uint64_t *code_x, *code_y; /* Parity-Exceedance Representation */
    const uint64_t *key_x, *key_y;   /* additive keys: a random number a letter, summed */
    const Counters *counters_x, *counters_y;
    const Planes32 *planes32_x, *planes32_y; /* letters above the 32nd left out */
    const Planes64 *planes64_x, *planes64_y;
    int32_t limbs; /* of the counters, as many as the alphabet needs */
} Operands;

/* Each loop exists twice: `_free`, where the processor may overlap the turns, and `_chained`, where a turn waits
 * for the one before, because its index is made of the result (`zero` is 0, which the compiler cannot know). */
#define TIMED_LOOP(name, result)                                                              \
    static uint64_t name##_free(const Operands *o, int64_t count, uint64_t zero) {            \
        uint64_t sum = 0;                                                                     \
        (void)zero;                                                                           \
        for (int64_t i = 0; i < count; i++) sum += (result);                                  \
        return sum;                                                                           \
    }                                                                                         \
    static uint64_t name##_chained(const Operands *o, int64_t count, uint64_t zero) {         \
        uint64_t sum = 0, last = 0;                                                           \
        for (int64_t turn = 0; turn < count; turn++) {                                        \
            int64_t i = turn + (int64_t)(last & zero);                                        \
            last = (result);                                                                  \
            sum += last;                                                                      \
        }                                                                                     \
        return sum;                                                                           \
    }

/* All limbs and planes of a sum are used, so that none of the work is left out. */
static inline uint64_t counters_sum(const Counters *x, const Counters *y, int limbs) {
    uint64_t mixed = 0;
    for (int i = 0; i < limbs; i++) mixed ^= x->limbs[i] + y->limbs[i];
    return mixed;
}

static inline uint64_t mixed32(Planes32 p) { return (uint64_t)p.planes[0] ^ p.planes[1] ^ p.planes[2] ^ p.planes[3]; }
static inline uint64_t mixed64(Planes64 p) { return p.planes[0] ^ p.planes[1] ^ p.planes[2] ^ p.planes[3]; }

TIMED_LOOP(nothing, o->code_x[i] ^ o->code_y[i])
TIMED_LOOP(parity_sums, parity_sum(o->tables, o->code_x[i], o->code_y[i]))
TIMED_LOOP(parity_inclusions, (uint64_t)parity_included(o->tables, o->code_x[i], o->code_y[i]))
TIMED_LOOP(key_sums, o->key_x[i] + o->key_y[i])
TIMED_LOOP(counter_sums, counters_sum(&o->counters_x[i], &o->counters_y[i], o->limbs))
TIMED_LOOP(counter_inclusions, (uint64_t)counters_included(&o->counters_x[i], &o->counters_y[i], o->limbs))
TIMED_LOOP(planes32_sums, mixed32(planes32_sum(&o->planes32_x[i], &o->planes32_y[i])))
TIMED_LOOP(planes32_inclusions, (uint64_t)planes32_included(&o->planes32_x[i], &o->planes32_y[i]))
TIMED_LOOP(planes64_sums, mixed64(planes64_sum(&o->planes64_x[i], &o->planes64_y[i])))
TIMED_LOOP(planes64_inclusions, (uint64_t)planes64_included(&o->planes64_x[i], &o->planes64_y[i]))

typedef struct {
    const char *name;
    uint64_t (*overlapped)(const Operands *o, int64_t count, uint64_t zero);
    uint64_t (*chained)(const Operands *o, int64_t count, uint64_t zero);
} TimedLoop;

#define LOOP_ENTRY(name) {#name, name##_free, name##_chained}
#define LOOP_COUNT 10

static const TimedLoop timed_loops[LOOP_COUNT] = {
    LOOP_ENTRY(nothing),       LOOP_ENTRY(parity_sums),        LOOP_ENTRY(parity_inclusions), LOOP_ENTRY(key_sums),
    LOOP_ENTRY(counter_sums),  LOOP_ENTRY(counter_inclusions), LOOP_ENTRY(planes32_sums),     LOOP_ENTRY(planes32_inclusions),
    LOOP_ENTRY(planes64_sums), LOOP_ENTRY(planes64_inclusions),
};

#endif
