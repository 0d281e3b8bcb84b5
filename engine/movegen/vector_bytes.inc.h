/* Operations that AVX2 and AVX-512 share (narrow build): the 16 letters of a word as 16 bytes. */

typedef struct {
    __m128i factors; /* by square: factor of the points of a tile placed there, 0 where a tile lies */
    __m128i empty;   /* by square: 0xff if it is empty */
    const Line *line;
    int start;       /* of the interval in the line */
    int word_factor; /* of the interval */
    int large;       /* some factor does not fit a signed byte: byte_points() adds up square by square */
} NAME(Bytes);

TARGET static inline void NAME(load_bytes)(NAME(Bytes) *bytes, const Line *line, int start, int length, int word_factor) {
    static const uint8_t window[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    __m256i along = _mm256_loadu_si256((const __m256i *)(line->along_factor + start));
    __m256i across = _mm256_loadu_si256((const __m256i *)(line->across_factor + start));
    __m256i factors = _mm256_add_epi16(_mm256_mullo_epi16(along, _mm256_set1_epi16((int16_t)word_factor)), across);
    __m128i inside = _mm_loadu_si128((const __m128i *)(window + 16 - length));
    __m256i large = _mm256_and_si256(_mm256_cmpgt_epi16(factors, _mm256_set1_epi16(127)), _mm256_cvtepi8_epi16(inside));
    __m256i empty = _mm256_cmpgt_epi16(along, _mm256_setzero_si256());
    bytes->factors = _mm_and_si128(inside, _mm_packs_epi16(_mm256_castsi256_si128(factors), _mm256_extracti128_si256(factors, 1)));
    bytes->empty = _mm_and_si128(inside, _mm_packs_epi16(_mm256_castsi256_si128(empty), _mm256_extracti128_si256(empty, 1)));
    bytes->line = line;
    bytes->start = start;
    bytes->word_factor = word_factor;
    bytes->large = word_factor > 4096 || !_mm256_testz_si256(large, large); /* beyond 4096 the 16 bits overflow */
}

/* Look 16 letters up in a table of 32 bytes. */
TARGET static inline __m128i NAME(look_up)(const uint8_t *table, __m128i letters) {
    __m128i low = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)table), _mm_adds_epu8(letters, _mm_set1_epi8(0x70)));
    __m128i high = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(table + 16)), _mm_sub_epi8(letters, _mm_set1_epi8(16)));
    return _mm_or_si128(low, high);
}

TARGET static inline int32_t NAME(byte_points)(const Generation *g, const NAME(Bytes) *bytes, const uint8_t *word, int length) {
    __m128i sum;
    if (__builtin_expect(bytes->large, 0)) {
        int32_t total = 0;
        for (int i = 0; i < length; i++) {
            int32_t factor = bytes->line->along_factor[bytes->start + i] * bytes->word_factor;
            total += (factor + bytes->line->across_factor[bytes->start + i]) * g->hand.values[word[i]];
        }
        return total;
    }
    sum = _mm_maddubs_epi16(NAME(look_up)(g->hand.values, _mm_loadu_si128((const __m128i *)word)), bytes->factors);
    sum = _mm_madd_epi16(sum, _mm_set1_epi16(1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return _mm_cvtsi128_si32(sum);
}

TARGET static inline int NAME(byte_leave_spent)(const Generation *g, const NAME(Bytes) *bytes, const uint8_t *word) {
    __m128i weights = NAME(look_up)(g->hand.leave_weights, _mm_loadu_si128((const __m128i *)word));
    __m128i sum = _mm_sad_epu8(_mm_and_si128(weights, bytes->empty), _mm_setzero_si128());
    return _mm_cvtsi128_si32(sum) + _mm_extract_epi16(sum, 4);
}

TARGET static inline uint32_t NAME(letter_squares)(const uint8_t *word, int letter) {
    __m128i letters = _mm_loadu_si128((const __m128i *)word);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(letters, _mm_set1_epi8((int8_t)letter)));
}
