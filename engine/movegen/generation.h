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
#define PROBE_CAPACITY 512      /* anagram probes under way at once, for the same reason */
#define MOST_SUBSET_BLANKS 1                    /* blanks that the low level answers; more go to the high level */
#define MEMO_LENGTHS (RACK_CAPACITY + 2)        /* a memo word has at most one tile more than the rack */
#define NO_ENTRY 0xffffffffu

typedef struct {
    uint32_t first, last; /* the candidates: entries first .. last - 1 of the lists */
    uint8_t line, start, length;
    uint8_t placed;           /* empty squares, hence tiles to play */
    uint8_t run, run_count;   /* its runs of tiles: numbers in Line.runs */
    uint8_t unused[2];
} Interval;

typedef struct {
    uint32_t word;
    uint32_t next; /* entry of the same bucket, or NO_ENTRY */
} MemoEntry;

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
                           that the low level would look up */

    Hand hand;
    PlaySink sink;

    /* the rack, as the tables read it */
    letter_mask held; /* scan mask of the letters held */
    letter_mask at_least[COUNT_PLANES];
    uint64_t subset_keys[RACK_CAPACITY + 1][SUBSET_CAPACITY]; /* keys of its sub-multisets by size, each once; one
                           blank stands for every letter, two or more are left out (see load_rack) */
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

    uint64_t interval_count, candidate_count, scanned_count; /* Hand-Interval problems; words validated; list entries read */
} Generation;

typedef struct {
    const char *name;
    void (*resolve_lists)(Generation *g);
    void (*play_listed)(Generation *g);
    void (*play_lettered)(Generation *g);
    void (*play_open)(Generation *g);
    void (*play_one_tile)(Generation *g, int line, int start, int length);
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

static inline int may_have_anagrams(const LexiconTables *t, uint64_t key) {
    uint64_t bit = key >> (64 - t->filter_bits);
    return t->anagram_filter[bit >> 5] >> (bit & 31) & 1;
}

#endif
