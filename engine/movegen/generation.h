/* What one move generation works on: the rack, the intervals found, and the plays written.
 *
 * A Generation is made once per generator object and used again for every position; nothing is allocated
 * between, except when the list of plays outgrows its array. */
#ifndef KIBITZ_GENERATION_H
#define KIBITZ_GENERATION_H

#include "plays.h"

#define INTERVAL_CAPACITY (SIDE * SIDE * SIDE) /* 2 SIDE lines, at most SIDE * SIDE / 2 intervals each */
#define CANDIDATE_CAPACITY 4096 /* words found before they are validated, so that their records arrive meanwhile */
#define CHUNK 512               /* list entries scanned, or words validated, at once */
#define PROBE_BATCH 512         /* anagram probes under way at once, for the same reason: about so many, and up to */
#define PROBE_CAPACITY (PROBE_BATCH + RACK_SUBSETS + BLANK_SUBSETS * LETTER_CAPACITY)
#define RACK_SUBSETS 35         /* sub-multisets of one size of a rack, of 7 different tiles; */
#define BLANK_SUBSETS 20        /* of the 6 tiles beside a blank */
#define BLANK_PROBES 4          /* look-ups that a sub-multiset counts for which the blank completes */
#define MOST_SUBSET_BLANKS 1    /* blanks that the low level answers; more go to the high level */
#define MEMO_LENGTHS (RACK_CAPACITY + 2)        /* a memo word has at most one tile more than the rack */
#define NO_ENTRY 0xffffffffu
#define BOUND_SHIFT 11    /* a bucket of bounds is 2,048 millipoints wide, */
#define BOUND_BUCKETS 128 /* they are so many, */
#define LOWEST_BUCKETS 32 /* and so many of them lie below zero */
#define RANKED_BATCH 16   /* intervals answered together in the search for the best play */

typedef struct {
    uint32_t first, last; /* the candidates: entries first .. last - 1 of the lists */
    uint8_t line, start, length;
    uint8_t placed;           /* empty squares, hence tiles to play */
    uint8_t run, run_count;   /* its runs of tiles: numbers in Line.runs */
    uint8_t kind;             /* LISTED, LETTERED, OPEN or ONE_EMPTY */
    uint8_t unused;
} Interval;

typedef struct {
    uint32_t word;
    uint32_t next; /* entry of the same bucket, or NO_ENTRY */
} MemoEntry;

/* Who answers an interval. */
enum { LISTED, LETTERED, OPEN, ONE_EMPTY };

/* An interval that waits for its turn in the search for the best play. */
typedef struct {
    Interval interval;
    int32_t bound; /* equity that none of its plays exceeds, millipoints */
    int32_t next;  /* number of the next interval of the same bucket, or -1 */
} RankedInterval;

/* Words found for one interval: entries first .. first + count - 1 of Generation.candidates. */
typedef struct {
    const Interval *interval;
    uint32_t first, count;
} Segment;

/* A multiset that may have anagrams, and for the memo: the letter added to it. */
typedef struct {
    uint64_t key;
    const AnagramSlot *slot;
    uint8_t letter, length;
} Probe;

typedef struct {
    Interval *items;
    int32_t count;
} IntervalList;

typedef struct {
    const LexiconTables *tables;
    const LoadedBoard *board;
    uint32_t threshold; /* a list is answered by the low level if it has more words than this for each multiset
                           that the low level would look up, */
    uint32_t fixed_threshold; /* and this many besides */

    Hand hand;
    PlaySink sink;

    /* the rack, as the tables read it */
    letter_mask held; /* scan mask of the letters held */
    letter_mask at_least[COUNT_PLANES];
    uint64_t subset_keys[RACK_CAPACITY + 1][RACK_SUBSETS]; /* keys of its sub-multisets by size, each once, blanks
                           left out; */
    letter_mask subset_spent[RACK_CAPACITY + 1][RACK_SUBSETS]; /* the letters of which each has all there are */
    int32_t subset_count[RACK_CAPACITY + 1];

    /* intervals that wait for an answer */
    IntervalList listed;  /* with tiles: by the list of their rarest internal word */
    IntervalList lettered; /* with one tile, at most one blank held: by the memo of that letter */
    IntervalList open;    /* without tiles: by the words of the rack alone */

    /* words on their way to validation */
    uint32_t candidates[CANDIDATE_CAPACITY + 16]; /* and room for one more vector store */
    Segment segments[CANDIDATE_CAPACITY];
    int32_t candidates_waiting, segments_waiting;
    Probe probes[PROBE_CAPACITY];

    /* words of the rack alone, by length; of the rack and one letter, in buckets (letter, length, position) */
    uint32_t *rack_words[RACK_CAPACITY + 1];
    int32_t rack_word_count[RACK_CAPACITY + 1]; /* -1: not looked up yet */
    uint32_t memo_needed[LETTER_CAPACITY][MEMO_LENGTHS]; /* positions asked for */
    uint32_t memo_heads[LETTER_CAPACITY][MEMO_LENGTHS][MEMO_LENGTHS];
    letter_mask memo_letters; /* letters whose buckets are needed */
    MemoEntry *memo;
    uint32_t memo_count, memo_capacity;

    /* the search for the best play alone */
    int32_t best_only;   /* plays are not listed: `best` takes the best of them */
    int32_t found;       /* `best` holds a play */
    Play best;           /* until one is found its equity is the least there is */
    int32_t values[LETTER_CAPACITY];     /* points of the letters held, dearest first */
    letter_mask valued[LETTER_CAPACITY]; /* the letter of each */
    int32_t value_count;
    int32_t tile_reach[RACK_CAPACITY + 1];  /* points of the k dearest tiles */
    int32_t leave_reach[RACK_CAPACITY + 1]; /* by tiles played: value of the best leave, millipoints */
    int32_t across_reach[SIDE + 1];         /* of the line at hand: what tiles add at most to the words across
                                               before each square, summed; points */
    RankedInterval *ranked;
    int32_t ranked_count;
    int32_t bound_heads[BOUND_BUCKETS]; /* first interval of each bucket, or -1 */

    uint64_t interval_count, candidate_count, scanned_count; /* Hand-Interval problems; words validated; list entries read */
} Generation;

typedef struct {
    const char *name;
    void (*resolve_lists)(Generation *g);
    void (*play_listed)(Generation *g);
    void (*play_lettered)(Generation *g);
    void (*play_open)(Generation *g);
    void (*play_one_tile)(Generation *g, int line, int start, int length);
    void (*play_ranked)(Generation *g);
} IntervalKernels;

static int reserve_memo(Generation *g, uint32_t more) {
    uint32_t capacity = g->memo_capacity;
    MemoEntry *grown;
    if (g->memo_count + more <= capacity) return 1;
    while (capacity < g->memo_count + more) capacity *= 2;
    if (!(grown = realloc(g->memo, (size_t)capacity * sizeof(MemoEntry)))) {
        g->sink.overflow = 1;
        return 0;
    }
    g->memo = grown;
    g->memo_capacity = capacity;
    return 1;
}

static inline const AnagramSlot *find_anagrams(const LexiconTables *t, uint64_t key) {
    uint64_t slot_mask = (1ull << t->anagram_bits) - 1, slot = key >> (64 - t->anagram_bits);
    for (; t->anagram_slots[slot].key; slot = (slot + 1) & slot_mask)
        if (t->anagram_slots[slot].key == key) return &t->anagram_slots[slot];
    return NULL;
}

/* The letters that a multiset may be given to become one that has anagrams. */
static inline letter_mask completing_letters(const LexiconTables *t, uint64_t key) {
    uint64_t slot_mask = (1ull << t->node_bits) - 1, slot = key >> (64 - t->node_bits);
    for (; t->nodes[slot].letters; slot = (slot + 1) & slot_mask)
        if (t->nodes[slot].tag == (letter_mask)key) return t->nodes[slot].letters;
    return 0;
}

static inline int may_be_completed(const LexiconTables *t, uint64_t key) {
    uint64_t bit = key >> (64 - t->node_filter_bits);
    return t->node_filter[bit >> 5] >> (bit & 31) & 1;
}

static inline int may_have_anagrams(const LexiconTables *t, uint64_t key) {
    uint64_t bit = key >> (64 - t->filter_bits);
    return t->anagram_filter[bit >> 5] >> (bit & 31) & 1;
}

#endif
