/* The index of the Anagram Method: strings of letters and blanks, and the words that they can form.
 *
 * A *string* is a multiset of letters and at least one blank that can form a word.  Strings without blanks are
 * the anagram classes of tables.h, which every table file has.
 * Source: [Anagram2018], section 3; [Heuri], chapter 6. */
#ifndef KIBITZ_ANAGRAMS_H
#define KIBITZ_ANAGRAMS_H

#include "tables.h"

#define BLANKS_INDEXED 2                  /* the largest number of blanks of a string */
#define BLANK_KEY 0x5ca1ab1e0ddba11dull   /* the summand of a blank in the key of a string */

typedef struct {
    uint64_t key;   /* sum of its letter keys and BLANK_KEYs, modulo 2^64; 0 = free slot */
    uint32_t first; /* the index of its first word id in `words` */
    uint32_t count; /* the number of words that it can form */
} AnagramString;

typedef struct {
    const AnagramString *strings; /* [home_count + SPARE_SLOTS], a table by key (tables.h) */
    const uint32_t *words;        /* word ids, string by string */
    const uint32_t *filter;       /* bit set of 1 << filter_bits: some key has these top bits */
    uint64_t home_count;          /* the number of homes, below 2^32 */
    int32_t filter_bits;
    uint8_t tile_counts[LETTER_CAPACITY]; /* tiles of each letter in the set that the index was built for */
} AnagramIndex;

static inline int may_be_string(const AnagramIndex *index, uint64_t key) {
    uint64_t bit = key >> (64 - index->filter_bits);
    return index->filter[bit >> 5] >> (bit & 31) & 1;
}

/* Return the string with a key, NULL if there is none. */
static inline const AnagramString *find_string(const AnagramIndex *index, uint64_t key) {
    const AnagramString *slot = index->strings + home_of(key, index->home_count);
    for (; slot->key; slot++) {
        if (slot->key == key) return slot;
        if (slot->key > key) return NULL;
    }
    return NULL;
}

/* Return the excess e(u): the number of letters of a multiset beyond those of the tile set. */
static inline int letter_excess(const AnagramIndex *index, const uint8_t *counts, int letter_count) {
    int excess = 0;
    for (int letter = 0; letter < letter_count; letter++)
        if (counts[letter] > index->tile_counts[letter]) excess += counts[letter] - index->tile_counts[letter];
    return excess;
}

#endif
