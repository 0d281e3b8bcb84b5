/* What the endgame search works on: plays made ready, the path to the node at hand, the transposition table.
 *
 * Nothing is allocated while it searches, except when the arena of plays outgrows its memory. */
#ifndef KIBITZ_ENDGAME_H
#define KIBITZ_ENDGAME_H

#include "plays.h"

#define SQUARE_LIMBS ((SIDE * SIDE + 63) / 64)
#define MAX_PLY 120           /* deeper lies a horizon: only chains of plays without points get there */
#define MOST_PLAYS 14         /* plays on the board at once: each lays a tile, and the racks hold no more */
#define INFINITE 1000000000   /* beyond every value */
#define COMPLETE 255          /* TableEntry.depth of a value that no horizon has touched */
#define NO_MARK 0u            /* TableEntry.mark without a move */
#define PASS_MARK 1u          /* the mark of a pass */
#define PASS 0xffffffffu      /* the number of a pass, where others have that of a candidate */
#define FIRST_CANDIDATES 16384
#define HISTORY 4096          /* counters of moves that cut, by side and low bits of the mark */
#define BUCKET 2              /* table entries looked at for one position */

enum { EXACT = 1, LEAST = 2, MOST = 3 }; /* what a table value is: the value, a lower or an upper bound */

typedef struct {
    uint64_t limbs[SQUARE_LIMBS]; /* bit row * side + column */
} SquareSet;

/* A play of one side, with what tells whether it is still there after tiles are laid elsewhere. */
typedef struct {
    SquareSet sensitive; /* squares that must stay empty: those it fills, those at the ends of its word, and those at
                            the ends of the runs across it.  While they are, the play is legal and scores the same */
    uint64_t key;        /* Zobrist key of its tiles */
    uint32_t need;       /* tiles it takes, packed like Node.racks */
    uint32_t mark;       /* hash that names the play, above PASS_MARK */
    int32_t score;       /* points */
    int32_t tile_points; /* points of the tiles it takes from the rack */
    uint32_t word;       /* as in Play */
    uint32_t blanks;     /* as in Play */
    uint16_t cells[RACK_CAPACITY]; /* squares it fills: row * side + column */
    uint8_t codes[RACK_CAPACITY];  /* tile codes laid there, 0x80 = blank */
    uint8_t placed;      /* tiles played */
    uint8_t line, start, length; /* as in Play */
} Candidate;

/* A position on the path, and the move tried in it. */
typedef struct {
    SquareSet laid;       /* squares that the move fills */
    uint32_t changed[2 * SIDE]; /* by line: squares filled by the move, or whose run across it made longer; set when
                             the move is laid on the board */
    uint64_t key;         /* Zobrist key of the tiles laid since the root */
    uint32_t racks[2];    /* tiles of each side: four bits a distinct tile, how many; the fourth stays 0 */
    int32_t values[2];    /* points of each rack */
    uint32_t first, count; /* plays of the side on turn: entries of the list stack */
    uint32_t arena;       /* candidates in the arena before this node added its own */
    uint32_t saved;       /* lines on the stack of saved lines before the move was laid */
    uint32_t move;        /* candidate number, or PASS */
    uint8_t tiles[2];     /* tiles of each side */
    uint8_t side;         /* on turn: 0 the side on turn at the root */
    uint8_t passes;       /* passes in a row that led here */
    uint8_t zeros;        /* turns without points in a row that led here */
    uint8_t unused[3];
} Node;

typedef struct {
    uint64_t key;   /* of the whole position */
    int32_t value;  /* change of spread from here on, for the side on turn */
    uint16_t mark;  /* low bits of the mark of the best move, or NO_MARK */
    uint8_t depth;  /* plies searched, or COMPLETE */
    uint8_t kind;   /* EXACT, LEAST, MOST in the low two bits, 0: free; the solve's number above them */
} TableEntry;

static inline uint64_t mixed(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

static inline void add_square(SquareSet *set, int cell) { set->limbs[cell >> 6] |= 1ull << (cell & 63); }

static inline void unite(SquareSet *a, const SquareSet *b) {
    for (int i = 0; i < SQUARE_LIMBS; i++) a->limbs[i] |= b->limbs[i];
}

static inline int meet(const SquareSet *a, const SquareSet *b) {
    uint64_t both = 0;
    for (int i = 0; i < SQUARE_LIMBS; i++) both |= a->limbs[i] & b->limbs[i];
    return both != 0;
}

#define GUARDS 0x88888888u

/* Does a packed rack hold the tiles of another? */
static inline int holds(uint32_t rack, uint32_t need) { return (((rack | GUARDS) - need) & GUARDS) == GUARDS; }

static inline int cell_of(const LoadedBoard *b, int line, int i) {
    return line < b->side ? line * b->side + i : i * b->side + line - b->side;
}

/* The empty squares just before and just after the run of square i, which counts as filled. */
static inline uint32_t run_ends(uint32_t occupied, int i, int side) {
    uint32_t empty = ~occupied & ~(1u << i) & ((1u << side) - 1);
    uint32_t before = empty & ((1u << i) - 1), after = empty >> i << i;
    return (before ? 1u << (31 - __builtin_clz(before)) : 0) | (after & -after);
}

/* Make a play ready for a side whose tiles have the given places in its packed rack. */
static void make_candidate(Candidate *c, const LoadedBoard *b, const LexiconTables *t, const Play *play, const uint8_t *places) {
    const Line *line = &b->lines[play->line];
    const uint8_t *letters = play->word & ONE_TILE ? NULL : t->words[play->word].letters;
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

static inline uint64_t table_key(const Node *n) {
    uint64_t racks = (uint64_t)n->racks[0] << 32 | n->racks[1];
    uint64_t turn = (uint64_t)n->side << 16 | (uint64_t)n->passes << 8 | n->zeros;
    return n->key ^ mixed(racks + 0x9e3779b97f4a7c15ull) ^ mixed(turn + 0x632be59bd9b4e019ull);
}

/* The entry of a position written by this solve, or NULL. */
static inline TableEntry *find_entry(TableEntry *table, uint64_t mask, uint64_t key, int solve) {
    TableEntry *bucket = &table[key & mask & ~(uint64_t)(BUCKET - 1)];
    for (int i = 0; i < BUCKET; i++)
        if (bucket[i].key == key && bucket[i].kind >> 2 == solve) return &bucket[i];
    return NULL;
}

/* Write a value: over the entry of the same position, else over one of another solve, else over the shallower. */
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
