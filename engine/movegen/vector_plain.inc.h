/* The operations that differ between the vector paths, in plain C: for any processor, and for the wide build. */

typedef struct {
    const letter_mask *admissible; /* by square of the interval: the letters that it admits */
    int32_t factors[SIDE];         /* by square of the interval: factor of the points of a tile placed there, along and
                                      across together; 0 where a tile lies */
} NAME(Lanes);

/* Prepare the squares of an interval. */
TARGET static inline void NAME(load_lanes)(NAME(Lanes) *lanes, const Line *line, int start, int length, int word_factor) {
    lanes->admissible = line->admissible + start;
    for (int i = 0; i < length; i++)
        lanes->factors[i] = line->along_factor[start + i] * word_factor + line->across_factor[start + i];
}

/* Whether every square of the interval admits the word's letter there; a square with a tile admits that letter alone. */
TARGET static inline int NAME(admits)(const NAME(Lanes) *lanes, const uint8_t *word, int length) {
    for (int i = 0; i < length; i++)
        if (!(lanes->admissible[i] >> word[i] & 1)) return 0;
    return 1;
}

/* Return the points of the tiles that a play places, none of them a blank. */
TARGET static inline int32_t NAME(points)(const Generation *g, const NAME(Lanes) *lanes, const uint8_t *word, int length) {
    int32_t sum = 0;
    for (int i = 0; i < length; i++) sum += lanes->factors[i] * g->hand.values[word[i]];
    return sum;
}

/* Return the leave weights (Hand) of the tiles that a play places on the `empty` squares, none of them a blank. */
TARGET static inline int NAME(leave_spent)(const Generation *g, const NAME(Lanes) *lanes, const uint8_t *word, uint32_t empty) {
    int sum = 0;
    (void)lanes;
    for (; empty; empty &= empty - 1) sum += g->hand.leave_weights[word[__builtin_ctz(empty)]];
    return sum;
}

/* Return the squares (bits) of a word where a letter stands; bits past its length mean nothing. */
TARGET static inline uint32_t NAME(letter_squares)(const uint8_t *word, int letter) {
    uint32_t squares = 0;
    for (int i = 0; i < SIDE; i++) squares |= (uint32_t)(word[i] == letter) << i;
    return squares;
}

/* Find the scan masks that have at most `blanks` bits which are not available; write their numbers, that of the first one
 * being `first`, and return how many there are.  `found` must have room for VECTOR_ROOM entries more. */
TARGET static inline int NAME(scan)(const uint32_t *masks, uint32_t first, int count, uint32_t available, int blanks, uint32_t *found) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        uint32_t lacking = masks[i] & ~available;
        for (int b = 0; b < blanks; b++) lacking &= lacking - 1;
        found[n] = first + (uint32_t)i;
        n += !lacking;
    }
    return n;
}

/* Return a bit set of the numbers i below `count`, at most SUBSET_LANES, for which factor x points[i] + leaves[i] is at
 * most `room`. */
TARGET static inline uint64_t NAME(within)(const int32_t *points, const int32_t *leaves, int count, int32_t factor, int32_t room) {
    uint64_t found = 0;
    for (int i = 0; i < count; i++) found |= (uint64_t)(factor * points[i] + leaves[i] <= room) << i;
    return found;
}
