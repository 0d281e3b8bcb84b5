/* The Internal-Words tables: structs of pointers into a memory-mapped table file.
 *
 * An *internal word* is a letter or a word inside a longer word.  A *placement* is (position, word length): where
 * it begins, and how long the word around it is.  A *placed internal word* is (internal word, placement); it owns
 * a list of the words that contain it there.  The lists of single letters come first, LETTER_PLACEMENTS for each
 * letter, empty ones included.  The lists of longer internal words follow, word by word and without empty ones;
 * `list_placements` says which placement each has.  A list of more than MAX_LIST words (build.py) is not stored: its
 * two starts are equal.  Its words are then found among all words of their length, or by their letters.
 *
 * A *table by key* has its entries in ascending order of their keys, each at its home (home_of) or as soon after it as
 * there is room, and SPARE_SLOTS slots after the last home.  A search begins at the home of a key; it ends at a larger
 * key or a free slot.
 *
 * *Letters* are letter indices, 0 to letter_count - 1. */
#ifndef KIBITZ_TABLES_H
#define KIBITZ_TABLES_H

#include <string.h>
#include "geometry.h"

#define NO_WORD 0xffffffffu
#define SPARE_SLOTS 256 /* slots of a table by key after its last home, the last four of them free */
#define SCAN_BITS 32    /* bits of a scan mask */

typedef struct __attribute__((packed, aligned(4))) {
    letter_mask front_hooks; /* bit set of the letters x for which x + this is a word */
    letter_mask back_hooks;  /* bit set of the letters x for which this + x is a word */
    uint32_t first;          /* index of its first list; its last one is before the first of the next internal word */
} InternalWord;

/* An anagram class, in twelve bytes, because there are nearly as many classes as words. */
typedef struct __attribute__((packed, aligned(4))) {
    uint64_t key;        /* sum of the letter keys of its letters, modulo 2^64; 0 = free slot */
    uint32_t first : 24; /* id of its first word; the ids of a class are consecutive */
    uint32_t count : 8;  /* number of its words */
} AnagramSlot;

/* A node of the graph of multisets: with one more letter it is the multiset of a word of up to GRAPH_LETTERS. */
typedef struct __attribute__((packed, aligned(4))) {
    letter_mask letters; /* bit set of these letters, its edges; 0 = free slot */
    uint32_t tag;        /* the top bits of its key.  Nodes with equal tags share their edges.  That is correct,
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
    uint32_t internal_start[SIDE + 2]; /* internal words of n letters have indices from internal_start[n] on, likewise */
    int64_t letters_start[SIDE + 1];   /* by length n: the letters of a word begin at letters_start[n] + n * id */
    uint8_t double_letters[LETTER_CAPACITY]; /* bit letter_count + j of a scan mask: a second copy of this letter */
    uint8_t scan_bits[LETTER_CAPACITY];      /* bit of each letter in a scan mask */
    uint64_t letter_keys[LETTER_CAPACITY]; /* random summands of the keys of multisets */
    letter_mask front_hooks[LETTER_CAPACITY]; /* for each letter a: bit set of the letters x for which xa is a word */
    letter_mask back_hooks[LETTER_CAPACITY];  /* for each letter a: bit set of the letters x for which ax is a word */

    const uint8_t *letters;            /* the letters of all words by id, without gaps; WORD_BYTES zeros at the end.  Words
                                          are sorted by length, then alphagram, then letters */
    const uint32_t *word_masks;        /* [word_count + SCAN_PADDING] scan mask of each word */
    const uint64_t *internal_bits;     /* bit set of the words that are internal words */
    const uint32_t *internal_before;   /* for each 64 words: the number of internal words before them */
    const InternalWord *internal_words;/* [internal_count + 1]; the last one marks the end of the lists */
    const placement_number *list_placements; /* [list_count - those of letters] placement_index() of each list */
    const uint32_t *letter_lengths;    /* [letter_count * SIDE] at (letter, position): bit n, if a word of n letters
                                          has the letter at this position */
    const uint32_t *list_starts;       /* [list_count + 1] index of the first entry of each list */
    const uint32_t *list_masks;        /* [entries + SCAN_PADDING] scan mask of the letters outside the internal word */
    const uint16_t *list_words;        /* [entries] ascending in each list: number of the word among those of its length,
                                          modulo 1 << 16 */
    const uint8_t *list_blocks;        /* [(entries + 1) / 2] the same number divided by 1 << 16, in four bits, the even
                                          entry in the lower ones; NULL if every length has fewer words */
    const AnagramSlot *anagram_slots;  /* table by key, of anagram_homes homes */
    const uint32_t *anagram_filter;    /* bit set of 1 << filter_bits bits: the top bits of all keys */
    const MultisetNode *nodes;         /* table by key, of node_homes homes */
    const uint32_t *node_filter;       /* bit set of 1 << node_filter_bits bits, like anagram_filter */
    uint64_t anagram_homes, node_homes;
    int32_t filter_bits, node_filter_bits; /* log2 of the sizes above */
} LexiconTables;

/* The home of a key in a table by key: keys in ascending order have homes in ascending order. */
static inline uint64_t home_of(uint64_t key, uint64_t homes) { return (key >> 32) * homes >> 32; }

/* The letters of a word of n letters; WORD_BYTES bytes can be read from there. */
static inline const uint8_t *word_letters(const LexiconTables *t, uint32_t id, int n) {
    return t->letters + t->letters_start[n] + (int64_t)n * id;
}

/* The number of internal words whose id is below that of a word. */
static inline uint32_t internal_words_before(const LexiconTables *t, uint32_t id) {
    uint64_t below = t->internal_bits[id >> 6] & ((1ull << (id & 63)) - 1);
    return t->internal_before[id >> 6] + (uint32_t)__builtin_popcountll(below);
}

/* The index of a word in internal_words, or NO_WORD if it lies in no longer word. */
static inline uint32_t internal_index(const LexiconTables *t, uint32_t id) {
    return t->internal_bits[id >> 6] >> (id & 63) & 1 ? internal_words_before(t, id) : NO_WORD;
}

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

/* Write the placements of an internal word as a bit set of placement_index(). */
static inline void list_placed(const LexiconTables *t, uint32_t internal, uint64_t *placed) {
    uint32_t letter_lists = LETTER_PLACEMENTS * (uint32_t)t->letter_count;
    const placement_number *from = t->list_placements + t->internal_words[internal].first - letter_lists;
    const placement_number *to = t->list_placements + t->internal_words[internal + 1].first - letter_lists;
    for (int limb = 0; limb < PLACED_LIMBS; limb++) { /* they ascend */
        uint64_t bits = 0;
        for (; from < to && *from >> 6 == limb; from++) bits |= 1ull << (*from & 63);
        placed[limb] = bits;
    }
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

/* Ask memory for what find_anagrams() will read. */
static inline void prefetch_anagrams(const LexiconTables *t, uint64_t key) {
    const AnagramSlot *slot = t->anagram_slots + home_of(key, t->anagram_homes);
    __builtin_prefetch(slot);
    __builtin_prefetch(slot + 3);
}

/* Return the words that a multiset spells, given the sum of its letter keys; NULL if there are none. */
static inline const AnagramSlot *find_anagrams(const LexiconTables *t, uint64_t key) {
    const AnagramSlot *slot = t->anagram_slots + home_of(key, t->anagram_homes);
    for (int smaller = 4; smaller == 4; slot += smaller) { /* four at a time without a branch, which would be a guess */
        smaller = 0;
        for (int i = 0; i < 4; i++) smaller += slot[i].key - 1 < key - 1; /* a free slot ends the search: 0 - 1 is large */
    }
    return slot->key == key ? slot : NULL;
}

/* Return the id of the word of n letters, given the sum of their letter keys too, or NO_WORD. */
static inline uint32_t find_keyed_word(const LexiconTables *t, const uint8_t *letters, int n, uint64_t key) {
    const AnagramSlot *slot = find_anagrams(t, key);
    if (!slot) return NO_WORD;
    for (uint32_t id = slot->first; id < slot->first + slot->count; id++)
        if (!memcmp(word_letters(t, id, n), letters, (size_t)n)) return id;
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

/* Return the scan mask of a multiset with these first two planes (plane k: the letters with more than k copies): a bit
 * for each letter, and a bit for a second copy of each of the most often doubled letters.  If the mask of a rack lacks a
 * bit of a word, it lacks a tile.  Where there are more letters than bits, rare letters share their bits. */
static inline uint32_t scan_mask(const LexiconTables *t, letter_mask once, letter_mask twice) {
    uint32_t mask = (uint32_t)once;
    if (t->letter_count > SCAN_BITS)
        for (mask = 0; once; once &= once - 1) mask |= 1u << t->scan_bits[__builtin_ctzll(once)];
    for (int j = 0; j < t->double_count; j++)
        mask |= (uint32_t)(twice >> t->double_letters[j] & 1) << (t->letter_count + j);
    return mask;
}

#endif
