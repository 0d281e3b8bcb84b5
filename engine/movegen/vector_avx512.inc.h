/* The operations of vector_plain.inc.h with AVX-512, narrow build: all 16 squares in one register. */
#include "vector_bytes.inc.h"

typedef struct {
    __m512i admissible; /* by square: the letters that it admits; all ones past the end */
    NAME(Bytes) bytes;
} NAME(Lanes);

TARGET static inline void NAME(load_lanes)(NAME(Lanes) *lanes, const Line *line, int start, int length, int word_factor) {
    __mmask16 inside = (__mmask16)((1u << length) - 1);
    lanes->admissible = _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), inside, line->admissible + start);
    NAME(load_bytes)(&lanes->bytes, line, start, length, word_factor);
}

TARGET static inline int NAME(admits)(const NAME(Lanes) *lanes, const uint8_t *word, int length) {
    __m512i letters = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)word));
    (void)length;
    return !_mm512_testn_epi32_mask(_mm512_srlv_epi32(lanes->admissible, letters), _mm512_set1_epi32(1));
}

TARGET static inline int32_t NAME(points)(const Generation *g, const NAME(Lanes) *lanes, const uint8_t *word, int length) {
    return NAME(byte_points)(g, &lanes->bytes, word, length);
}

TARGET static inline int NAME(leave_spent)(const Generation *g, const NAME(Lanes) *lanes, const uint8_t *word, uint32_t empty) {
    (void)empty;
    return NAME(byte_leave_spent)(g, &lanes->bytes, word);
}

/* The hits are compressed in the register, which is then stored whole: a compressing store is ten times slower on the
 * processors of 2022 to 2024. */
TARGET static inline int NAME(scan)(const uint32_t *masks, uint32_t first, int count, uint32_t available, int blanks, uint32_t *found) {
    const __m512i not_available = _mm512_set1_epi32((int32_t)~available), allowed = _mm512_set1_epi32(blanks);
    const __m512i lanes = _mm512_cvtepu8_epi32(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    int n = 0;
    for (int i = 0; i < count; i += 16) {
        __m512i numbers = _mm512_add_epi32(lanes, _mm512_set1_epi32((int32_t)first + i));
        __m512i lacking = _mm512_and_si512(_mm512_loadu_si512(masks + i), not_available);
        __mmask16 hits = _mm512_cmple_epu32_mask(_mm512_popcnt_epi32(lacking), allowed);
        if (count - i < 16) hits &= (__mmask16)((1u << (count - i)) - 1);
        if (!hits) continue;
        _mm512_storeu_si512(found + n, _mm512_maskz_compress_epi32(hits, numbers));
        n += __builtin_popcount(hits);
    }
    return n;
}

TARGET static inline uint64_t NAME(within)(const int32_t *points, const int32_t *leaves, int count, int32_t factor, int32_t room) {
    const __m512i factors = _mm512_set1_epi32(factor), rooms = _mm512_set1_epi32(room);
    uint64_t found = 0;
    for (int i = 0; i < count; i += 16) {
        __m512i loss = _mm512_mullo_epi32(factors, _mm512_loadu_si512(points + i));
        loss = _mm512_add_epi32(loss, _mm512_loadu_si512(leaves + i));
        found |= (uint64_t)_mm512_cmple_epi32_mask(loss, rooms) << i;
    }
    return found & (((uint64_t)1 << count) - 1);
}
