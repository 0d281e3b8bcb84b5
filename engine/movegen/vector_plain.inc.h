/* Vector operations of interval_kernel.inc.h in plain C: any processor, and the wide build. */

typedef struct {
    const letter_mask *admissible; /* of the interval's squares */
    int32_t factors[SIDE];         /* points of the tile on each empty square are multiplied by this */
} NAME(Lanes);

TARGET static inline void NAME(load_lanes)(NAME(Lanes) *lanes, const Line *line, int start, int length, int word_factor) {
    lanes->admissible = line->admissible + start;
    for (int i = 0; i < length; i++)
        lanes->factors[i] = line->own_factor[start + i] * word_factor + line->across_factor[start + i];
}

/* Does every square of the interval admit the word's letter there (on a tile: is it that letter)? */
TARGET static inline int NAME(admits)(const NAME(Lanes) *lanes, const WordRecord *word, int length) {
    for (int i = 0; i < length; i++)
        if (!(lanes->admissible[i] >> word->letters[i] & 1)) return 0;
    return 1;
}

/* Points of the tiles played, all of them with a letter of their own. */
TARGET static inline int32_t NAME(points)(const Generation *g, const NAME(Lanes) *lanes, const WordRecord *word, int length) {
    int32_t sum = 0;
    for (int i = 0; i < length; i++) sum += lanes->factors[i] * g->hand.values[word->letters[i]];
    return sum;
}

TARGET static inline int NAME(leave_spent)(const Generation *g, const NAME(Lanes) *lanes, const WordRecord *word, uint32_t placed) {
    int sum = 0;
    (void)lanes;
    for (; placed; placed &= placed - 1) sum += g->hand.leave_weights[word->letters[__builtin_ctz(placed)]];
    return sum;
}

/* Are all the letters of the word, with their multiplicity up to COUNT_PLANES, among those given? */
TARGET static inline int NAME(contained)(const WordRecord *word, const letter_mask *planes) {
    letter_mask lacking = 0;
    for (int k = 0; k < COUNT_PLANES; k++) lacking |= word->at_least[k] & ~planes[k];
    return !lacking;
}

/* Squares (bits) of a word where a letter stands; bits past the word's length mean nothing. */
TARGET static inline uint32_t NAME(letter_squares)(const WordRecord *word, int letter) {
    uint32_t squares = 0;
    for (int i = 0; i < SIDE; i++) squares |= (uint32_t)(word->letters[i] == letter) << i;
    return squares;
}

/* Copy the entries whose scan mask lacks at most `blanks` of what is held; returns how many. */
TARGET static inline int NAME(scan)(const letter_mask *masks, const uint32_t *words, int count, letter_mask held, int blanks, uint32_t *found) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        letter_mask lacking = masks[i] & ~held;
        for (int b = 0; b < blanks; b++) lacking &= lacking - 1;
        found[n] = words[i];
        n += !lacking;
    }
    return n;
}
