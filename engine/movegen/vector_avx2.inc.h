/* The operations of vector_plain.inc.h with AVX2, narrow build: 16 squares, 32-bit letter sets. */
#include "vector_bytes.inc.h"

typedef struct {
    __m256i admissible[2]; /* by square, eight a register: the letters that it admits; all ones past the end */
    NAME(Bytes) bytes;
} NAME(Lanes);

TARGET static inline void NAME(load_lanes)(NAME(Lanes) *lanes, const Line *line, int start, int length, int word_factor) {
    static const int32_t window[32] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    const letter_mask *admissible = line->admissible + start;
    const int32_t *beyond = window + 16 - length;
    lanes->admissible[0] = _mm256_or_si256(
        _mm256_loadu_si256((const __m256i *)admissible), _mm256_loadu_si256((const __m256i *)beyond));
    lanes->admissible[1] = _mm256_or_si256(
        _mm256_loadu_si256((const __m256i *)(admissible + 8)), _mm256_loadu_si256((const __m256i *)(beyond + 8)));
    NAME(load_bytes)(&lanes->bytes, line, start, length, word_factor);
}

TARGET static inline int NAME(admits)(const NAME(Lanes) *lanes, const uint8_t *word, int length) {
    __m128i letters = _mm_loadu_si128((const __m128i *)word);
    __m256i fits = _mm256_srlv_epi32(lanes->admissible[0], _mm256_cvtepu8_epi32(letters));
    if (length > 8)
        fits = _mm256_and_si256(
            fits, _mm256_srlv_epi32(lanes->admissible[1], _mm256_cvtepu8_epi32(_mm_srli_si128(letters, 8))));
    return _mm256_testc_si256(fits, _mm256_set1_epi32(1));
}

TARGET static inline int32_t NAME(points)(const Generation *g, const NAME(Lanes) *lanes, const uint8_t *word, int length) {
    return NAME(byte_points)(g, &lanes->bytes, word, length);
}

TARGET static inline int NAME(leave_spent)(const Generation *g, const NAME(Lanes) *lanes, const uint8_t *word, uint32_t empty) {
    (void)empty;
    return NAME(byte_leave_spent)(g, &lanes->bytes, word);
}

TARGET static inline int NAME(scan)(const uint32_t *masks, uint32_t first, int count, uint32_t available, int blanks, uint32_t *found) {
    const __m256i not_available = _mm256_set1_epi32((int32_t)~available), ones = _mm256_set1_epi32(-1);
    int n = 0;
    for (int i = 0; i < count; i += 8) {
        __m256i lacking = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(masks + i)), not_available);
        uint32_t hits;
        for (int b = 0; b < blanks; b++) lacking = _mm256_and_si256(lacking, _mm256_add_epi32(lacking, ones));
        hits = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(lacking, _mm256_setzero_si256())));
        if (count - i < 8) hits &= (1u << (count - i)) - 1;
        for (; hits; hits &= hits - 1) found[n++] = first + (uint32_t)(i + __builtin_ctz(hits));
    }
    return n;
}

TARGET static inline uint64_t NAME(within)(const int32_t *points, const int32_t *leaves, int count, int32_t factor, int32_t room) {
    const __m256i factors = _mm256_set1_epi32(factor), rooms = _mm256_set1_epi32(room);
    uint64_t beyond = 0;
    for (int i = 0; i < count; i += 8) {
        __m256i loss = _mm256_mullo_epi32(factors, _mm256_loadu_si256((const __m256i *)(points + i)));
        loss = _mm256_add_epi32(loss, _mm256_loadu_si256((const __m256i *)(leaves + i)));
        beyond |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(loss, rooms))) << i;
    }
    return ~beyond & (((uint64_t)1 << count) - 1);
}
