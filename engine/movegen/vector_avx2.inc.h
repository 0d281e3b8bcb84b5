/* Vector operations of interval_kernel.inc.h with AVX2, narrow build: 16 squares, 32-bit letter sets. */

typedef struct {
    __m256i admissible[2]; /* of the interval's squares, eight a register; all ones past its end */
    __m128i factors;       /* bytes: points of the tile on each empty square are multiplied by this */
    __m128i empty;         /* bytes: ff on an empty square */
    const Line *line;
    int start, word_factor;
    int large;             /* some factor does not fit a byte: points() counts one by one */
} NAME(Lanes);

static const uint8_t NAME(tail_bytes)[32] = {
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
static const int32_t NAME(tail_lanes)[32] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

TARGET static inline void NAME(load_lanes)(NAME(Lanes) *lanes, const Line *line, int start, int length, int word_factor) {
    const letter_mask *admissible = line->admissible + start;
    const int32_t *beyond = NAME(tail_lanes) + 16 - length;
    __m256i own = _mm256_loadu_si256((const __m256i *)(line->own_factor + start));
    __m256i across = _mm256_loadu_si256((const __m256i *)(line->across_factor + start));
    __m256i factors = _mm256_add_epi16(_mm256_mullo_epi16(own, _mm256_set1_epi16((int16_t)word_factor)), across);
    __m128i inside = _mm_loadu_si128((const __m128i *)(NAME(tail_bytes) + 16 - length));
    __m256i too_large = _mm256_and_si256(_mm256_cmpgt_epi16(factors, _mm256_set1_epi16(127)), _mm256_cvtepi8_epi16(inside));
    lanes->admissible[0] = _mm256_or_si256(
        _mm256_loadu_si256((const __m256i *)admissible), _mm256_loadu_si256((const __m256i *)beyond));
    lanes->admissible[1] = _mm256_or_si256(
        _mm256_loadu_si256((const __m256i *)(admissible + 8)), _mm256_loadu_si256((const __m256i *)(beyond + 8)));
    lanes->factors = _mm_and_si128(inside, _mm_packs_epi16(_mm256_castsi256_si128(factors), _mm256_extracti128_si256(factors, 1)));
    lanes->empty = _mm_cmpgt_epi8(lanes->factors, _mm_setzero_si128());
    lanes->line = line;
    lanes->start = start;
    lanes->word_factor = word_factor;
    lanes->large = word_factor > 4096 || !_mm256_testz_si256(too_large, too_large);
}

TARGET static inline int NAME(admits)(const NAME(Lanes) *lanes, const WordRecord *word, int length) {
    __m128i letters = _mm_load_si128((const __m128i *)word->letters);
    __m256i fits = _mm256_srlv_epi32(lanes->admissible[0], _mm256_cvtepu8_epi32(letters));
    if (length > 8)
        fits = _mm256_and_si256(
            fits, _mm256_srlv_epi32(lanes->admissible[1], _mm256_cvtepu8_epi32(_mm_srli_si128(letters, 8))));
    return _mm256_testc_si256(fits, _mm256_set1_epi32(1));
}

/* Look 16 letters up in a table of 32 bytes. */
TARGET static inline __m128i NAME(look_up)(const uint8_t *table, __m128i letters) {
    __m128i low = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)table), _mm_adds_epu8(letters, _mm_set1_epi8(0x70)));
    __m128i high = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(table + 16)), _mm_sub_epi8(letters, _mm_set1_epi8(16)));
    return _mm_or_si128(low, high);
}

TARGET static inline int32_t NAME(points)(const Generation *g, const NAME(Lanes) *lanes, const WordRecord *word, int length) {
    __m128i sum;
    if (__builtin_expect(lanes->large, 0)) {
        int32_t total = 0;
        for (int i = 0; i < length; i++) {
            int32_t factor = lanes->line->own_factor[lanes->start + i] * lanes->word_factor;
            total += (factor + lanes->line->across_factor[lanes->start + i]) * g->values[word->letters[i]];
        }
        return total;
    }
    sum = _mm_maddubs_epi16(NAME(look_up)(g->values, _mm_load_si128((const __m128i *)word->letters)), lanes->factors);
    sum = _mm_madd_epi16(sum, _mm_set1_epi16(1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return _mm_cvtsi128_si32(sum);
}

TARGET static inline int NAME(leave_spent)(const Generation *g, const NAME(Lanes) *lanes, const WordRecord *word, uint32_t placed) {
    __m128i weights = _mm_and_si128(lanes->empty, NAME(look_up)(g->leave_weights, _mm_load_si128((const __m128i *)word->letters)));
    __m128i sum = _mm_sad_epu8(weights, _mm_setzero_si128());
    (void)placed;
    return _mm_cvtsi128_si32(sum) + _mm_extract_epi16(sum, 4);
}

TARGET static inline int NAME(contained)(const WordRecord *word, const letter_mask *planes) {
    return _mm_testc_si128(_mm_loadu_si128((const __m128i *)planes), _mm_load_si128((const __m128i *)word->at_least));
}

TARGET static inline int NAME(scan)(const letter_mask *masks, const uint32_t *words, int count, letter_mask held, int blanks, uint32_t *found) {
    const __m256i not_held = _mm256_set1_epi32((int32_t)~held), ones = _mm256_set1_epi32(-1);
    int n = 0;
    for (int i = 0; i < count; i += 8) {
        __m256i lacking = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(masks + i)), not_held);
        uint32_t hits;
        for (int b = 0; b < blanks; b++) lacking = _mm256_and_si256(lacking, _mm256_add_epi32(lacking, ones));
        hits = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(lacking, _mm256_setzero_si256())));
        if (count - i < 8) hits &= (1u << (count - i)) - 1;
        for (; hits; hits &= hits - 1) found[n++] = words[i + __builtin_ctz(hits)];
    }
    return n;
}
