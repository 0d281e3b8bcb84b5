/* The AVX-512 operations that vector_avx512.inc.h uses, lane by lane in C, for the debug build: so that the
 * AVX-512 path is proved on processors without it, and under the sanitizers.  Written from the semantics of
 * each operation, not from any library. */
#ifndef KIBITZ_EMULATED_AVX512_H
#define KIBITZ_EMULATED_AVX512_H

#include <stdint.h>
#include <string.h>

typedef struct { uint32_t lane[16]; } emulated_m512i;

#define __m512i emulated_m512i
#define _mm512_set1_epi32 emulated_set1
#define _mm512_and_si512 emulated_and
#define _mm512_loadu_si512 emulated_load
#define _mm512_storeu_si512 emulated_store
#define _mm512_mask_loadu_epi32 emulated_mask_load
#define _mm512_cvtepu8_epi32 emulated_widen
#define _mm512_srlv_epi32 emulated_shift_right
#define _mm512_testn_epi32_mask emulated_testn
#define _mm512_popcnt_epi32 emulated_popcount
#define _mm512_cmple_epu32_mask emulated_less_or_equal
#define _mm512_cmple_epi32_mask emulated_signed_less_or_equal
#define _mm512_add_epi32 emulated_add
#define _mm512_mullo_epi32 emulated_multiply
#define _mm512_maskz_compress_epi32 emulated_compress

static inline __m512i emulated_set1(int32_t x) {
    __m512i r;
    for (int i = 0; i < 16; i++) r.lane[i] = (uint32_t)x;
    return r;
}
static inline __m512i emulated_and(__m512i a, __m512i b) {
    for (int i = 0; i < 16; i++) a.lane[i] &= b.lane[i];
    return a;
}
static inline __m512i emulated_load(const void *p) {
    __m512i r;
    memcpy(&r, p, sizeof(r));
    return r;
}
static inline void emulated_store(void *p, __m512i a) { memcpy(p, &a, sizeof(a)); }
static inline __m512i emulated_mask_load(__m512i otherwise, uint16_t mask, const void *p) {
    for (int i = 0; i < 16; i++)
        if (mask >> i & 1) memcpy(&otherwise.lane[i], (const char *)p + 4 * i, 4);
    return otherwise;
}
static inline __m512i emulated_widen(__m128i bytes) {
    uint8_t b[16];
    __m512i r;
    memcpy(b, &bytes, 16);
    for (int i = 0; i < 16; i++) r.lane[i] = b[i];
    return r;
}
static inline __m512i emulated_shift_right(__m512i a, __m512i by) {
    for (int i = 0; i < 16; i++) a.lane[i] = by.lane[i] < 32 ? a.lane[i] >> by.lane[i] : 0;
    return a;
}
static inline uint16_t emulated_testn(__m512i a, __m512i b) {
    uint16_t mask = 0;
    for (int i = 0; i < 16; i++) mask |= (uint16_t)(!(a.lane[i] & b.lane[i]) << i);
    return mask;
}
static inline __m512i emulated_popcount(__m512i a) {
    for (int i = 0; i < 16; i++) a.lane[i] = (uint32_t)__builtin_popcount(a.lane[i]);
    return a;
}
static inline uint16_t emulated_less_or_equal(__m512i a, __m512i b) {
    uint16_t mask = 0;
    for (int i = 0; i < 16; i++) mask |= (uint16_t)((a.lane[i] <= b.lane[i]) << i);
    return mask;
}
static inline uint16_t emulated_signed_less_or_equal(__m512i a, __m512i b) {
    uint16_t mask = 0;
    for (int i = 0; i < 16; i++) mask |= (uint16_t)(((int32_t)a.lane[i] <= (int32_t)b.lane[i]) << i);
    return mask;
}
static inline __m512i emulated_add(__m512i a, __m512i b) {
    for (int i = 0; i < 16; i++) a.lane[i] += b.lane[i];
    return a;
}
static inline __m512i emulated_multiply(__m512i a, __m512i b) {
    for (int i = 0; i < 16; i++) a.lane[i] *= b.lane[i];
    return a;
}
static inline __m512i emulated_compress(uint16_t mask, __m512i a) {
    __m512i r = emulated_set1(0);
    int n = 0;
    for (int i = 0; i < 16; i++)
        if (mask >> i & 1) r.lane[n++] = a.lane[i];
    return r;
}

#endif
