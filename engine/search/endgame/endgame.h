/* The data of the endgame search: candidates (plays prepared for fast tests), nodes, and the transposition table.
 *
 * The search allocates nothing, except when the stack of candidates outgrows its memory. */
#ifndef KIBITZ_ENDGAME_H
#define KIBITZ_ENDGAME_H

#include "plays.h"

#define SIDES 2
#define SQUARE_LIMBS ((SIDE * SIDE + 63) / 64)
#define MAX_PLY 120           /* plies of the longest path: only chains of plays without points get there */
#define MAX_PLAYS 14         /* plays on a path: each places a tile, and the racks hold no more */
#define INFINITE 1000000000   /* larger than every value */
#define COMPLETE 255          /* TableEntry.depth of a proven value: no horizon was reached */
#define NO_MARK 0u            /* TableEntry.mark if no move is known */
#define PASS_MARK 1u          /* the mark of a pass */
#define PASS 0xffffffffu      /* stands for a pass where plays have the number of their candidate */
#define FIRST_CANDIDATES 16384 /* candidates allocated at first */
#define HISTORY 4096          /* counters of moves that caused cuts, by low bits of the mark */
#define BUCKET 2              /* table entries in which a position may be */

enum { EXACT = 1, LOWER_BOUND = 2, UPPER_BOUND = 3 }; /* whether a value is exact or a bound */

/* A set of squares. */
typedef struct {
    uint64_t limbs[SQUARE_LIMBS]; /* bit row * side + column, 64 bits a limb */
} SquareSet;

/* A play of one side, prepared to test whether it is still possible after other plays. */
typedef struct {
    SquareSet sensitive; /* squares that it fills, and the empty squares at the ends of its word and of the words across.
                            While all of them are empty, the play is legal and has the same score */
    uint64_t key;        /* Zobrist key of the tiles placed */
    uint32_t need;       /* tiles it takes from the rack, packed like Node.racks */
    uint32_t mark;       /* hash of the play, above PASS_MARK */
    int32_t score;       /* points */
    int32_t tile_points; /* points of the tiles it takes from the rack */
    uint32_t word;       /* as in Play */
    uint32_t blanks;     /* as in Play */
    uint16_t cells[RACK_CAPACITY]; /* squares it fills: row * side + column */
    uint8_t codes[RACK_CAPACITY];  /* tile codes placed there, 0x80 = blank */
    uint8_t placed;      /* tiles played */
    uint8_t line, start, length; /* as in Play */
} Candidate;

/* A position on the path, and the move being searched in it. */
typedef struct {
    SquareSet laid;       /* squares that the move fills */
    uint32_t changed[2 * SIDE]; /* by line: bit set of squares that the move fills, or whose cross-check set it
                             changes; valid while the move is on the board */
    uint64_t key;         /* Zobrist key of the tiles placed since the root */
    uint32_t racks[SIDES];    /* by side: number of each distinct tile, four bits each, the highest of them 0 */
    int32_t values[SIDES];    /* by side: points of the rack */
    uint32_t first, count; /* the plays of the side on turn in `listed`: first index, number */
    uint32_t arena;       /* length of the stack of candidates before this node */
    uint32_t saved;       /* length of the stack of saved lines before the move */
    uint32_t move;        /* number of a candidate, or PASS */
    uint8_t tiles[SIDES];     /* by side: tiles on the rack */
    uint8_t side;         /* on turn; side 0 is on turn at the root */
    uint8_t passes;       /* passes in a row before this node */
    uint8_t zero_turns;        /* turns without points in a row before it */
    uint8_t unused[3];    /* padding */
} Node;

/* An entry of the transposition table. */
typedef struct {
    uint64_t key;   /* of the position: board, racks, side on turn, passes, zero turns */
    int32_t value;  /* change of the spread to the end of the game, for the side on turn */
    uint16_t mark;  /* low bits of the mark of the best move, or NO_MARK */
    uint8_t depth;  /* plies searched, or COMPLETE */
    uint8_t kind;   /* low two bits: EXACT, LOWER_BOUND or UPPER_BOUND, 0 if free; above: number of the solve */
} TableEntry;

/* Mix the bits of a number (the finalizer of splitmix64). */
static inline uint64_t mixed(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/* Add a square to a set. */
static inline void add_square(SquareSet *set, int cell) { set->limbs[cell >> 6] |= 1ull << (cell & 63); }

/* Add the squares of set b to set a. */
static inline void unite(SquareSet *a, const SquareSet *b) {
    for (int i = 0; i < SQUARE_LIMBS; i++) a->limbs[i] |= b->limbs[i];
}

/* Return whether two sets have a square in common. */
static inline int meet(const SquareSet *a, const SquareSet *b) {
    uint64_t both = 0;
    for (int i = 0; i < SQUARE_LIMBS; i++) both |= a->limbs[i] & b->limbs[i];
    return both != 0;
}

#define GUARDS 0x88888888u /* the highest bit of each four bits of a packed rack */

/* Return whether a packed rack holds the tiles of another one. */
static inline int holds(uint32_t rack, uint32_t need) { return (((rack | GUARDS) - need) & GUARDS) == GUARDS; }

/* Return the square (row * side + column) of place i on a line. */
static inline int cell_of(const LoadedBoard *b, int line, int i) {
    return line < b->side ? line * b->side + i : i * b->side + line - b->side;
}

/* Return the bit set of the empty squares before and after the run of square i, which counts as filled. */
static inline uint32_t run_ends(uint32_t occupied, int i, int side) {
    uint32_t empty = ~occupied & ~(1u << i) & ((1u << side) - 1);
    uint32_t before = empty & ((1u << i) - 1), after = empty >> i << i;
    return (before ? 1u << (31 - __builtin_clz(before)) : 0) | (after & -after);
}

/* Fill a candidate from a play; `places`: by code, the place of a tile in the packed rack of its side. */
static void make_candidate(Candidate *c, const LoadedBoard *b, const LexiconTables *t, const Play *play, const uint8_t *places) {
    const Line *line = &b->lines[play->line];
    const uint8_t *letters = play->word & ONE_TILE ? NULL : word_letters(t, play->word, play->length);
    int side = b->side, last = play->start + play->length - 1;
    uint64_t mark = (uint64_t)play->line << 40 | (uint64_t)play->start << 32 | play->word;
    memset(c, 0, sizeof(*c));
    c->score = play->score;
    c->word = play->word;
    c->blanks = play->blanks;
    c->line = play->line;
    c->start = play->start;
    c->length = play->length;
    c->mark = (uint32_t)(mixed(mark ^ (uint64_t)play->blanks << 48) & 0xffff);
    if (c->mark <= PASS_MARK) c->mark = PASS_MARK + 1;
    if (play->start > 0) add_square(&c->sensitive, cell_of(b, play->line, play->start - 1));
    if (last < side - 1) add_square(&c->sensitive, cell_of(b, play->line, last + 1));
    for (int i = play->start; i <= last; i++) {
        int letter, blank, code, cell, across;
        uint32_t ends;
        if (line->occupied >> i & 1) continue;
        letter = letters ? letters[i - play->start] : (int)(play->word & ~ONE_TILE);
        blank = play->blanks >> (i - play->start) & 1;
        code = (letter + 1) | (blank ? 0x80 : 0);
        cell = cell_of(b, play->line, i);
        across = play->line < side ? side + i : i;
        ends = run_ends(b->lines[across].occupied, play->line < side ? play->line : play->line - side, side);
        add_square(&c->sensitive, cell);
        for (; ends; ends &= ends - 1) add_square(&c->sensitive, cell_of(b, across, __builtin_ctz(ends)));
        c->cells[c->placed] = (uint16_t)cell;
        c->codes[c->placed++] = (uint8_t)code;
        c->key ^= mixed((uint64_t)(cell + 1) << 8 | (uint64_t)code);
        c->need += 1u << 4 * places[blank ? 0 : letter + 1];
        if (!blank) c->tile_points += b->values[letter];
    }
}

/* Return the key of a position in the transposition table. */
static inline uint64_t table_key(const Node *n) {
    uint64_t racks = (uint64_t)n->racks[0] << 32 | n->racks[1];
    uint64_t turn = (uint64_t)n->side << 16 | (uint64_t)n->passes << 8 | n->zero_turns;
    return n->key ^ mixed(racks + 0x9e3779b97f4a7c15ull) ^ mixed(turn + 0x632be59bd9b4e019ull);
}

/* Return the entry of a position that this solve has written, or NULL. */
static inline TableEntry *find_entry(TableEntry *table, uint64_t mask, uint64_t key, int solve) {
    TableEntry *bucket = &table[key & mask & ~(uint64_t)(BUCKET - 1)];
    for (int i = 0; i < BUCKET; i++)
        if (bucket[i].key == key && bucket[i].kind >> 2 == solve) return &bucket[i];
    return NULL;
}

/* Write a value to the entry of the same position, else to a free one or one of another solve, else to the entry of
 * least depth.  Return whether the entry was free. */
static inline int write_entry(TableEntry *table, uint64_t mask, uint64_t key, int solve, int value, int depth, int kind, uint32_t mark) {
    TableEntry *bucket = &table[key & mask & ~(uint64_t)(BUCKET - 1)], *chosen = NULL;
    int fresh;
    for (int i = 0; i < BUCKET && !chosen; i++)
        if (bucket[i].key == key && bucket[i].kind >> 2 == solve) chosen = &bucket[i];
    for (int i = 0; i < BUCKET && !chosen; i++)
        if (!(bucket[i].kind & 3) || bucket[i].kind >> 2 != solve) chosen = &bucket[i];
    if (!chosen) chosen = bucket[0].depth <= bucket[1].depth ? &bucket[0] : &bucket[1];
    fresh = !(chosen->kind & 3) || chosen->kind >> 2 != solve;
    if (chosen->key == key && !fresh && mark == NO_MARK) mark = chosen->mark;
    chosen->key = key;
    chosen->value = value;
    chosen->mark = (uint16_t)mark;
    chosen->depth = (uint8_t)depth;
    chosen->kind = (uint8_t)(kind | solve << 2);
    return fresh;
}

#endif
