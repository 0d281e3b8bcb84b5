/* The Internal-Words tables as the kernels see them: pointers into one memory-mapped table file.
 *
 * A *placed internal word* is (internal word, position, word length); each owns one list of the words
 * that contain it there.  Lists of single letters come first, densely, LETTER_PLACEMENTS a letter;
 * the lists of longer internal words follow, only those that exist, found by rank in a bit set. */
#ifndef KIBITZ_TABLES_H
#define KIBITZ_TABLES_H

#include <string.h>
#include "geometry.h"

#define NO_WORD 0xffffffffu

typedef struct {
    uint8_t letters[WORD_BYTES]; /* letter indices, zero-padded; the last byte is 1 if some letter occurs
                                    more than COUNT_PLANES times (unless the word fills all WORD_BYTES) */
    letter_mask at_least[COUNT_PLANES]; /* plane k: the letters with more than k copies */
} WordRecord;

typedef struct {
    uint64_t placed[PLACED_LIMBS]; /* bit placement_index(length, position, word length): such a word exists */
    uint32_t first;                /* number of the first of its lists; the others follow in bit order */
    uint32_t length;               /* letters, 2 to SIDE - 1 */
    letter_mask front_hooks;       /* letters x such that x + this is a word */
    letter_mask back_hooks;        /* letters x such that this + x is a word */
} InternalWord;

typedef struct {
    uint64_t key;   /* sum of the letter keys of a multiset, modulo 2^64; 0 = free slot */
    uint32_t first; /* its first word; anagrams are neighbours */
    uint32_t count; /* its words */
} AnagramSlot;

/* A node of the graph of multisets: one letter more makes it the letters of some word of up to GRAPH_LETTERS. */
typedef struct {
    letter_mask letters; /* its edges: the letters that do; 0 = free slot */
    letter_mask tag;     /* the low bits of its key.  Nodes that share a tag share their edges, which costs a look-up
                            and no more: what an edge leads to is looked up among the anagrams */
} MultisetNode;

typedef struct {
    uint32_t word_count;
    uint32_t internal_count;
    uint32_t list_count; /* LETTER_PLACEMENTS * letter_count + lists of longer internal words */
    int32_t letter_count;
    int32_t max_length;                /* longest word, letters */
    int32_t double_count;              /* letters whose second copy has a bit of its own in the scan masks */
    uint32_t length_start[SIDE + 2];   /* words of n letters are ids length_start[n] .. length_start[n + 1] - 1 */
    uint8_t double_letters[LETTER_CAPACITY]; /* bit letter_count + j stands for a second copy of this letter */
    uint64_t letter_keys[LETTER_CAPACITY];
    letter_mask front_hooks[LETTER_CAPACITY]; /* per letter a: letters x such that xa is a word */
    letter_mask back_hooks[LETTER_CAPACITY];  /* per letter a: letters x such that ax is a word */

    const WordRecord *words;           /* [word_count], by length, then alphagram, then letters */
    const letter_mask *word_masks;     /* [word_count + padding] scan mask of the whole word */
    const uint32_t *word_internal;     /* [word_count] index into internal_words, or NO_WORD */
    const uint32_t *word_slots;        /* [1 << word_bits] id + 1, 0 = free; open addressing */
    const InternalWord *internal_words;/* [internal_count] */
    const uint32_t *letter_lengths;    /* [letter_count * SIDE] bit n at (letter, position): a word of n letters
                                          has the letter there */
    const uint32_t *list_starts;       /* [list_count + 1] */
    const letter_mask *list_masks;     /* scan mask of each word's letters outside the internal word */
    const uint32_t *list_words;        /* word ids, ascending within a list */
    const AnagramSlot *anagram_slots;  /* [1 << anagram_bits], open addressing from the key's top bits */
    const uint32_t *anagram_filter;    /* bit set of 1 << filter_bits: some key has these top bits */
    const MultisetNode *nodes;         /* [1 << node_bits], open addressing from the key's top bits */
    const uint32_t *node_filter;       /* bit set of 1 << node_filter_bits, as anagram_filter */
    int32_t word_bits, anagram_bits, filter_bits, node_bits, node_filter_bits;
} LexiconTables;

/* Bit of placement (position, word length n) of an internal word of k letters: by position, then length. */
static inline int placement_offset(int k, int position) {
    return position == 0 ? 0 : (SIDE - k) + (position - 1) * (SIDE - k + 1) - position * (position - 1) / 2;
}

static inline int shortest_word(int k, int position) { return position == 0 ? k + 1 : k + position; }

static inline int placement_index(int k, int position, int n) {
    return placement_offset(k, position) + n - shortest_word(k, position);
}

/* Word lengths (bit n) in which an internal word of k letters is placed at a position. */
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

/* Number of placements before one: the rank of its list among those of the internal word. */
static inline __attribute__((always_inline)) uint32_t placement_rank(const uint64_t *placed, int index) {
    uint32_t rank = 0;
    int limb = 0;
    for (; limb < index >> 6; limb++) rank += (uint32_t)__builtin_popcountll(placed[limb]);
    return rank + (uint32_t)__builtin_popcountll(placed[limb] & ((1ull << (index & 63)) - 1));
}

static inline uint64_t word_hash_step(uint64_t hash, uint8_t letter) {
    return (hash + letter + 1) * 0x9e3779b97f4a7c15ull ^ (hash >> 29);
}

/* Id of the word spelled by n letter indices whose hash is given, or NO_WORD. */
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

static inline uint32_t find_word(const LexiconTables *t, const uint8_t *letters, int n) {
    uint64_t hash = 0;
    if (n < 2 || n > t->max_length) return NO_WORD;
    for (int i = 0; i < n; i++) hash = word_hash_step(hash, letters[i]);
    return find_hashed_word(t, letters, n, hash);
}

/* Scan mask of a multiset given by its first two planes: a bit for each letter, and one for a second copy
 * of each of the letters most often doubled.  If some bit of a word is lacking, so is a tile. */
static inline letter_mask scan_mask(const LexiconTables *t, letter_mask once, letter_mask twice) {
    letter_mask mask = once;
    for (int j = 0; j < t->double_count; j++)
        mask |= ((twice >> t->double_letters[j]) & 1) << (t->letter_count + j);
    return mask;
}

#endif
