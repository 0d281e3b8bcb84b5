/* The scratch memory of one move generation: the rack, the intervals found, the candidates, and the plays written.
 *
 * A generator object owns one Generation and uses it for every position; nothing is allocated between, except when the
 * list of plays or the memo outgrows its array. */
#ifndef KIBITZ_GENERATION_H
#define KIBITZ_GENERATION_H

#include "plays.h"

#define INTERVAL_CAPACITY (SIDE * SIDE * SIDE) /* 2 SIDE lines, at most SIDE * SIDE / 2 intervals each */
#define CHUNK 512                  /* list entries scanned, or words validated, in one pass */
#define CANDIDATE_CAPACITY 4096    /* candidates that wait for validation, so that memory fetches their records */
#define VECTOR_ROOM 16             /* entries that a vector store may write beyond the last one */
#define RACK_SUBSETS 35            /* most sub-multisets of one size of a rack: 3 of 7 different letters */
#define SUBSET_LANES 48            /* the same, rounded up to what vectors read */
#define NO_TILE LETTER_CAPACITY    /* stands in a table by letter for an interval without tiles */
#define BLANK_SUBSETS 20           /* the same beside one blank: 3 of 6 different letters */
#define PROBE_BATCH 512            /* anagram look-ups that wait together; one call adds up to the rest of: */
#define PROBE_CAPACITY (PROBE_BATCH + RACK_SUBSETS + BLANK_SUBSETS * LETTER_CAPACITY)
#define BLANK_PROBES 4             /* the threshold counts a sub-multiset that a blank completes as so many look-ups */
#define MAX_SUBSET_BLANKS 1        /* blanks with which the low level is used; with more, the high level answers */
#define MEMO_LENGTHS (RACK_CAPACITY + 2) /* word lengths 0 .. RACK_CAPACITY + 1: one tile more than the rack */
#define CACHE_LINE 64              /* bytes that memory delivers at once */
#define LINES_AHEAD 2              /* lines of the board that memory fetches beyond the one being read */
#define NO_ENTRY 0xffffffffu
#define BOUND_SHIFT 11             /* a bucket of bounds is 1 << BOUND_SHIFT millipoints wide, about two points */
#define BOUND_BUCKETS 128          /* buckets of bounds */
#define NEGATIVE_BOUND_BUCKETS 32  /* how many of them are for bounds below zero */
#define PLAYS_WITHOUT_BLANK 1      /* most plays of one word in an interval, by the blanks in the rack: */
#define PLAYS_WITH_ONE_BLANK 8     /* none or one of 7 squares takes the blank; */
#define PLAYS_WITH_TWO_BLANKS 29   /* none, one or two of 7; */
#define PLAYS_WITH_BLANKS (1 << RACK_CAPACITY) /* any of 7 */
#define RANKED_BATCH 16            /* intervals answered together in the search for the best play */

/* What lies in an interval, and so who answers it. */
enum {
    HOLDS_TILES,      /* two tiles or more, or one with two blanks in the rack: high level or low level */
    HOLDS_ONE_TILE,   /* the memo of its letter */
    HOLDS_NO_TILE,    /* the words of the rack alone */
    ONE_EMPTY_SQUARE, /* the cross-check sets of both directions */
};

typedef struct {
    uint32_t list_begin, list_end; /* HOLDS_TILES: the list of its rarest internal word, entries begin .. end - 1; if that
                                      is not stored, the words of its length, ids begin .. end - 1 */
    uint8_t line;                  /* row, or side + column */
    uint8_t start, length;         /* its first square in the line; its squares */
    uint8_t empty_count;           /* its empty squares, which a play fills with as many tiles */
    uint8_t first_run, run_count;  /* its runs of tiles: indices into Line.runs */
    uint8_t kind;                  /* HOLDS_TILES, ... */
    uint8_t listed;                /* HOLDS_TILES: whether that list is stored */
} Interval;

typedef struct {
    Interval *items; /* [INTERVAL_CAPACITY] */
    int32_t count;
} IntervalList;

/* An interval that waits for its turn in the search for the best play. */
typedef struct {
    Interval interval;
    int64_t bound;       /* equity that none of its plays exceeds, millipoints */
    int32_t word_factor; /* product of the word factors of its empty squares */
    int32_t next;        /* index of the next interval of the same bucket, or -1 */
} RankedInterval;

/* Candidates found for one interval: entries first .. first + count - 1 of Generation.candidates. */
typedef struct {
    const Interval *interval;
    uint32_t first, count;
} Segment;

/* A multiset of letters that is looked up among the anagrams. */
typedef struct {
    uint64_t key;            /* sum of its letter keys */
    const AnagramSlot *slot; /* its words, once found */
    uint8_t owner;           /* for the memo: the letter on the board; for the best play: the interval in its batch */
    uint8_t length;          /* for the memo: the length of the words */
} Probe;

/* A word of a memo bucket; the buckets are linked lists. */
typedef struct {
    uint32_t word;
    uint32_t next; /* index of the next entry of the same bucket, or NO_ENTRY */
} MemoEntry;

typedef struct {
    const LexiconTables *tables;
    const LoadedBoard *board;
    /* The low level answers an interval if its list has more than fixed_threshold + threshold x (look-ups of the low
     * level) words. */
    uint32_t threshold, fixed_threshold;

    Hand hand;     /* the rack */
    PlaySink sink; /* the plays */

    /* The rack in the form of the tables. */
    letter_mask rack_scan_mask;         /* its letters, and bits for second copies (scan_mask) */
    letter_mask at_least[COUNT_PLANES]; /* plane k: the letters of which it has more than k copies */
    /* Its sub-multisets without blanks, by size, each once: */
    uint64_t subset_keys[RACK_CAPACITY + 1][RACK_SUBSETS];         /* sums of their letter keys */
    letter_mask subset_exhausted[RACK_CAPACITY + 1][RACK_SUBSETS]; /* letters that the rack has no further copy of */
    int32_t subset_points[RACK_CAPACITY + 1][RACK_SUBSETS];        /* points of their tiles */
    uint8_t subset_numbers[RACK_CAPACITY + 1][RACK_SUBSETS];       /* their numbers, as Hand would number them if the
                                                                      rack had no blanks */
    int32_t subset_count[RACK_CAPACITY + 1];                       /* sub-multisets of each size */

    /* Intervals that wait for an answer, by what they hold. */
    IntervalList with_tiles, with_one_tile, without_tiles;

    /* Candidates that wait for validation, and the look-ups that find some of them. */
    uint32_t candidates[CANDIDATE_CAPACITY + VECTOR_ROOM]; /* word ids */
    Segment segments[CANDIDATE_CAPACITY];
    int32_t candidates_waiting, segments_waiting;
    Probe probes[PROBE_CAPACITY];

    /* Words of the rack alone, by length. */
    uint32_t *rack_words[RACK_CAPACITY + 1];
    int32_t rack_word_count[RACK_CAPACITY + 1]; /* -1: not looked up yet */

    /* The memo: words of a letter on the board and tiles of the rack, in buckets by letter, length and position. */
    letter_mask memo_letters; /* letters that have buckets */
    uint32_t memo_needed[LETTER_CAPACITY][MEMO_LENGTHS]; /* by letter and length: bit set of the positions to be filled */
    uint32_t memo_heads[LETTER_CAPACITY][MEMO_LENGTHS][MEMO_LENGTHS]; /* first entry of each bucket, or NO_ENTRY */
    MemoEntry *memo;
    uint32_t memo_count, memo_capacity;

    /* The search for the best play alone. */
    int32_t best_only; /* plays are not listed: `best` receives the best of them */
    int32_t has_best;  /* `best` holds a play; else its equity is INT32_MIN */
    Play best;
    int32_t distinct_letters;                        /* different letters in the rack */
    int32_t points_descending[LETTER_CAPACITY];      /* their points, highest first */
    letter_mask letters_descending[LETTER_CAPACITY]; /* the letter of each, as a set of one */
    int32_t max_tile_points[RACK_CAPACITY + 1];      /* by k: points of the k tiles with the most points */
    int32_t max_leave_value[RACK_CAPACITY + 1];      /* by tiles played: value of the best leave, millipoints */
    /* How much less than those two a sub-multiset of the letters has when it is played: [0] alone, where a blank may take
     * the place of one of its letters, [1] with one blank besides.  Leaves in millipoints. */
    int32_t subset_leave_loss[2][RACK_CAPACITY + 1][SUBSET_LANES];
    int32_t subset_points_loss[2][RACK_CAPACITY + 1][SUBSET_LANES];
    /* The sub-multisets, as bits, that may make words with a letter of the board, or alone (NO_TILE): [0] without a blank,
     * [1] with one, by that letter and size.  subset_words_known has a bit for each size that has been looked up. */
    uint64_t subset_words[2][LETTER_CAPACITY + 1][RACK_CAPACITY + 1];
    uint8_t subset_words_known[2][LETTER_CAPACITY + 1];
    int32_t max_cross_points_before[SIDE + 1];       /* of the present line: most points that new tiles add to the
                                                        words across before each square, summed */
    RankedInterval *ranked; /* [INTERVAL_CAPACITY] */
    int32_t ranked_count;
    int32_t bound_heads[BOUND_BUCKETS]; /* first interval of each bucket, or -1 */

    /* Statistics of the generation. */
    uint64_t interval_count;  /* intervals found: Hand-Interval problems */
    uint64_t candidate_count; /* candidates validated */
    uint64_t scanned_count;   /* list entries read */
} Generation;

/* The functions of interval_kernel.inc.h for one vector path. */
typedef struct {
    const char *name;
    void (*find_lists)(Generation *g);
    void (*play_with_tiles)(Generation *g);
    void (*play_with_one_tile)(Generation *g);
    void (*play_without_tiles)(Generation *g);
    void (*play_one_empty_square)(Generation *g, int line, int start, int length);
    void (*play_ranked)(Generation *g);
} IntervalKernels;

/* Make room for more entries of the memo; return 0 if memory is out. */
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

/* Ask memory for the line of a board that is read LINES_AHEAD lines after this one. */
static inline void prefetch_ahead(const LoadedBoard *board, int line) {
    const char *at = (const char *)&board->lines[line] + LINES_AHEAD * sizeof(Line);
    if (line + LINES_AHEAD >= 2 * board->side) return;
    for (size_t i = 0; i < sizeof(Line); i += CACHE_LINE) __builtin_prefetch(at + i);
}

/* Return the letters of which one more makes a multiset the letters of some word of up to GRAPH_LETTERS. */
static inline letter_mask completing_letters(const LexiconTables *t, uint64_t key) {
    uint64_t slot_mask = (1ull << t->node_bits) - 1, slot = key >> (64 - t->node_bits);
    for (; t->nodes[slot].letters; slot = (slot + 1) & slot_mask)
        if (t->nodes[slot].tag == (letter_mask)key) return t->nodes[slot].letters;
    return 0;
}

/* Ask a bit set before completing_letters(): false is certain, true is not. */
static inline int may_be_completed(const LexiconTables *t, uint64_t key) {
    uint64_t bit = key >> (64 - t->node_filter_bits);
    return t->node_filter[bit >> 5] >> (bit & 31) & 1;
}

#endif
