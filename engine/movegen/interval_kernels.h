/* The interval kernels, compiled once for each vector path: plain C, AVX2 and AVX-512; and the choice among them.
 *
 * Each function carries its instruction set as an attribute, so one binary serves all x86-64 processors; other
 * processors take plain C. */
#ifndef KIBITZ_INTERVAL_KERNELS_H
#define KIBITZ_INTERVAL_KERNELS_H

#include "generation.h"

#define JOIN(a, b) a##b

#define NAME(x) JOIN(x, _plain)
#define TARGET
#define KERNEL_NAME "plain"
#define VECTOR_OPERATIONS "vector_plain.inc.h"
#include "interval_kernel.inc.h"
#undef NAME
#undef TARGET
#undef KERNEL_NAME
#undef VECTOR_OPERATIONS

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2_TARGET __attribute__((target("avx2,popcnt,bmi,bmi2,lzcnt")))
#ifdef KIBITZ_EMULATE_AVX512 /* the debug build runs the AVX-512 path on any processor with AVX2 */
#include "emulated_avx512.h"
#define AVX512_TARGET AVX2_TARGET
#define AVX512_SUPPORTED __builtin_cpu_supports("avx2")
#else
#define AVX512_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,avx2,popcnt,bmi,bmi2,lzcnt")))
#define AVX512_SUPPORTED                                                                                 \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && \
     __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vpopcntdq"))
#endif

#define NAME(x) JOIN(x, _avx2)
#define TARGET AVX2_TARGET
#define KERNEL_NAME "avx2"
#ifdef KIBITZ_WIDE
#define VECTOR_OPERATIONS "vector_plain.inc.h" /* 63 letters take 64-bit lanes: the compiler's own vectors are enough */
#else
#define VECTOR_OPERATIONS "vector_avx2.inc.h"
#endif
#include "interval_kernel.inc.h"
#undef NAME
#undef TARGET
#undef KERNEL_NAME
#undef VECTOR_OPERATIONS

#define NAME(x) JOIN(x, _avx512)
#define TARGET AVX512_TARGET
#define KERNEL_NAME "avx512"
#ifdef KIBITZ_WIDE
#define VECTOR_OPERATIONS "vector_plain.inc.h"
#else
#define VECTOR_OPERATIONS "vector_avx512.inc.h"
#endif
#include "interval_kernel.inc.h"
#undef NAME
#undef TARGET
#undef KERNEL_NAME
#undef VECTOR_OPERATIONS
#endif

/* Return the kernels of level 0 (plain C), 1 (AVX2) or 2 (AVX-512); NULL if this processor lacks the instructions. */
static const IntervalKernels *interval_kernels_at(int level) {
#if defined(__x86_64__)
    int avx2;
    __builtin_cpu_init();
    avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (level == 1 && avx2) return &interval_kernels_avx2;
    if (level == 2 && avx2 && AVX512_SUPPORTED) return &interval_kernels_avx512;
#endif
    return level == 0 ? &interval_kernels_plain : NULL;
}

#endif
