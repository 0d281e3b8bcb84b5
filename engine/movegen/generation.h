/* The scratch memory of one move generation: the rack, the intervals found, the candidates, and the plays written.
 *
 * A generator object owns one Generation and uses it for every position; nothing is allocated between, except when the
 * list of plays or the memo outgrows its array. */
#ifndef KIBITZ_GENERATION_H
#define KIBITZ_GENERATION_H

#include "plays.h"

#define INTERVAL_CAPACITY (SIDE * SIDE * SIDE) /* 2 SIDE lines, at most SIDE * SIDE / 2 intervals each */
#define CHUNK 512                  /* list entries scanned, or words validated, in one pass */
#define CANDIDATE_CAPACITY 4096    /* candidates that wait for validation, so that memory fetches their letters */
#define VECTOR_ROOM 16             /* entries that a vector store may write beyond the last one */
#define RACK_SUBSETS 35            /* most sub-multisets of one size of a rack: 3 of 7 different letters */
#define SUBSET_LANES 48            /* the same, rounded up to what vectors read */
#define SHARE_BITS 4               /* bits of the share of a letter in Generation.rack_shares */
#define SHARE_BORROWS 0x88888888u  /* the highest bit of each share */
#define NO_TILE LETTER_CAPACITY    /* stands in a table by letter for an interval without tiles */
#define BLANK_SUBSETS 20           /* the same beside one blank: 3 of 6 different letters */
#define PROBE_BATCH 512            /* anagram look-ups that wait together; one call adds up to the rest of: */
#define PROBE_CAPACITY (PROBE_BATCH + RACK_SUBSETS + BLANK_SUBSETS * LETTER_CAPACITY)
#define BLANK_PROBES 4             /* look-ups that the threshold counts for a sub-multiset that a blank completes */
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
#define RANKED_BATCH 8             /* intervals answered together in the search for the best play */

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
    uint8_t length;          /* its letters */
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
    letter_mask rack_once, rack_twice;     /* its letters; those of which it has two or more */
    uint32_t rack_scan_mask;               /* the same as a scan mask */
    /* Its copies of each letter in SHARE_BITS bits of a number, its share.  The letters that it lacks have the last share
     * together, which is 0.  letter_shares: what one tile of a letter takes from the number. */
    uint32_t rack_shares, letter_shares[LETTER_CAPACITY];
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

/* Set what depends on the letters of the rack (`hand`) alone: its sets of letters, its scan mask and its shares. */
static void count_rack(Generation *g) {
    int shift = 0;
    g->rack_once = g->rack_twice = 0;
    g->rack_shares = 0;
    for (int letter = 0; letter < g->tables->letter_count; letter++) {
        uint32_t copies = g->hand.counts[letter];
        g->letter_shares[letter] = 1u << (copies ? shift : SHARE_BITS * RACK_CAPACITY);
        if (!copies) continue;
        g->rack_shares |= copies << shift;
        shift += SHARE_BITS;
        g->rack_once |= (letter_mask)1 << letter;
        if (copies > 1) g->rack_twice |= (letter_mask)1 << letter;
    }
    g->rack_scan_mask = scan_mask(g->tables, g->rack_once, g->rack_twice);
}

/* Return the scan mask of the letters of the rack and of the tiles in an interval. */
static inline uint32_t available_mask(const Generation *g, const Line *line, int start, int length) {
    letter_mask once = g->rack_once, twice = g->rack_twice;
    for (int i = start; i < start + length; i++)
        if (line->tiles[i] != NO_LETTER) {
            letter_mask letter = (letter_mask)1 << line->tiles[i];
            twice |= once & letter;
            once |= letter;
        }
    return scan_mask(g->tables, once, twice);
}

/* Return the shares (the highest bit of each) from which a word takes more tiles on some of its squares (bits) than the
 * rack has.  Blanks are left out. */
static inline uint32_t short_shares(const Generation *g, const uint8_t *word, uint32_t squares) {
    uint32_t taken = 0;
    for (; squares; squares &= squares - 1) taken += g->letter_shares[word[__builtin_ctz(squares)]];
    return ~((g->rack_shares | SHARE_BORROWS) - taken) & SHARE_BORROWS;
}

/* List the letters of a word on some of its squares, RACK_CAPACITY or fewer, that the rack lacks, one entry a tile;
 * return their number.  `missing` must have room for one more. */
static inline int find_missing(const Generation *g, const uint8_t *word, uint32_t squares, uint8_t *missing) {
    uint32_t left = g->rack_shares;
    int n = 0;
    for (; squares; squares &= squares - 1) { /* no branch, since the outcome cannot be predicted */
        uint8_t letter = word[__builtin_ctz(squares)];
        uint32_t share = g->letter_shares[letter];
        int has = (left & share * ((1 << SHARE_BITS) - 1)) != 0;
        left -= share & -(uint32_t)has;
        missing[n] = letter;
        n += !has;
    }
    return n;
}

/* Return the letters of which one more makes a multiset the letters of some word of up to GRAPH_LETTERS. */
static inline letter_mask completing_letters(const LexiconTables *t, uint64_t key) {
    const MultisetNode *node = t->nodes + home_of(key, t->node_homes);
    while (node->letters && node->tag < key >> 32) node++;
    return node->tag == key >> 32 ? node->letters : 0;
}

/* Ask a bit set before completing_letters(): false is certain, true is not. */
static inline int may_be_completed(const LexiconTables *t, uint64_t key) {
    uint64_t bit = key >> (64 - t->node_filter_bits);
    return t->node_filter[bit >> 5] >> (bit & 31) & 1;
}

#endif
