/* The Anagram Method's kernel, compiled once for each vector path of interval_kernels.h, whose validation and scoring it
 * uses; and the choice among them. */
#ifndef KIBITZ_ANAGRAM_KERNELS_H
#define KIBITZ_ANAGRAM_KERNELS_H

#include "interval_kernels.h"
#include "anagram.h"

#define NAME(x) JOIN(x, _plain)
#define TARGET
#include "anagram_kernel.inc.h"
#undef NAME
#undef TARGET

#if defined(__x86_64__)
#define NAME(x) JOIN(x, _avx2)
#define TARGET AVX2_TARGET
#include "anagram_kernel.inc.h"
#undef NAME
#undef TARGET

#define NAME(x) JOIN(x, _avx512)
#define TARGET AVX512_TARGET
#include "anagram_kernel.inc.h"
#undef NAME
#undef TARGET
#endif

/* Return the kernels of a level, as interval_kernels_at() does. */
static const AnagramKernels *anagram_kernels_at(int level) {
    if (!interval_kernels_at(level)) return NULL;
#if defined(__x86_64__)
    if (level == 1) return &anagram_kernels_avx2;
    if (level == 2) return &anagram_kernels_avx512;
#endif
    return &anagram_kernels_plain;
}

#endif
