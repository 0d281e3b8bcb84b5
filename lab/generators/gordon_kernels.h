/* Gordon's search in plain C and with bit instructions (it mostly counts and shifts bits), and the choice among them. */
#ifndef KIBITZ_GORDON_KERNELS_H
#define KIBITZ_GORDON_KERNELS_H

#include "arc_search.h"

#define JOIN(a, b) a##b

#define TARGET
#define BLANKS 0
#define NAME(x) JOIN(x, _plain)
#include "gordon_kernel.inc.h"
#undef NAME
#undef BLANKS
#define BLANKS 1
#define NAME(x) JOIN(x, _plain_blanks)
#include "gordon_kernel.inc.h"
#undef NAME
#undef BLANKS
#undef TARGET

#if defined(__x86_64__)
#define TARGET __attribute__((target(BIT_INSTRUCTIONS)))
#define BLANKS 0
#define NAME(x) JOIN(x, _bmi)
#include "gordon_kernel.inc.h"
#undef NAME
#undef BLANKS
#define BLANKS 1
#define NAME(x) JOIN(x, _bmi_blanks)
#include "gordon_kernel.inc.h"
#undef NAME
#undef BLANKS
#undef TARGET
#endif

static void search_plain(ArcSearch *g) { search_lines(g, g->hand.blanks ? search_line_plain_blanks : search_line_plain); }
static const SearchKernels gordon_plain = {"plain", search_plain};

#if defined(__x86_64__)
static void search_bmi(ArcSearch *g) { search_lines(g, g->hand.blanks ? search_line_bmi_blanks : search_line_bmi); }
static const SearchKernels gordon_bmi = {"bmi", search_bmi};
#endif

/* Return the kernels of level 0 (plain C) or 1 (bit instructions); NULL if this processor lacks them. */
static const SearchKernels *search_kernels_at(int level) {
#if defined(__x86_64__)
    if (level == 1) return has_bit_instructions() ? &gordon_bmi : NULL;
#endif
    return level == 0 ? &gordon_plain : NULL;
}

#endif
