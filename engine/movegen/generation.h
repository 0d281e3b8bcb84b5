/* What one move generation works on: the rack, the intervals found, and the plays written.
 *
 * A Generation is made once per generator object and used again for every position; nothing is allocated
 * between, except when the list of plays outgrows its array. */
#ifndef KIBITZ_GENERATION_H
#define KIBITZ_GENERATION_H

#include <stdlib.h>
#include "loaded_board.h"

#define ONE_TILE 0x80000000u /* Play.word of a one-tile play: this bit and the letter index */
#define INTERVAL_CAPACITY (SIDE * SIDE * SIDE) /* 2 SIDE lines, at most SIDE * SIDE / 2 intervals each */
#define CANDIDATE_CAPACITY 512                  /* words taken from a list before they are validated */
#define MEMO_LENGTHS (RACK_CAPACITY + 2)        /* a memo word has at most one tile more than the rack */
#define NO_ENTRY 0xffffffffu

typedef struct {
    uint32_t word;   /* word id, or ONE_TILE | letter index */
    int32_t score;   /* points */
    int32_t equity;  /* millipoints: 1000 * score + value of the leave */
    uint32_t blanks; /* bit i: square i of the word takes a blank */
    uint8_t line;    /* row, or side + column */
    uint8_t start;   /* first square of the word in its line */
    uint8_t length;  /* letters of the word */
    uint8_t placed;  /* tiles played */
    uint8_t leave;   /* number of the leave in `leave_values`; 0 if none were given */
    uint8_t unused[3];
} Play;

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

typedef struct {
    Interval *items;
    int32_t count;
} IntervalList;

typedef struct {
    const LexiconTables *tables;
    const LoadedBoard *board;
    int32_t bingo_bonus, bingo_tiles; /* points; tiles that earn them */
    uint32_t threshold;               /* lists longer than this are answered by the low level */

    /* the rack */
    uint8_t counts[LETTER_CAPACITY]; /* tiles of each letter */
    int32_t tiles, blanks;           /* all tiles; blanks among them */
    letter_mask letters;             /* letters held */
    letter_mask held;                /* scan mask of the letters held */
    letter_mask playable;            /* letters that some tile can show: `letters`, or all with a blank */
    letter_mask at_least[COUNT_PLANES];
    uint64_t subset_keys[RACK_CAPACITY + 1][SUBSET_CAPACITY / 2]; /* keys of its sub-multisets (blanks left out) by size */
    int32_t subset_count[RACK_CAPACITY + 1];

    /* leaves: number = mixed radix, one digit per distinct tile by tile code, the lowest code first */
    const int32_t *leave_values;              /* millipoints by leave, or NULL */
    uint8_t leave_weights[LETTER_CAPACITY];   /* place value of each letter held */
    uint8_t blank_weight;
    uint8_t full_leave;                       /* number of the whole rack */
    uint8_t values[LETTER_CAPACITY];          /* points of each letter, as bytes */

    /* intervals that wait for an answer */
    IntervalList listed;  /* with tiles: by the list of their rarest internal word */
    IntervalList lettered; /* with one tile, no blank held: by the memo of that letter */
    IntervalList open;    /* without tiles: by the words of the rack alone */

    /* words of the rack alone, by length; of the rack and one letter, in buckets (letter, length, position) */
    uint32_t *rack_words[RACK_CAPACITY + 1];
    int32_t rack_word_count[RACK_CAPACITY + 1]; /* -1: not looked up yet */
    uint32_t memo_needed[LETTER_CAPACITY][MEMO_LENGTHS]; /* positions asked for */
    uint32_t memo_heads[LETTER_CAPACITY][MEMO_LENGTHS][MEMO_LENGTHS];
    letter_mask memo_letters; /* letters whose buckets are needed */
    MemoEntry *memo;
    uint32_t memo_count, memo_capacity;

    /* the plays */
    Play *plays;
    uint64_t play_count, play_capacity, play_limit;
    int32_t overflow; /* the limit or the memory was reached: the list is not complete */

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

/* Make room for more plays; 0 if the limit is reached or memory is out. */
static int reserve_plays(Generation *g, uint64_t more) {
    uint64_t capacity = g->play_capacity;
    Play *grown;
    if (g->play_count + more <= capacity) return 1;
    while (capacity < g->play_count + more) capacity *= 2;
    if (g->play_count > g->play_limit || !(grown = realloc(g->plays, capacity * sizeof(Play)))) {
        g->overflow = 1;
        return 0;
    }
    g->plays = grown;
    g->play_capacity = capacity;
    return 1;
}

static int reserve_memo(Generation *g, uint32_t more) {
    uint32_t capacity = g->memo_capacity;
    MemoEntry *grown;
    if (g->memo_count + more <= capacity) return 1;
    while (capacity < g->memo_count + more) capacity *= 2;
    if (!(grown = realloc(g->memo, (size_t)capacity * sizeof(MemoEntry)))) {
        g->overflow = 1;
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
