/* Heuri's bingo expectation: which multisets of seven tiles make a bingo on a board, and how likely each leave is
 * to become one of them.
 *
 * An *entry* is a septet or a reduced octet: seven tiles, blanks included, of which a seven-letter word can be
 * made, or an eight-letter word with one more letter.  Its *level* is its number of blanks.  Entries of a level are
 * neighbours, in three ranges: the regular ones, ordered by front and back part; the crowded ones, with more than
 * MOST_COPIES of a letter; and helpers, which the bag cannot deal but whose blanks make entries of higher levels.
 * Source: thesis 003, chapter 7; systems.md E. */
#ifndef KIBITZ_BINGO_EXPECTATION_H
#define KIBITZ_BINGO_EXPECTATION_H

#include <stdlib.h>
#include "valuation.h"

#define BINGO_TILES RACK_CAPACITY
#define BINGO_LEVELS (BINGO_TILES + 1)
#define OCTET_LETTERS (BINGO_TILES + 1)
#define MOST_COPIES 3            /* of a letter in a regular entry: its profile has two bits a letter */
#define FILTER_BITS 21           /* 256 KB, beside the delta set in the cache */
#define LEAVES 128               /* most leaves of a rack of seven tiles */
#define PROFILES (BINGO_LEVELS << 12) /* blanks and six letters, more than the 1 << 14 of seven letters */

/* A part of an entry: the multiset of those of its letters that belong to the front, or to the back, half of the
 * alphabet.  Part 0 is empty; a part stands behind its parent. */
typedef struct {
    uint32_t parent; /* the part without its last letter */
    uint8_t letter;  /* the last letter, as tile code */
    uint8_t copies;  /* how many of it */
    uint8_t unused[2];
} Part;

typedef struct {
    const LexiconTables *lexicon;
    int32_t levels;                      /* blanks of an entry are 0 .. levels - 1 */
    uint32_t entry_count;                /* a multiple of 64; the last one is no entry: what the bag cannot deal */
    uint32_t regular[BINGO_LEVELS + 1];  /* first entry of each level, a multiple of 64 */
    uint32_t crowded[BINGO_LEVELS];      /* first crowded entry of each level */
    uint32_t helpers[BINGO_LEVELS];      /* first helper of each level: the end of those that count */
    uint32_t ends[BINGO_LEVELS];         /* end of the helpers of each level */
    uint32_t front_count, back_count;    /* parts */
    const Part *fronts, *backs;
    const uint32_t *front_starts;        /* [levels][front_count + 1] first regular entry of each front */
    const uint32_t *entry_backs;         /* [entry_count] back part of each regular entry */
    const uint64_t *keys;                /* [entry_count] tile codes, ascending, the first in the highest of 7 bytes */
    const uint32_t *slots;               /* [1 << slot_bits] entry + 1 by key, 0 = free; open addressing */
    const uint64_t *filter;              /* bit set of 1 << FILTER_BITS: some key has these top bits of its hash */
    int32_t slot_bits;
    uint32_t septet_count;               /* septets that the bag can deal */
    const uint64_t *septets, *counted;   /* [entry_count / 64] bit sets: is a septet; the bag can deal it */
    const uint32_t *children[BINGO_LEVELS]; /* by level: [regular .. ends][7 - level] entries with a blank in place
                                            of a letter, or none */
    const uint32_t *septet_of;           /* [64 row_limbs[7]] entries of the words of 7 letters, behind them none */
    const uint32_t *octet_of;            /* [8][words of 8 letters] entries of the word without each letter */
    const uint64_t *rows;                /* bit sets over the words of a length: (length, position, letter) */
    uint64_t row_first[SIDE + 2];        /* first limb of the rows of a length */
    uint32_t row_limbs[SIDE + 2];        /* limbs of a row */
} BingoTable;

/* A part with the tiles at hand. */
typedef struct {
    double ways;      /* product of C(unseen, copies) over its letters that the rack lacks */
    double points;    /* tile points */
    double reward;    /* front: ways x (bonus + factor x points); back: ways x points */
    uint32_t profile; /* copies of the letters that the rack holds, two bits each */
} PartValue;

/* The scratch memory of one thread. */
typedef struct {
    uint64_t *delta;       /* [entry_count / 64] bit set: some bingo with these tiles is legal on the board */
    uint64_t *chosen;      /* [entry_count / 64] the entries that count in an evaluation */
    uint64_t *fitting;     /* a row: words that fit an interval */
    uint64_t *admitted;    /* a row: words that one square admits */
    uint64_t *sevens;      /* a row: words of seven letters that fit somewhere */
    uint64_t *eights;      /* [letter][8] rows: words of eight letters that fit around this letter on the board */
    uint8_t open_eights[LETTER_CAPACITY][OCTET_LETTERS]; /* 0: none seen; 1: those in the row; 2: all with the letter there */
    PartValue *fronts, *backs;
    double *sums, *spare;  /* [PROFILES] */
    uint64_t marked_longer; /* plays of nine or more letters seen, for measurements */
    int32_t levels;        /* levels of `delta` that are computed for the board in `squares`; 0: none */
    int32_t side;          /* of that board */
    uint8_t squares[SIDE * SIDE]; /* its tiles */
} BingoScratch;

static void free_bingo_scratch(BingoScratch *s) {
    free(s->delta);
    free(s->chosen);
    free(s->fitting);
    free(s->admitted);
    free(s->sevens);
    free(s->eights);
    free(s->fronts);
    free(s->backs);
    free(s->sums);
    free(s->spare);
    memset(s, 0, sizeof(BingoScratch));
}

/* Allocate for a table; 0 if memory is out. */
static int make_bingo_scratch(BingoScratch *s, const BingoTable *t) {
    uint32_t limbs = 1;
    memset(s, 0, sizeof(BingoScratch));
    for (int n = 0; n <= SIDE; n++)
        if (t->row_limbs[n] > limbs) limbs = t->row_limbs[n];
    s->delta = calloc(t->entry_count / 64, sizeof(uint64_t));
    s->chosen = calloc(t->entry_count / 64, sizeof(uint64_t));
    s->fitting = malloc(limbs * sizeof(uint64_t));
    s->admitted = malloc(limbs * sizeof(uint64_t));
    s->sevens = malloc(limbs * sizeof(uint64_t));
    s->eights = malloc(((size_t)t->lexicon->letter_count * OCTET_LETTERS * t->row_limbs[OCTET_LETTERS] + 1) * sizeof(uint64_t));
    s->fronts = malloc(t->front_count * sizeof(PartValue));
    s->backs = malloc(t->back_count * sizeof(PartValue));
    s->sums = malloc(PROFILES * sizeof(double));
    s->spare = malloc(PROFILES * sizeof(double));
    if (s->delta && s->chosen && s->fitting && s->admitted && s->sevens && s->eights && s->fronts && s->backs && s->sums && s->spare)
        return 1;
    free_bingo_scratch(s);
    return 0;
}

/* ------------------------------------------------------------------------------------------- the delta set */

static inline const uint64_t *word_row(const BingoTable *t, int length, int position, int letter) {
    return t->rows + t->row_first[length] + (uint64_t)(position * t->lexicon->letter_count + letter) * t->row_limbs[length];
}

static inline void mark_entry(uint64_t *bits, uint32_t entry) { bits[entry >> 6] |= 1ull << (entry & 63); }

static inline int has_entry(const uint64_t *bits, uint32_t entry) { return (int)(bits[entry >> 6] >> (entry & 63) & 1); }

static inline void intersect_rows(uint64_t *restrict into, const uint64_t *restrict row, uint32_t limbs) {
    for (uint32_t i = 0; i < limbs; i++) into[i] &= row[i];
}

static inline void unite_rows(uint64_t *restrict into, const uint64_t *restrict row, uint32_t limbs) {
    for (uint32_t i = 0; i < limbs; i++) into[i] |= row[i];
}

static inline letter_mask every_letter(const BingoTable *t) {
    return t->lexicon->letter_count < MASK_BITS ? ((letter_mask)1 << t->lexicon->letter_count) - 1 : ~(letter_mask)0;
}

/* Keep the fitting words whose letter at a position is admissible. */
static void keep_admitted(const BingoTable *t, BingoScratch *s, int length, int position, letter_mask admissible) {
    uint32_t limbs = t->row_limbs[length];
    letter_mask letters = admissible & every_letter(t);
    if (letters == every_letter(t)) return;
    memset(s->admitted, 0, limbs * sizeof(uint64_t));
    for (; letters; letters &= letters - 1)
        unite_rows(s->admitted, word_row(t, length, position, __builtin_ctzll(letters)), limbs);
    intersect_rows(s->fitting, s->admitted, limbs);
}

static inline uint64_t hash_key(uint64_t key) { return key * 0x9e3779b97f4a7c15ull; }

/* The entry with a key, or the last one, which is none. */
static uint32_t find_entry(const BingoTable *t, uint64_t key) {
    uint64_t hash = hash_key(key);
    uint32_t slot_mask = (1u << t->slot_bits) - 1, slot = (uint32_t)(hash >> (64 - t->slot_bits));
    if (!has_entry(t->filter, (uint32_t)(hash >> (64 - FILTER_BITS)))) return t->entry_count - 1;
    for (; t->slots[slot]; slot = (slot + 1) & slot_mask)
        if (t->keys[t->slots[slot] - 1] == key) return t->slots[slot] - 1;
    return t->entry_count - 1;
}

/* The key without the tile of a byte (0 = the last, hence the highest tile code), a blank in its place. */
static inline uint64_t with_blank(uint64_t key, int byte) {
    uint64_t below = (1ull << 8 * byte) - 1;
    return (key >> 8 * (byte + 1) << 8 * byte) | (key & below);
}

/* Mark what seven letters are: an entry, or, if they are none, every entry that has blanks for some of them.  The
 * entries with more blanks follow from marked ones. */
static void mark_letters(const BingoTable *t, uint64_t *delta, uint64_t key, int level, int from) {
    uint32_t entry = find_entry(t, key);
    if (entry != t->entry_count - 1) {
        mark_entry(delta, entry);
        return;
    }
    if (level + 1 == t->levels) return;
    /* The bytes below `from` keep their letters: so each choice of letters comes up once. */
    for (int byte = from; byte < BINGO_TILES - level; byte++) {
        uint64_t blanked;
        if (byte > from && (key >> 8 * byte & 255) == (key >> 8 * (byte - 1) & 255)) continue;
        /* Taking a byte out moves the higher ones down, so the next to take out has the same number. */
        blanked = with_blank(key, byte);
        mark_letters(t, delta, blanked, level + 1, byte);
    }
}

/* Mark the words of nine or more letters that fit an interval with two or more tiles. */
static void mark_longer_words(const BingoTable *t, BingoScratch *s, const Line *x, int start, int length) {
    uint32_t limbs = t->row_limbs[length];
    const WordRecord *words = t->lexicon->words + t->lexicon->length_start[length];
    int first = 1;
    for (int i = 0; i < length; i++) {
        const uint64_t *row;
        if (x->tiles[start + i] == NO_LETTER) continue;
        row = word_row(t, length, i, x->tiles[start + i]);
        if (first) memcpy(s->fitting, row, limbs * sizeof(uint64_t));
        else intersect_rows(s->fitting, row, limbs);
        first = 0;
    }
    for (uint32_t limb = 0; limb < limbs; limb++)
        for (uint64_t bits = s->fitting[limb]; bits; bits &= bits - 1) {
            const WordRecord *word = words + 64 * limb + __builtin_ctzll(bits);
            uint8_t codes[BINGO_TILES];
            uint64_t key = 0;
            int n = 0, fits = 1;
            for (int i = 0; i < length; i++) {
                int j;
                if (!(x->admissible[start + i] >> word->letters[i] & 1)) {
                    fits = 0;
                    break;
                }
                if (x->tiles[start + i] != NO_LETTER) continue;
                for (j = n++; j && codes[j - 1] > word->letters[i] + 1; j--) codes[j] = codes[j - 1];
                codes[j] = (uint8_t)(word->letters[i] + 1);
            }
            if (!fits) continue;
            for (int i = 0; i < BINGO_TILES; i++) key = key << 8 | codes[i];
            s->marked_longer++;
            mark_letters(t, s->delta, key, 0, 0);
        }
}

/* Collect the words of the interval of a line that begins at a square and has seven empty squares. */
static void find_bingos(const BingoTable *t, BingoScratch *s, const LoadedBoard *board, const Line *x, int start, int32_t *all_sevens) {
    int side = board->side, k = x->empty_before[start] + BINGO_TILES, end, length;
    uint32_t limbs, constrained;
    if (k > x->empty_before[side]) return;
    end = k < x->empty_before[side] ? x->empties[k] - 1 : side - 1;
    if (!(x->ends[start] >> end & 1)) return;
    length = end - start + 1;
    limbs = t->row_limbs[length];
    if (!limbs) return;
    if (length > OCTET_LETTERS) {
        mark_longer_words(t, s, x, start, length);
        return;
    }
    constrained = (x->crossed >> start) & ((1u << length) - 1);
    if (length == BINGO_TILES) {
        if (*all_sevens) return;
        if (!constrained) {
            *all_sevens = 1;
            return;
        }
        memset(s->fitting, 0xff, limbs * sizeof(uint64_t));
        for (; constrained; constrained &= constrained - 1) {
            int i = __builtin_ctz(constrained);
            keep_admitted(t, s, length, i, x->admissible[start + i]);
        }
        unite_rows(s->sevens, s->fitting, limbs);
    } else {
        int at = x->runs[x->runs_before[start]].first - start, letter = x->tiles[start + at];
        uint64_t *row = s->eights + (uint64_t)(letter * OCTET_LETTERS + at) * limbs;
        uint8_t *open = &s->open_eights[letter][at];
        if (*open == 2) return;
        if (!constrained) {
            *open = 2;
            return;
        }
        memcpy(s->fitting, word_row(t, length, at, letter), limbs * sizeof(uint64_t));
        for (; constrained; constrained &= constrained - 1) {
            int i = __builtin_ctz(constrained);
            keep_admitted(t, s, length, i, x->admissible[start + i]);
        }
        if (*open) unite_rows(row, s->fitting, limbs);
        else memcpy(row, s->fitting, limbs * sizeof(uint64_t));
        *open = 1;
    }
}

static void mark_words(uint64_t *delta, const uint64_t *row, uint32_t limbs, const uint32_t *entries) {
    for (uint32_t limb = 0; limb < limbs; limb++)
        for (uint64_t bits = row[limb]; bits; bits &= bits - 1) mark_entry(delta, entries[64 * limb + __builtin_ctzll(bits)]);
}

/* Mark what has a blank in place of a letter of the marked entries of a level with no blanks or more. */
static void mark_children(const BingoTable *t, uint64_t *delta, int level) {
    uint32_t first = t->regular[level], last = (t->ends[level] + 63) / 64;
    int letters = BINGO_TILES - level;
    for (uint32_t limb = first / 64; limb < last; limb++)
        for (uint64_t bits = delta[limb]; bits; bits &= bits - 1) {
            uint32_t entry = 64 * limb + (uint32_t)__builtin_ctzll(bits);
            const uint32_t *children = t->children[level] + (uint64_t)(entry - first) * (uint32_t)letters;
            switch (letters) { /* no loop: its end would be guessed wrong for every entry */
            case 7: mark_entry(delta, children[6]); /* fall through */
            case 6: mark_entry(delta, children[5]); /* fall through */
            case 5: mark_entry(delta, children[4]); /* fall through */
            case 4: mark_entry(delta, children[3]); /* fall through */
            case 3: mark_entry(delta, children[2]); /* fall through */
            case 2: mark_entry(delta, children[1]); /* fall through */
            default: mark_entry(delta, children[0]);
            }
        }
}

/* Compute the delta set of a board for the entries with fewer than `levels` blanks. */
static void load_delta(const BingoTable *t, BingoScratch *s, const LoadedBoard *board, int levels) {
    uint32_t limbs = t->row_limbs[OCTET_LETTERS];
    uint32_t octets = t->lexicon->length_start[OCTET_LETTERS + 1] - t->lexicon->length_start[OCTET_LETTERS];
    int32_t all_sevens = 0;
    memset(s->delta, 0, t->entry_count / 8);
    memset(s->sevens, 0, t->row_limbs[BINGO_TILES] * sizeof(uint64_t));
    memset(s->open_eights, 0, sizeof(s->open_eights));
    s->marked_longer = 0;
    for (int line = 0; line < 2 * board->side; line++) {
        const Line *x = &board->lines[line];
        for (uint32_t openings = x->openings; openings; openings &= openings - 1)
            find_bingos(t, s, board, x, __builtin_ctz(openings), &all_sevens);
    }
    if (all_sevens) memset(s->sevens, 0xff, t->row_limbs[BINGO_TILES] * sizeof(uint64_t));
    mark_words(s->delta, s->sevens, t->row_limbs[BINGO_TILES], t->septet_of);
    for (int letter = 0; letter < t->lexicon->letter_count; letter++)
        for (int at = 0; at < OCTET_LETTERS; at++)
            if (s->open_eights[letter][at]) {
                const uint64_t *row = s->eights + (uint64_t)(letter * OCTET_LETTERS + at) * limbs;
                if (s->open_eights[letter][at] == 2) row = word_row(t, OCTET_LETTERS, at, letter);
                mark_words(s->delta, row, limbs, t->octet_of + (uint64_t)at * octets);
            }
    for (int level = 0; level + 1 < levels; level++) mark_children(t, s->delta, level);
    s->delta[(t->entry_count - 1) >> 6] &= ~(1ull << 63);
    s->levels = levels;
    s->side = board->side;
    memcpy(s->squares, board->squares, (size_t)(board->side * board->side));
}

/* Make sure that `delta` is the board's; an empty board is always computed, since its start squares matter. */
static void need_delta(const BingoTable *t, BingoScratch *s, const LoadedBoard *board, int levels) {
    if (s->levels >= levels && board->tile_count && s->side == board->side &&
        !memcmp(s->squares, board->squares, (size_t)(board->side * board->side)))
        return;
    load_delta(t, s, board, levels);
}

static uint32_t count_entries(const BingoTable *t, const uint64_t *bits) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->entry_count / 64; i++) count += (uint32_t)__builtin_popcountll(bits[i] & t->counted[i]);
    return count;
}

/* ----------------------------------------------------------------------------------- all leaves of a rack */

/* C(n, k). */
static double choices(int n, int k) {
    double product = 1;
    if (k > n) return 0;
    for (int i = 0; i < k; i++) product = product * (n - i) / (i + 1);
    return product;
}

/* What the leaves of a rack ask of the unseen tiles. */
typedef struct {
    int32_t distinct;                  /* letters held */
    uint8_t codes[BINGO_TILES];        /* their tile codes, ascending */
    int32_t held[BINGO_TILES];         /* tiles held of each */
    int32_t blanks, unseen_blanks;     /* held; unseen */
    int8_t axis[LETTER_CAPACITY + 1];  /* by tile code: number of the letter among those held, or -1 */
    double ways[LETTER_CAPACITY + 1][BINGO_TILES + 1]; /* by tile code: C(unseen, copies) */
} LeaveProblem;

static void value_parts(const Part *parts, uint32_t count, PartValue *values, const LeaveProblem *p, const int16_t *points) {
    values[0] = (PartValue){1, 0, 0, 0};
    for (uint32_t i = 1; i < count; i++) {
        const PartValue *parent = &values[parts[i].parent];
        int code = parts[i].letter, copies = parts[i].copies, axis = p->axis[code];
        values[i].points = parent->points + copies * points[code - 1];
        if (axis < 0) {
            values[i].ways = parent->ways * p->ways[code][copies];
            values[i].profile = parent->profile;
        } else {
            values[i].ways = parent->ways;
            values[i].profile = parent->profile + ((uint32_t)copies << 2 * axis);
        }
    }
}

/* Add the regular entries of a level to the sums of their profiles. */
static void add_regular(const BingoTable *t, BingoScratch *s, const uint64_t *entries, int level, double ways, double factor, double *sums) {
    const uint32_t *starts = t->front_starts + (uint64_t)level * (t->front_count + 1);
    for (uint32_t f = 0; f < t->front_count; f++) {
        double reward = s->fronts[f].reward * ways, per_point = s->fronts[f].ways * ways * factor;
        double *front_sums = sums + s->fronts[f].profile;
        uint32_t entry = starts[f], last = starts[f + 1];
        if (s->fronts[f].ways == 0) continue;
        while (entry < last) {
            uint64_t bits = entries[entry >> 6] >> (entry & 63);
            uint32_t here = 64 - (entry & 63);
            if (last - entry < here) {
                here = last - entry;
                bits &= (1ull << here) - 1;
            }
            for (; bits; bits &= bits - 1) {
                const PartValue *back = &s->backs[t->entry_backs[entry + (uint32_t)__builtin_ctzll(bits)]];
                front_sums[back->profile] += reward * back->ways + per_point * back->reward;
            }
            entry += here;
        }
    }
}

/* Turn sums by what an entry has of each letter held into sums by what a leave keeps of it, axis by axis: the draw
 * supplies the rest. */
static double *contract_profiles(const LeaveProblem *p, int levels, double *sums, double *spare) {
    size_t inner = 1, outer = (size_t)levels << 2 * p->distinct;
    for (int axis = 0; axis < p->distinct; axis++) {
        const double *ways = p->ways[p->codes[axis]];
        int kept_values = p->held[axis] + 1;
        double *done = spare;
        outer /= MOST_COPIES + 1;
        for (size_t o = 0; o < outer; o++) {
            const double *from = sums + o * (MOST_COPIES + 1) * inner;
            double *to = spare + o * (size_t)kept_values * inner;
            for (int kept = 0; kept < kept_values; kept++)
                for (size_t i = 0; i < inner; i++) {
                    double sum = 0;
                    for (int copies = kept; copies <= MOST_COPIES; copies++) sum += from[copies * inner + i] * ways[copies - kept];
                    to[kept * inner + i] = sum;
                }
        }
        inner *= (size_t)kept_values;
        spare = sums;
        sums = done;
    }
    return sums;
}

/* Add one entry to every leave that it contains: for the few that have no profile. */
static void add_crowded(const BingoTable *t, uint32_t entry, int level, const LeaveProblem *p, const int16_t *points, double bonus, double factor,
                        const uint8_t kept[LEAVES][BINGO_TILES + 1], int leave_count, double *sums) {
    int copies[BINGO_TILES] = {0}, code = 0, n = 0;
    uint64_t key = t->keys[entry];
    double ways = 1, tile_points = 0;
    for (int byte = 0; byte <= BINGO_TILES; byte++) {
        int next = byte < BINGO_TILES ? (int)(key >> 8 * byte & 255) : -1;
        if (next != code) {
            if (n && code) {
                tile_points += n * points[code - 1];
                if (p->axis[code] < 0) ways *= p->ways[code][n];
                else copies[p->axis[code]] = n;
            }
            code = next;
            n = 0;
        }
        n++;
    }
    if (ways == 0) return;
    ways *= bonus + factor * tile_points;
    for (int leave = 0; leave < leave_count; leave++) {
        double product = ways;
        if (kept[leave][BINGO_TILES] > level) continue;
        product *= choices(p->unseen_blanks, level - kept[leave][BINGO_TILES]);
        for (int axis = 0; axis < p->distinct; axis++) {
            int drawn = copies[axis] - kept[leave][axis];
            product *= drawn < 0 ? 0 : p->ways[p->codes[axis]][drawn];
        }
        sums[leave] += product;
    }
}

/* Number the leaves as Hand does: what each keeps of each letter held, ascending, and (last) of the blanks. */
static int list_leaves(const LeaveProblem *p, uint8_t kept[LEAVES][BINGO_TILES + 1]) {
    uint8_t digits[BINGO_TILES + 1] = {0};
    for (int count = 0;;) {
        int axis = 0;
        memcpy(kept[count++], digits, sizeof(digits));
        if (digits[BINGO_TILES] < p->blanks) {
            digits[BINGO_TILES]++;
            continue;
        }
        digits[BINGO_TILES] = 0;
        while (axis < p->distinct && digits[axis] == p->held[axis]) digits[axis++] = 0;
        if (axis == p->distinct) return count;
        digits[axis]++;
    }
}

/* Write, for each leave of a rack, the sum over entries of probability x (bonus + factor x tile points): the
 * probability that 7 - n tiles drawn from the unseen ones make the entry of a leave of n tiles; 0 where the bag
 * has fewer.  `expected`: full_leave + 1 of them. */
static void expect_bingos(const BingoTable *t, BingoScratch *s, const uint64_t *entries, const Situation *q, double bonus, double factor, double *expected) {
    const Hand *hand = q->hand;
    const int16_t *points = q->board->values;
    uint8_t kept[LEAVES][BINGO_TILES + 1];
    double crowded[LEAVES] = {0}, *sums;
    LeaveProblem p = {0};
    int leave_count, most_blanks, levels;
    size_t profiles;
    p.blanks = hand->blanks;
    p.unseen_blanks = q->unseen[0];
    most_blanks = p.blanks + p.unseen_blanks;
    levels = most_blanks + 1 < t->levels ? most_blanks + 1 : t->levels;
    memset(p.axis, -1, sizeof(p.axis));
    for (int code = 1; code <= t->lexicon->letter_count; code++) {
        for (int copies = 0; copies <= BINGO_TILES; copies++) p.ways[code][copies] = choices(q->unseen[code], copies);
        if (!hand->counts[code - 1]) continue;
        p.axis[code] = (int8_t)p.distinct;
        p.codes[p.distinct] = (uint8_t)code;
        p.held[p.distinct++] = hand->counts[code - 1];
    }
    leave_count = list_leaves(&p, kept);
    value_parts(t->fronts, t->front_count, s->fronts, &p, points);
    value_parts(t->backs, t->back_count, s->backs, &p, points);
    for (uint32_t f = 0; f < t->front_count; f++) s->fronts[f].reward = s->fronts[f].ways * (bonus + factor * s->fronts[f].points);
    for (uint32_t b = 0; b < t->back_count; b++) s->backs[b].reward = s->backs[b].ways * s->backs[b].points;

    profiles = (size_t)(p.blanks ? levels : 1) << 2 * p.distinct;
    memset(s->sums, 0, profiles * sizeof(double));
    for (int level = 0; level < levels; level++) {
        double ways = p.blanks ? 1 : choices(p.unseen_blanks, level);
        add_regular(t, s, entries, level, ways, factor, s->sums + (p.blanks ? (size_t)level << 2 * p.distinct : 0));
        for (uint32_t entry = t->crowded[level]; entry < t->helpers[level]; entry++)
            if (has_entry(entries, entry)) add_crowded(t, entry, level, &p, points, bonus, factor, kept, leave_count, crowded);
    }
    sums = contract_profiles(&p, p.blanks ? levels : 1, s->sums, s->spare);
    for (int leave = 0; leave < leave_count; leave++) {
        int drawn = BINGO_TILES - kept[leave][BINGO_TILES], letters = leave_count / (p.blanks + 1), number = leave / (p.blanks + 1);
        double total = crowded[leave];
        for (int axis = 0; axis < p.distinct; axis++) drawn -= kept[leave][axis];
        expected[leave] = 0;
        if (q->bag_count < drawn || q->unseen_count < drawn) continue;
        if (p.blanks)
            for (int level = kept[leave][BINGO_TILES]; level < levels; level++)
                total += sums[level * letters + number] * choices(p.unseen_blanks, level - kept[leave][BINGO_TILES]);
        else total += sums[number];
        expected[leave] = total / choices(q->unseen_count, drawn);
    }
}

#endif
