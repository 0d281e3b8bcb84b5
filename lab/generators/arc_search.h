/* The state of a search that walks an automaton, for both generators that do: the line, the tiles left, the plays.
 *
 * During a search Play.word is the number of the accepted string among all strings of the automaton; name_words()
 * replaces the numbers by word ids at the end, when memory can fetch many of them at once. */
#ifndef KIBITZ_ARC_SEARCH_H
#define KIBITZ_ARC_SEARCH_H

#include "automaton.h"
#include "plays.h"

/* Four sums over the tiles placed so far, in one number: value x along_factor, value x across_factor, leave weight, and
 * 1 a tile.  (Largest: 7 x 99 x 4 and 7 x 99 x 16 points, 127, 7.) */
#define ACROSS_SHIFT 16
#define SPENT_SHIFT 32
#define PLACED_SHIFT 40
#define ONE_PLACED (1ull << PLACED_SHIFT)

typedef struct {
    const Automaton *automaton;
    const LoadedBoard *board;
    Hand hand;                           /* the rack */
    PlaySink sink;                       /* the plays */
    uint64_t tile_sums[LETTER_CAPACITY]; /* what a tile of a letter adds to the sums, its points excepted */
    uint8_t counts[LETTER_CAPACITY];     /* tiles left of each letter */
    uint64_t arc_count;                  /* arcs followed */
    uint64_t anchor_count;               /* anchors searched from */

    /* the line that is searched */
    const Line *line;
    uint32_t occupied;           /* its squares with a tile; bit `side` is clear */
    int32_t line_number;
    uint32_t factors[SIDE];      /* along_factor | across_factor << ACROSS_SHIFT */

    /* the word that is being built */
    uint8_t path[SIDE];          /* letters placed, by square */
    int32_t anchor;              /* the square searched from */
    int32_t start, end;          /* its first square; the last square of its part to the left */
    int32_t left_limit;          /* the first square that a word may begin at */
    int32_t right_limit;         /* the first square that it may not cover */
    uint64_t last_tile;          /* number of tiles placed when only one is left to place */
    int32_t missing_count;       /* letters that the rack lacks, each to be shown by a blank */
    uint8_t missing[RACK_CAPACITY]; /* these letters */
    uint8_t left_part[RACK_CAPACITY]; /* letters before the anchor, BLANK_BIT for a blank, until their squares are known */
} ArcSearch;

typedef struct {
    const char *name;
    void (*search)(ArcSearch *g); /* write every play of g->hand on g->board */
} SearchKernels;

/* Begin the search of the rack in g->hand. */
static void start_search(ArcSearch *g) {
    g->sink.count = 0;
    g->sink.overflow = 0;
    g->arc_count = g->anchor_count = 0;
    g->missing_count = 0;
    g->last_tile = (uint64_t)(g->hand.tiles - 1);
    memcpy(g->counts, g->hand.counts, sizeof(g->counts));
    for (int letter = 0; letter < g->board->letter_count; letter++)
        g->tile_sums[letter] = ONE_PLACED + ((uint64_t)g->hand.leave_weights[letter] << SPENT_SHIFT);
}

/* Begin the search of a line. */
static void take_line(ArcSearch *g, int line_number) {
    const Line *line = &g->board->lines[line_number];
    g->line = line;
    g->line_number = line_number;
    g->occupied = line->occupied;
    for (int i = 0; i < g->board->side; i++)
        g->factors[i] = (uint32_t)line->along_factor[i] | (uint32_t)line->across_factor[i] << ACROSS_SHIFT;
}

/* Return the squares first .. last as bits. */
static inline uint32_t square_range(int first, int last) { return (uint32_t)((2ull << last) - (1ull << first)); }

/* Whether a play of one tile is listed in this line; down it is listed only if it makes no word across. */
static inline int lists_one_tile(const ArcSearch *g, int square) {
    return g->line_number < g->board->side || !(g->line->crossed >> square & 1);
}

/* Make room for one play; return 0 if there is none. */
static inline int has_room(PlaySink *sink) { return sink->count < sink->capacity || reserve_plays(sink, 1); }

/* Replace the numbers of accepted strings by word ids. */
static void name_words(ArcSearch *g) {
    const uint32_t *words = g->automaton->words;
    Play *play = g->sink.plays, *end = play + g->sink.count;
    for (; play < end; play++)
        if (!(play->word & ONE_TILE)) play->word = words[play->word];
}

/* Search every line that a play may lie in. */
static inline __attribute__((always_inline)) void search_lines(ArcSearch *g, void (*search_line)(ArcSearch *g)) {
    start_search(g);
    if (!g->hand.tiles) return;
    for (int line = 0; line < 2 * g->board->side && !g->sink.overflow; line++)
        if (g->board->lines[line].halo) {
            take_line(g, line);
            search_line(g);
        }
    name_words(g);
}

#if defined(__x86_64__)
#define BIT_INSTRUCTIONS "popcnt,bmi,bmi2,lzcnt"
static int has_bit_instructions(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2");
}
#endif

#endif
