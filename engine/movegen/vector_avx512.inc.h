/* Vector operations of interval_kernel.inc.h with AVX-512, narrow build: all 16 squares in one register.
 *
 * What works on bytes is the same as with AVX2, and is taken from there. */

#define Lanes Avx2Lanes
#define load_lanes load_avx2_lanes
#define admits admits_avx2
#define scan scan_avx2
#include "vector_avx2.inc.h"
#undef Lanes
#undef load_lanes
#undef admits
#undef scan
