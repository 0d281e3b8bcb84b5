/* The delta set of a board: the entries of a bingo table that can be played there as a bingo of any length.
 *
 * Bit sets of words answer each interval of seven empty squares: the words of its length with the letters of its tiles in
 * their places, and with letters that the crossed squares admit.  Entries with blanks follow from those without.
 * Source: [Heuri, section 7.4]. */
#ifndef KIBITZ_DELTA_SET_H
#define KIBITZ_DELTA_SET_H

#include "bingo_table.h"

/* Return the bit set of the words of a length that have a letter at a position. */
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

/* Remove from the fitting words those whose letter at a position is not admissible. */
static void intersect_admitted(const BingoTable *t, BingoScratch *s, int length, int position, letter_mask admissible) {
    uint32_t limbs = t->row_limbs[length];
    letter_mask letters = admissible & every_letter(t);
    if (letters == every_letter(t)) return;
    memset(s->admitted, 0, limbs * sizeof(uint64_t));
    for (; letters; letters &= letters - 1)
        unite_rows(s->admitted, word_row(t, length, position, __builtin_ctzll(letters)), limbs);
    intersect_rows(s->fitting, s->admitted, limbs);
}

static inline uint64_t hash_key(uint64_t key) { return key * 0x9e3779b97f4a7c15ull; }

/* Return the entry with a key, or the last number, which stands for "no entry". */
static uint32_t find_entry(const BingoTable *t, uint64_t key) {
    uint64_t hash = hash_key(key);
    uint32_t slot_mask = (1u << t->slot_bits) - 1, slot = (uint32_t)(hash >> (64 - t->slot_bits));
    if (!has_entry(t->filter, (uint32_t)(hash >> (64 - FILTER_BITS)))) return t->entry_count - 1;
    for (; t->slots[slot]; slot = (slot + 1) & slot_mask)
        if (t->keys[t->slots[slot] - 1] == key) return t->slots[slot] - 1;
    return t->entry_count - 1;
}

/* Return a key with a blank in place of the tile in a byte (0 is the last byte, the highest tile code). */
static inline uint64_t with_blank(uint64_t key, int byte) {
    uint64_t below = (1ull << 8 * byte) - 1;
    return (key >> 8 * (byte + 1) << 8 * byte) | (key & below);
}

/* Mark the entry of seven letters, or, if they are no entry, every entry with blanks in place of some of them.  Entries
 * with more blanks follow from the marked ones (mark_children). */
static void mark_letters(const BingoTable *t, uint64_t *delta, uint64_t key, int level, int from) {
    uint32_t entry = find_entry(t, key);
    if (entry != t->entry_count - 1) {
        mark_entry(delta, entry);
        return;
    }
    if (level + 1 == t->levels) return;
    /* The bytes below `from` keep their letters, so that each choice of letters comes up once. */
    for (int byte = from; byte < BINGO_TILES - level; byte++) {
        uint64_t blanked;
        if (byte > from && (key >> 8 * byte & 255) == (key >> 8 * (byte - 1) & 255)) continue;
        /* Taking a byte out moves the higher ones down, so the next to take out has the same number. */
        blanked = with_blank(key, byte);
        mark_letters(t, delta, blanked, level + 1, byte);
    }
}

/* Mark the entries of the words of nine or more letters that fit an interval with two or more tiles. */
static void mark_longer_words(const BingoTable *t, BingoScratch *s, const Line *x, int start, int length) {
    uint32_t limbs = t->row_limbs[length];
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
            const uint8_t *word = word_letters(t->lexicon, t->lexicon->length_start[length] + 64 * limb + (uint32_t)__builtin_ctzll(bits), length);
            uint8_t codes[BINGO_TILES];
            uint64_t key = 0;
            int n = 0, fits = 1;
            for (int i = 0; i < length; i++) {
                int j;
                if (!(x->admissible[start + i] >> word[i] & 1)) {
                    fits = 0;
                    break;
                }
                if (x->tiles[start + i] != NO_LETTER) continue;
                for (j = n++; j && codes[j - 1] > word[i] + 1; j--) codes[j] = codes[j - 1];
                codes[j] = (uint8_t)(word[i] + 1);
            }
            if (!fits) continue;
            for (int i = 0; i < BINGO_TILES; i++) key = key << 8 | codes[i];
            s->marked_longer++;
            mark_letters(t, s->delta, key, 0, 0);
        }
}

/* Collect the words that fit the interval that begins at a square of a line and has seven empty squares. */
static void find_bingos(const BingoTable *t, BingoScratch *s, const LoadedBoard *board, const Line *x, int start, int32_t *all_sevens) {
    int side = board->side, k = x->empty_before[start] + BINGO_TILES, end, length;
    uint32_t limbs, constrained;
    if (k > x->empty_before[side]) return;
    end = k < x->empty_before[side] ? x->empties[k] - 1 : side - 1;
    if (!(x->interval_ends[start] >> end & 1)) return;
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
            intersect_admitted(t, s, length, i, x->admissible[start + i]);
        }
        unite_rows(s->sevens, s->fitting, limbs);
    } else {
        int at = x->runs[x->runs_before[start]].first - start, letter = x->tiles[start + at];
        uint64_t *row = s->eights + (uint64_t)(letter * OCTET_LETTERS + at) * limbs;
        uint8_t *state = &s->eight_state[letter][at];
        if (*state == ALL_FIT) return;
        if (!constrained) {
            *state = ALL_FIT;
            return;
        }
        memcpy(s->fitting, word_row(t, length, at, letter), limbs * sizeof(uint64_t));
        for (; constrained; constrained &= constrained - 1) {
            int i = __builtin_ctz(constrained);
            intersect_admitted(t, s, length, i, x->admissible[start + i]);
        }
        if (*state) unite_rows(row, s->fitting, limbs);
        else memcpy(row, s->fitting, limbs * sizeof(uint64_t));
        *state = SOME_FIT;
    }
}

/* Mark the entries of the words of a bit set. */
static void mark_words(uint64_t *delta, const uint64_t *row, uint32_t limbs, const uint32_t *entries) {
    for (uint32_t limb = 0; limb < limbs; limb++)
        for (uint64_t bits = row[limb]; bits; bits &= bits - 1) mark_entry(delta, entries[64 * limb + __builtin_ctzll(bits)]);
}

/* Mark the entries that have a blank in place of a letter of a marked entry of a level. */
static void mark_children(const BingoTable *t, uint64_t *delta, int level) {
    uint32_t first = t->regular[level], last = (t->ends[level] + 63) / 64;
    int letters = BINGO_TILES - level;
    for (uint32_t limb = first / 64; limb < last; limb++)
        for (uint64_t bits = delta[limb]; bits; bits &= bits - 1) {
            uint32_t entry = 64 * limb + (uint32_t)__builtin_ctzll(bits);
            const uint32_t *children = t->children[level] + (uint64_t)(entry - first) * (uint32_t)letters;
            switch (letters) { /* not a loop: its end would be mispredicted for every entry */
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
    memset(s->eight_state, 0, sizeof(s->eight_state));
    s->marked_longer = 0;
    for (int line = 0; line < 2 * board->side; line++) {
        const Line *x = &board->lines[line];
        for (uint32_t starts = x->interval_starts; starts; starts &= starts - 1)
            find_bingos(t, s, board, x, __builtin_ctz(starts), &all_sevens);
    }
    if (all_sevens) memset(s->sevens, 0xff, t->row_limbs[BINGO_TILES] * sizeof(uint64_t));
    mark_words(s->delta, s->sevens, t->row_limbs[BINGO_TILES], t->septet_of);
    for (int letter = 0; letter < t->lexicon->letter_count; letter++)
        for (int at = 0; at < OCTET_LETTERS; at++)
            if (s->eight_state[letter][at]) {
                const uint64_t *row = s->eights + (uint64_t)(letter * OCTET_LETTERS + at) * limbs;
                if (s->eight_state[letter][at] == ALL_FIT) row = word_row(t, OCTET_LETTERS, at, letter);
                mark_words(s->delta, row, limbs, t->octet_of + (uint64_t)at * octets);
            }
    for (int level = 0; level + 1 < levels; level++) mark_children(t, s->delta, level);
    s->delta[(t->entry_count - 1) >> 6] &= ~(1ull << 63);
    s->levels = levels;
    s->side = board->side;
    memcpy(s->squares, board->squares, (size_t)(board->side * board->side));
}

/* Compute the delta set unless the scratch memory holds that of the board; that of an empty board depends on its start
 * squares and is always computed. */
static void need_delta(const BingoTable *t, BingoScratch *s, const LoadedBoard *board, int levels) {
    if (s->levels >= levels && board->tile_count && s->side == board->side &&
        !memcmp(s->squares, board->squares, (size_t)(board->side * board->side)))
        return;
    load_delta(t, s, board, levels);
}

/* Count the entries of a set that the bag can deal. */
static uint32_t count_entries(const BingoTable *t, const uint64_t *bits) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->entry_count / 64; i++) count += (uint32_t)__builtin_popcountll(bits[i] & t->counted[i]);
    return count;
}

#endif
