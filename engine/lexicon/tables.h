/* The Internal-Words tables: structs of pointers into a memory-mapped table file.
 *
 * An *internal word* is a letter or a word inside a longer word.  A *placement* is (position, word length): where
 * it begins, and how long the word around it is.  A *placed internal word* is (internal word, placement); it owns
 * a list of the words that contain it there.  The lists of single letters come first, LETTER_PLACEMENTS for each
 * letter, empty ones included.  The lists of longer internal words follow, without empty ones: the rank of the
 * placement in the bit set `placed` gives the list.  A list of more than MAX_LIST words (build.py) is not stored: its
 * two starts are equal.  Its words are then found among all words of their length, or by their letters.
 *
 * *Letters* are letter indices, 0 to letter_count - 1. */
#ifndef KIBITZ_TABLES_H
#define KIBITZ_TABLES_H

#include <string.h>
#include "geometry.h"

#define NO_WORD 0xffffffffu

typedef struct {
    uint8_t letters[WORD_BYTES]; /* letters, zero-padded; the last byte is 1 if a letter occurs more than
                                    COUNT_PLANES times (unless it is a letter of the word) */
    letter_mask at_least[COUNT_PLANES]; /* plane k: a bit for each letter with more than k copies */
} WordRecord;

typedef struct {
    uint64_t placed[PLACED_LIMBS]; /* the placements, by placement_index(length, position, word length) */
    uint32_t first;                /* index of its first list; its other lists follow in the order of `placed` */
    uint32_t length;               /* number of letters, 2 to SIDE - 1 */
    letter_mask front_hooks;       /* bit set of the letters x for which x + this is a word */
    letter_mask back_hooks;        /* bit set of the letters x for which this + x is a word */
} InternalWord;

typedef struct {
    uint64_t key;   /* sum of the letter keys of an anagram class, modulo 2^64; 0 = free slot */
    uint32_t first; /* id of its first word; the ids of a class are consecutive */
    uint32_t count; /* number of its words */
} AnagramSlot;

/* A node of the graph of multisets: with one more letter it is the multiset of a word of up to GRAPH_LETTERS. */
typedef struct {
    letter_mask letters; /* bit set of these letters, its edges; 0 = free slot */
    letter_mask tag;     /* the low bits of its key.  Nodes with equal tags share their edges.  That is correct,
                            because the target of an edge is looked up among the anagram classes */
} MultisetNode;

typedef struct {
    uint32_t word_count;     /* words of the lexicon */
    uint32_t internal_count; /* internal words of two or more letters */
    uint32_t list_count; /* LETTER_PLACEMENTS * letter_count + lists of longer internal words */
    int32_t letter_count;              /* letters of the tile set */
    int32_t max_length;                /* letters of the longest word */
    int32_t double_count;              /* letters whose second copy has its own bit in the scan masks */
    uint32_t length_start[SIDE + 2];   /* words of n letters have ids length_start[n] to length_start[n + 1] - 1 */
    uint8_t double_letters[LETTER_CAPACITY]; /* bit letter_count + j of a scan mask: a second copy of this letter */
    uint64_t letter_keys[LETTER_CAPACITY]; /* random summands of the keys of multisets */
    letter_mask front_hooks[LETTER_CAPACITY]; /* for each letter a: bit set of the letters x for which xa is a word */
    letter_mask back_hooks[LETTER_CAPACITY];  /* for each letter a: bit set of the letters x for which ax is a word */

    const WordRecord *words;           /* [word_count] by id: sorted by length, then alphagram, then letters */
    const letter_mask *word_masks;     /* [word_count + SCAN_PADDING] scan mask of each word */
    const uint32_t *word_internal;     /* [word_count] index into internal_words, or NO_WORD */
    const InternalWord *internal_words;/* [internal_count] */
    const uint32_t *letter_lengths;    /* [letter_count * SIDE] at (letter, position): bit n, if a word of n letters
                                          has the letter at this position */
    const uint32_t *list_starts;       /* [list_count + 1] index of the first entry of each list */
    const letter_mask *list_masks;     /* [entries + SCAN_PADDING] scan mask of the letters outside the internal word */
    const uint16_t *list_words;        /* [entries] ascending in each list: number of the word among those of its length,
                                          modulo 1 << 16 */
    const uint8_t *list_blocks;        /* [(entries + 1) / 2] the same number divided by 1 << 16, in four bits, the even
                                          entry in the lower ones; NULL if no length has so many words */
    const AnagramSlot *anagram_slots;  /* [1 << anagram_bits] open addressing by the top bits of the key */
    const uint32_t *anagram_filter;    /* bit set of 1 << filter_bits bits: the top bits of all keys */
    const MultisetNode *nodes;         /* [1 << node_bits] open addressing by the top bits of the key */
    const uint32_t *node_filter;       /* bit set of 1 << node_filter_bits bits, like anagram_filter */
    int32_t anagram_bits, filter_bits, node_bits, node_filter_bits; /* log2 of the sizes above */
} LexiconTables;

/* First bit of the placements of an internal word of k letters at a position; word lengths ascend from it. */
static inline int placement_offset(int k, int position) {
    return position == 0 ? 0 : (SIDE - k) + (position - 1) * (SIDE - k + 1) - position * (position - 1) / 2;
}

/* The length of the shortest longer word in which k letters can have a position. */
static inline int shortest_word(int k, int position) { return position == 0 ? k + 1 : k + position; }

/* Bit of the placement (position, word length n) of an internal word of k letters. */
static inline int placement_index(int k, int position, int n) {
    return placement_offset(k, position) + n - shortest_word(k, position);
}

/* Bit set of the word lengths in which an internal word of k letters has a position. */
static inline uint32_t placed_lengths(const uint64_t *placed, int k, int position) {
    int offset = placement_offset(k, position);
    int low = shortest_word(k, position);
    int limb = offset >> 6, shift = offset & 63;
    uint64_t bits;
    if (low > SIDE) return 0;
    bits = placed[limb] >> shift;
    if (shift && limb + 1 < PLACED_LIMBS) bits |= placed[limb + 1] << (64 - shift);
    return (uint32_t)(bits & ((1ull << (SIDE + 1 - low)) - 1)) << low;
}

/* Number of placements before a bit: the rank of its list among those of the internal word. */
static inline __attribute__((always_inline)) uint32_t placement_rank(const uint64_t *placed, int index) {
    uint32_t rank = 0;
    int limb = 0;
    for (; limb < index >> 6; limb++) rank += (uint32_t)__builtin_popcountll(placed[limb]);
    return rank + (uint32_t)__builtin_popcountll(placed[limb] & ((1ull << (index & 63)) - 1));
}

/* Ask a bit set before the look-up in the large table of find_anagrams(): false is certain, true is not. */
static inline int may_have_anagrams(const LexiconTables *t, uint64_t key) {
    uint64_t bit = key >> (64 - t->filter_bits);
    return t->anagram_filter[bit >> 5] >> (bit & 31) & 1;
}

/* Return the words that a multiset spells, given the sum of its letter keys; NULL if there are none. */
static inline const AnagramSlot *find_anagrams(const LexiconTables *t, uint64_t key) {
    uint64_t slot_mask = (1ull << t->anagram_bits) - 1, slot = key >> (64 - t->anagram_bits);
    for (; t->anagram_slots[slot].key; slot = (slot + 1) & slot_mask)
        if (t->anagram_slots[slot].key == key) return &t->anagram_slots[slot];
    return NULL;
}

/* Return the id of the word of n letters, given the sum of their letter keys too, or NO_WORD. */
static inline uint32_t find_keyed_word(const LexiconTables *t, const uint8_t *letters, int n, uint64_t key) {
    const AnagramSlot *slot = find_anagrams(t, key);
    if (!slot) return NO_WORD;
    for (uint32_t id = slot->first; id < slot->first + slot->count; id++)
        if (!memcmp(t->words[id].letters, letters, (size_t)n)) return id;
    return NO_WORD;
}

/* Return the id of the word of n letters, or NO_WORD. */
static inline uint32_t find_word(const LexiconTables *t, const uint8_t *letters, int n) {
    uint64_t key = 0;
    if (n < 2 || n > t->max_length) return NO_WORD;
    for (int i = 0; i < n; i++) key += t->letter_keys[letters[i]];
    return find_keyed_word(t, letters, n, key);
}

/* Return the id of an entry of a list of words of n letters. */
static inline uint32_t list_word(const LexiconTables *t, uint32_t entry, int n) {
    uint32_t number = t->list_words[entry];
    if (t->list_blocks) number |= (uint32_t)(t->list_blocks[entry >> 1] >> 4 * (entry & 1) & 15) << 16;
    return t->length_start[n] + number;
}

/* Return the scan mask of a multiset with these first two planes: a bit for each letter, and a bit for a second
 * copy of each of the most often doubled letters.  If the mask of a rack lacks a bit of a word, it lacks a tile. */
static inline letter_mask scan_mask(const LexiconTables *t, letter_mask once, letter_mask twice) {
    letter_mask mask = once;
    for (int j = 0; j < t->double_count; j++)
        mask |= ((twice >> t->double_letters[j]) & 1) << (t->letter_count + j);
    return mask;
}

#endif
