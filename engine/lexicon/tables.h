/* The Internal-Words tables: structs of pointers into a memory-mapped table file.
 *
 * An *internal word* is a letter or a word inside a longer word.  A *placement* is (position, word length): where
 * it begins, and how long the word around it is.  A *placed internal word* is (internal word, placement); it owns
 * a list of the words that contain it there.  The lists of single letters come first, LETTER_PLACEMENTS for each
 * letter, empty ones included.  The lists of longer internal words follow, without empty ones: the rank of the
 * placement in the bit set `placed` gives the list.
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
    const uint32_t *word_slots;        /* [1 << word_bits] word id + 1, 0 = free; open addressing by hash of letters */
    const InternalWord *internal_words;/* [internal_count] */
    const uint32_t *letter_lengths;    /* [letter_count * SIDE] at (letter, position): bit n, if a word of n letters
                                          has the letter at this position */
    const uint32_t *list_starts;       /* [list_count + 1] index of the first entry of each list */
    const letter_mask *list_masks;     /* [entries + SCAN_PADDING] scan mask of the letters outside the internal word */
    const uint32_t *list_words;        /* [entries + SCAN_PADDING] word ids, ascending in each list */
    const AnagramSlot *anagram_slots;  /* [1 << anagram_bits] open addressing by the top bits of the key */
    const uint32_t *anagram_filter;    /* bit set of 1 << filter_bits bits: the top bits of all keys */
    const MultisetNode *nodes;         /* [1 << node_bits] open addressing by the top bits of the key */
    const uint32_t *node_filter;       /* bit set of 1 << node_filter_bits bits, like anagram_filter */
    int32_t word_bits, anagram_bits, filter_bits, node_bits, node_filter_bits; /* log2 of the sizes above */
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

/* Extend the hash of a word by one letter; the hash of no letters is 0. */
static inline uint64_t word_hash_step(uint64_t hash, uint8_t letter) {
    return (hash + letter + 1) * 0x9e3779b97f4a7c15ull ^ (hash >> 29);
}

/* Return the id of the word of n letters with this hash, or NO_WORD. */
static inline uint32_t find_hashed_word(const LexiconTables *t, const uint8_t *letters, int n, uint64_t hash) {
    uint64_t slot_mask = (1ull << t->word_bits) - 1;
    uint64_t slot = (hash ^ (hash >> 32)) & slot_mask;
    uint32_t entry;
    while ((entry = t->word_slots[slot])) {
        uint32_t id = entry - 1;
        if (id >= t->length_start[n] && id < t->length_start[n + 1] && !memcmp(t->words[id].letters, letters, (size_t)n))
            return id;
        slot = (slot + 1) & slot_mask;
    }
    return NO_WORD;
}

/* Return the id of the word of n letters, or NO_WORD. */
static inline uint32_t find_word(const LexiconTables *t, const uint8_t *letters, int n) {
    uint64_t hash = 0;
    if (n < 2 || n > t->max_length) return NO_WORD;
    for (int i = 0; i < n; i++) hash = word_hash_step(hash, letters[i]);
    return find_hashed_word(t, letters, n, hash);
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
