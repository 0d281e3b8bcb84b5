/* Builds minimal automata from sorted strings, without a trie.
 *
 * Only the states on the path of the last string are open.  When the next string leaves this path, the states
 * after the fork cannot change any more: each is replaced by an equal one of the register, or added to it.
 * Source: [Daciuk2000]; [Cipra2006], section 3.2.1.
 *
 * Symbols: 0 is the separator, 1 + i letter i.  A *row* is the arcs that leave a state; a state is a row and
 * whether it accepts, written row << 1 | accepts.  Row 0 has no arcs. */
#ifndef KIBITZ_AUTOMATON_BUILD_H
#define KIBITZ_AUTOMATON_BUILD_H

#include <stdlib.h>
#include "automaton.h"

#define SYMBOLS 64
#define STRING_CAPACITY (SIDE + 1) /* a word and a separator */
#define PREFIX_SYMBOLS 9           /* symbols of a sort key: 7 bits each */
#define DIGIT_BITS 11              /* of the radix sort */

typedef struct {
    uint8_t symbols[SYMBOLS];
    uint32_t targets[SYMBOLS];
    int32_t count;
    int32_t accepts;
} OpenState;

typedef struct {
    uint8_t *symbols;    /* [arc_capacity] of all rows, end to end */
    uint32_t *targets;   /* [arc_capacity] states */
    uint32_t *row_first; /* [row_capacity] first arc of each row; that of row_count: arc_count */
    uint32_t *below;     /* [row_capacity] strings that a row completes */
    uint8_t *seen;       /* [row_capacity] bit 0: a rejecting state has this row; bit 1: an accepting one */
    uint32_t *slots;     /* [1 << slot_bits] row, 0 = free: the register */
    uint32_t arc_count, arc_capacity, row_count, row_capacity;
    int32_t slot_bits;
    uint32_t state_count;
    OpenState open[STRING_CAPACITY + 1]; /* states on the path of the last string */
    uint8_t last[STRING_CAPACITY];
    int32_t last_length;
} Register;

static int grow(void **array, size_t count, size_t size) {
    void *grown = realloc(*array, count * size);
    if (grown) *array = grown;
    return grown != NULL;
}

static void close_register(Register *r) {
    free(r->symbols), free(r->targets), free(r->row_first), free(r->below), free(r->seen), free(r->slots);
    memset(r, 0, sizeof(Register));
}

static int open_register(Register *r) {
    memset(r, 0, sizeof(Register));
    r->arc_capacity = 1 << 16;
    r->row_capacity = 1 << 15;
    r->slot_bits = 16;
    r->slots = calloc((size_t)1 << r->slot_bits, sizeof(uint32_t));
    if (!r->slots || !grow((void **)&r->symbols, r->arc_capacity, 1) || !grow((void **)&r->targets, r->arc_capacity, 4) ||
        !grow((void **)&r->row_first, r->row_capacity, 4) || !grow((void **)&r->below, r->row_capacity, 4) ||
        !grow((void **)&r->seen, r->row_capacity, 1))
        return 0;
    r->row_count = 1; /* row 0 */
    r->row_first[0] = r->row_first[1] = 0;
    r->below[0] = r->seen[0] = 0;
    return 1;
}

static inline uint64_t row_hash(const uint8_t *symbols, const uint32_t *targets, int count) {
    uint64_t hash = 0;
    for (int i = 0; i < count; i++) hash = (hash ^ ((uint64_t)targets[i] << 6 | symbols[i])) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
    return hash;
}

static int widen_register(Register *r) {
    uint64_t mask = ((uint64_t)2 << r->slot_bits) - 1;
    uint32_t *slots = calloc(mask + 1, sizeof(uint32_t));
    if (!slots) return 0;
    for (uint32_t row = 1; row < r->row_count; row++) {
        uint32_t first = r->row_first[row];
        uint64_t slot = row_hash(r->symbols + first, r->targets + first, (int)(r->row_first[row + 1] - first)) & mask;
        while (slots[slot]) slot = (slot + 1) & mask;
        slots[slot] = row;
    }
    free(r->slots);
    r->slots = slots;
    r->slot_bits++;
    return 1;
}

/* Number of the row with the arcs of an open state, from the register or new; 0 also when memory is out. */
static uint32_t register_row(Register *r, const OpenState *state) {
    uint64_t mask = ((uint64_t)1 << r->slot_bits) - 1, slot;
    uint32_t row, n = (uint32_t)state->count, total = 0;
    if (!n) return 0;
    slot = row_hash(state->symbols, state->targets, state->count) & mask;
    for (; (row = r->slots[slot]); slot = (slot + 1) & mask) {
        uint32_t first = r->row_first[row];
        if (r->row_first[row + 1] - first == n && !memcmp(r->symbols + first, state->symbols, n) &&
            !memcmp(r->targets + first, state->targets, n * sizeof(uint32_t)))
            return row;
    }
    row = r->row_count;
    if (row + 2 > r->row_capacity) {
        size_t capacity = (size_t)r->row_capacity * 2;
        if (!grow((void **)&r->row_first, capacity, 4) || !grow((void **)&r->below, capacity, 4) || !grow((void **)&r->seen, capacity, 1))
            return 0;
        r->row_capacity = (uint32_t)capacity;
    }
    if (r->arc_count + n > r->arc_capacity) {
        size_t capacity = (size_t)r->arc_capacity * 2;
        if (!grow((void **)&r->symbols, capacity, 1) || !grow((void **)&r->targets, capacity, 4)) return 0;
        r->arc_capacity = (uint32_t)capacity;
    }
    memcpy(r->symbols + r->arc_count, state->symbols, n);
    memcpy(r->targets + r->arc_count, state->targets, n * sizeof(uint32_t));
    for (uint32_t i = 0; i < n; i++) total += (state->targets[i] & 1) + r->below[state->targets[i] >> 1];
    r->below[row] = total;
    r->seen[row] = 0;
    r->arc_count += n;
    r->row_first[++r->row_count] = r->arc_count;
    r->slots[slot] = row;
    if ((uint64_t)r->row_count * 2 > mask && !widen_register(r)) return 0;
    return row;
}

/* Close the open states deeper than `depth`; 0 when memory is out. */
static int close_states(Register *r, int depth) {
    for (int d = r->last_length; d > depth; d--) {
        const OpenState *state = &r->open[d];
        uint32_t row = register_row(r, state);
        if (!row && state->count) return 0;
        if (!(r->seen[row] >> state->accepts & 1)) {
            r->seen[row] |= (uint8_t)(1 << state->accepts);
            r->state_count++;
        }
        r->open[d - 1].targets[r->open[d - 1].count - 1] = row << 1 | (uint32_t)state->accepts;
    }
    r->last_length = depth;
    return 1;
}

/* Add a string that sorts after all before it; 0 when memory is out. */
static int add_string(Register *r, const uint8_t *symbols, int n) {
    int shared = 0;
    while (shared < n && shared < r->last_length && symbols[shared] == r->last[shared]) shared++;
    if (!close_states(r, shared)) return 0;
    for (int d = shared; d < n; d++) {
        OpenState *state = &r->open[d];
        state->symbols[state->count++] = symbols[d];
        r->open[d + 1].count = r->open[d + 1].accepts = 0;
    }
    r->open[n].accepts = 1;
    memcpy(r->last, symbols, (size_t)n);
    r->last_length = n;
    return 1;
}

/* Close every state; returns the root's row, 0 when memory is out (no strings also give 0). */
static uint32_t finish_register(Register *r) {
    if (!close_states(r, 0)) return 0;
    r->state_count++; /* the root, which no arc leads to */
    return register_row(r, &r->open[0]);
}

/* Symbols of a string: the whole word, or, at split i from 1 to n, its first i letters reversed and, behind a
 * separator, the others. */
static inline int spell_string(const LexiconTables *t, uint32_t word, int n, int split, uint8_t *symbols) {
    const uint8_t *letters = word_letters(t, word, n);
    int at = 0;
    for (int i = split - 1; i >= 0; i--) symbols[at++] = (uint8_t)(letters[i] + 1);
    if (split && split < n) symbols[at++] = 0;
    for (int i = split; i < n; i++) symbols[at++] = (uint8_t)(letters[i] + 1);
    return at;
}

typedef struct {
    uint64_t key; /* the first PREFIX_SYMBOLS symbols, 7 bits each, 1 more than the symbol; 0 past the end */
    uint32_t word;
    uint8_t length, split;
} SortedString;

static int compare_strings(const LexiconTables *t, const SortedString *a, const SortedString *b) {
    uint8_t x[STRING_CAPACITY], y[STRING_CAPACITY];
    int n = spell_string(t, a->word, a->length, a->split, x), m = spell_string(t, b->word, b->length, b->split, y);
    int order = memcmp(x, y, (size_t)(n < m ? n : m));
    return order ? order : n - m;
}

/* Sort by key, least digit first, then equal keys by their whole strings.  `spare` has room for as many. */
static void sort_strings(const LexiconTables *t, SortedString *strings, SortedString *spare, size_t count) {
    SortedString *from = strings, *to = spare;
    for (int shift = 0; shift < 7 * PREFIX_SYMBOLS + 1; shift += DIGIT_BITS) {
        size_t starts[(1 << DIGIT_BITS) + 1];
        memset(starts, 0, sizeof(starts));
        for (size_t i = 0; i < count; i++) starts[(from[i].key >> shift & ((1 << DIGIT_BITS) - 1)) + 1]++;
        for (int digit = 0; digit < 1 << DIGIT_BITS; digit++) starts[digit + 1] += starts[digit];
        for (size_t i = 0; i < count; i++) to[starts[from[i].key >> shift & ((1 << DIGIT_BITS) - 1)]++] = from[i];
        SortedString *swap = from;
        from = to;
        to = swap;
    }
    /* An even number of passes: the result is in `strings` again. */
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && strings[end].key == strings[first].key;) end++;
        for (size_t i = first + 1; i < end; i++) { /* few, and mostly in order: by insertion */
            SortedString moved = strings[i];
            size_t j = i;
            for (; j > first && compare_strings(t, &strings[j - 1], &moved) > 0; j--) strings[j] = strings[j - 1];
            strings[j] = moved;
        }
    }
}

/* Gather the strings that begin with a letter; returns their number.  `rotated`: every split of every word
 * (GADDAG), else the words themselves (DAWG). */
static size_t gather_strings(const LexiconTables *t, int letter, int rotated, SortedString *strings) {
    size_t count = 0;
    for (int n = 2; n <= t->max_length; n++)
        for (uint32_t word = t->length_start[n]; word < t->length_start[n + 1]; word++)
            for (int split = rotated; split <= (rotated ? n : 0); split++) {
                uint8_t symbols[STRING_CAPACITY];
                SortedString *s = &strings[count];
                int length;
                if (word_letters(t, word, n)[split ? split - 1 : 0] != letter) continue;
                length = spell_string(t, word, n, split, symbols);
                s->key = 0;
                for (int i = 0; i < PREFIX_SYMBOLS; i++) s->key = s->key << 7 | (i < length ? symbols[i] + 1u : 0);
                s->word = word;
                s->length = (uint8_t)n;
                s->split = (uint8_t)split;
                count++;
            }
    return count;
}

/* Most strings that begin with one letter. */
static size_t most_strings(const LexiconTables *t, int rotated) {
    size_t counts[LETTER_CAPACITY] = {0}, most = 0;
    for (int n = 2; n <= t->max_length; n++)
        for (uint32_t word = t->length_start[n]; word < t->length_start[n + 1]; word++)
            for (int i = 0; i < (rotated ? n : 1); i++) counts[word_letters(t, word, n)[i]]++;
    for (int letter = 0; letter < t->letter_count; letter++)
        if (counts[letter] > most) most = counts[letter];
    return most;
}

/* Letters of a row with an arc (kids) and those that complete a string (ends). */
static void row_masks(const Register *r, uint32_t row, letter_mask *kids, letter_mask *ends, int *separator) {
    *kids = *ends = 0;
    *separator = 0;
    for (uint32_t i = r->row_first[row]; i < r->row_first[row + 1]; i++) {
        int symbol = r->symbols[i];
        if (!symbol) {
            *separator = 1;
            continue;
        }
        if (r->targets[i] & 1) *ends |= (letter_mask)1 << (symbol - 1);
        if (r->targets[i] >> 1) *kids |= (letter_mask)1 << (symbol - 1);
    }
}

/* Arcs of the flat form: those that lead on, and the one to the root. */
static uint32_t count_arcs(const Register *r) {
    uint32_t count = 1;
    for (uint32_t i = 0; i < r->arc_count; i++) count += r->targets[i] > 1;
    return count;
}

/* Lay the rows out from the root on: the arcs of a state together, the states in depth-first order, so that what
 * is read in a row lies near.  `arcs` has room for count_arcs(); 0 when memory is out. */
static int lay_out(const Register *r, uint32_t root, Arc *arcs) {
    uint32_t *place = calloc(r->row_count, sizeof(uint32_t)), *stack = malloc(((size_t)r->arc_count + 1) * sizeof(uint32_t));
    uint32_t depth = 0, next = 1;
    if (!place || !stack) {
        free(place), free(stack);
        return 0;
    }
    stack[depth++] = root;
    while (depth) { /* give each row its place: number of its first arc, the separator's included */
        uint32_t row = stack[--depth];
        if (place[row] || !row) continue;
        place[row] = next;
        for (uint32_t i = r->row_first[row + 1]; i-- > r->row_first[row];)
            if (r->targets[i] > 1) {
                next++;
                stack[depth++] = r->targets[i] >> 1;
            }
    }
    for (uint32_t row = 0; row < r->row_count; row++) { /* row 0 stands for the arc to the root */
        letter_mask kids, ends;
        int separator;
        uint32_t at = row ? place[row] : 0, skip, i = row ? r->row_first[row] : 0, end = row ? r->row_first[row + 1] : 1;
        if (row && !at) continue;
        row_masks(r, row, &kids, &ends, &separator);
        skip = row ? count_bits(ends) : 0;
        for (; i < end; i++) {
            uint32_t target = row ? r->targets[i] : root << 1;
            Arc *arc = &arcs[at];
            if (target <= 1) continue;
            row_masks(r, target >> 1, &arc->kids, &arc->ends, &separator);
            arc->base = place[target >> 1] + (uint32_t)separator;
            arc->skip = skip | (separator ? HAS_SEPARATOR : 0);
            skip += r->below[target >> 1];
            at++;
        }
    }
    free(place), free(stack);
    return 1;
}

/* Number of a string that the automaton accepts, or NO_WORD. */
static uint32_t string_number(const Automaton *a, const uint8_t *symbols, int n) {
    const Arc *at = a->arcs;
    uint32_t number = 0;
    for (int i = 0; i < n; i++) {
        int letter = symbols[i] - 1;
        if (i == n - 1)
            return letter >= 0 && at->ends >> letter & 1 ? (number + end_rank(at, letter)) & STRING_BITS : NO_WORD;
        if (letter >= 0) {
            if (!(at->kids >> letter & 1)) return NO_WORD;
            at = arc_of(a->arcs, at, letter);
        } else {
            if (!(at->skip & HAS_SEPARATOR)) return NO_WORD;
            at = a->arcs + at->base - 1;
        }
        number += at->skip;
    }
    return NO_WORD;
}

#endif
