/* Appel and Jacobson's search in plain C and with bit instructions, and the choice among them. */
#ifndef KIBITZ_APPEL_JACOBSON_KERNELS_H
#define KIBITZ_APPEL_JACOBSON_KERNELS_H

#include "arc_search.h"

#define JOIN(a, b) a##b

#define TARGET
#define NAME(x) JOIN(x, _plain)
#include "appel_jacobson_kernel.inc.h"
#undef NAME
#undef TARGET
static void search_plain(ArcSearch *g) { search_lines(g, search_line_plain); }
static const SearchKernels appel_jacobson_plain = {"plain", search_plain};

#if defined(__x86_64__)
#define TARGET __attribute__((target(BIT_INSTRUCTIONS)))
#define NAME(x) JOIN(x, _bmi)
#include "appel_jacobson_kernel.inc.h"
#undef NAME
#undef TARGET
static void search_bmi(ArcSearch *g) { search_lines(g, search_line_bmi); }
static const SearchKernels appel_jacobson_bmi = {"bmi", search_bmi};
#endif

/* Return the kernels of level 0 (plain C) or 1 (bit instructions); NULL if this processor lacks them. */
static const SearchKernels *search_kernels_at(int level) {
#if defined(__x86_64__)
    if (level == 1) return has_bit_instructions() ? &appel_jacobson_bmi : NULL;
#endif
    return level == 0 ? &appel_jacobson_plain : NULL;
}

#endif
