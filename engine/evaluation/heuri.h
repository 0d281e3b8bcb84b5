/* Heuri's six evaluators, v = j + e - d: score, expected bingo of the leave, defence (see heuri.py).
 * Source: [Heuri, sections 7.2 to 7.4 and 9.2.6 to 9.2.8]. */
#ifndef KIBITZ_HEURI_H
#define KIBITZ_HEURI_H

#include <math.h>
#include "bingo_expectation.h"

typedef struct {
    Valuer valuer;           /* first, so that its address is this one's */
    const BingoTable *table;
    BingoScratch scratch;
    int32_t version;         /* 1 to 6 */
    int32_t prefinal_bag;    /* Heuri 6: fewer tiles than this in the bag, but not none, are the prefinal */
    double bonus;            /* points of a bingo besides those of its tiles */
    double factor;           /* k: points for each point of its tiles */
    double open_factor;      /* Heuri 5 and 6: k on an empty board, and on one where every entry can be played */
    uint32_t counted;        /* septets and reduced octets that the bag can deal */
    double prefinal_factor;  /* Heuri 6: k in the prefinal */
    double tile_mean;        /* Heuri 1: points to expect of a drawn tile */
    int32_t nine_timer, six_timer, four_timer; /* Heuri 1: points subtracted for opening one */
    letter_mask vowels;      /* the vowels of the alphabet */
} HeuriValuer;

/* Return the set of entries that the version counts; write its k to `factor`. */
static const uint64_t *choose_entries(HeuriValuer *h, const Situation *q, double *factor) {
    const BingoTable *t = h->table;
    BingoScratch *s = &h->scratch;
    int levels = q->hand->blanks + q->unseen[0] + 1;
    *factor = h->factor;
    if (h->version <= 2) return t->septets;
    if (h->version == 6 && q->bag_count > 0 && q->bag_count < h->prefinal_bag) {
        *factor = h->prefinal_factor;
        return t->counted;
    }
    need_delta(t, s, q->board, h->version >= 5 || levels > t->levels ? t->levels : levels);
    for (uint32_t i = 0; i < t->entry_count / 64; i++) s->chosen[i] = s->delta[i] & (h->version == 3 ? t->septets[i] : t->counted[i]);
    if (h->version >= 5)
        *factor = q->board->tile_count == 0 || !h->counted ? h->open_factor
                  : h->open_factor * count_entries(t, s->chosen) / h->counted;
    return s->chosen;
}

/* Valuer.value_leaves of Heuri 1 to 6.  The leave of a pass with seven tiles draws nothing; its e is 0, since a bingo in
 * it is already among the plays. */
static void value_heuri_leaves(Valuer *self, const Situation *q, int32_t *values) {
    HeuriValuer *h = (HeuriValuer *)self;
    double expected[LEAVE_CAPACITY], factor;
    int leave_count = q->hand->full_leave + 1;
    const uint64_t *entries;
    memset(values, 0, (size_t)leave_count * sizeof(int32_t));
    if (q->bag_count < BINGO_TILES - q->hand->tiles) return; /* no leave can become seven tiles */
    entries = choose_entries(h, q, &factor);
    if (h->version > 1) {
        expect_bingos(h->table, &h->scratch, entries, q, h->bonus, factor, expected);
        for (int leave = 0; leave < leave_count; leave++) values[leave] = (int32_t)lround(1000 * expected[leave]);
        if (q->hand->tiles == BINGO_TILES && !self->weighs_pass) values[leave_count - 1] = 0;
        return;
    }
    expect_bingos(h->table, &h->scratch, entries, q, 1, 0, expected);
    for (int leave = 0; leave < leave_count; leave++) {
        int left = leave, tiles_left = 0, points = 0;
        if (q->hand->blanks) {
            tiles_left = left % (q->hand->blanks + 1);
            left /= q->hand->blanks + 1;
        }
        for (int letter = 0; letter < q->board->letter_count; letter++) {
            int copies = left % (q->hand->counts[letter] + 1);
            left /= q->hand->counts[letter] + 1;
            tiles_left += copies;
            points += copies * q->board->values[letter];
        }
        expected[leave] *= h->bonus + factor * (points + h->tile_mean * (BINGO_TILES - tiles_left));
        values[leave] = (int32_t)lround(1000 * expected[leave]);
    }
    if (q->hand->tiles == BINGO_TILES && !self->weighs_pass) values[leave_count - 1] = 0;
}

/* Write the placements of a run of n letters as a bit set; return 0 if it is a single letter or in no longer word. */
static int run_placements(const LexiconTables *t, const uint8_t *run, int n, uint64_t *placed) {
    uint32_t word = find_word(t, run, n), internal = word == NO_WORD ? NO_WORD : internal_index(t, word);
    if (internal == NO_WORD) return 0;
    list_placed(t, internal, placed);
    return 1;
}

/* Return the largest product of word factors that a further play through a new run of tiles, on the squares first .. last
 * of a line, could cover; heuri.py says which plays are considered. */
static int largest_timer(const LexiconTables *t, const Line *x, int side, int first, int last, const uint8_t *run) {
    int largest = 1, before = 0, product_before = 1, letters = last - first + 1;
    uint64_t placed[PLACED_LIMBS];
    if (letters > 1 && !run_placements(t, run, letters, placed)) return largest;
    for (int start = first; start >= 0; start--) {
        int empties, product;
        uint32_t lengths;
        if (start < first && !(x->occupied >> start & 1)) {
            if (++before > BINGO_TILES) break;
            product_before *= x->word_factor[start];
        }
        if (start > 0 && x->occupied >> (start - 1) & 1) continue;
        lengths = letters == 1 ? t->letter_lengths[run[0] * SIDE + first - start] : placed_lengths(placed, letters, first - start);
        empties = before;
        product = product_before;
        for (int end = last; lengths && end < side; end++) {
            if (end > last && !(x->occupied >> end & 1)) {
                if (++empties > BINGO_TILES) break;
                product *= x->word_factor[end];
            }
            if (end + 1 < side && x->occupied >> (end + 1) & 1) continue;
            if (product > largest && lengths >> (end - start + 1) & 1) largest = product;
        }
    }
    return largest;
}

/* Return d, the points that Heuri 1 subtracts from a play. */
static int32_t defence(const HeuriValuer *h, const LoadedBoard *b, const Play *play) {
    const LexiconTables *t = h->table->lexicon;
    const Line *x = &b->lines[play->line];
    int side = b->side, place = play->line < side ? play->line : play->line - side, largest, exposed = 0;
    const uint8_t *letters = play->word & ONE_TILE ? NULL : word_letters(t, play->word, play->length);
    uint8_t word[SIDE], run[SIDE];
    for (int i = 0; i < play->length; i++) {
        int tile = x->tiles[play->start + i];
        word[i] = tile != NO_LETTER ? (uint8_t)tile : letters ? letters[i] : (uint8_t)(play->word & ~ONE_TILE);
    }
    largest = largest_timer(t, x, side, play->start, play->start + play->length - 1, word);
    for (int i = 0; i < play->length; i++) {
        const Line *y = &b->lines[play->line < side ? side + play->start + i : play->start + i];
        int first = place, last = place, product, n = 0;
        if (x->tiles[play->start + i] != NO_LETTER) continue;
        while (first > 0 && y->tiles[first - 1] != NO_LETTER) first--;
        while (last < side - 1 && y->tiles[last + 1] != NO_LETTER) last++;
        for (int j = first; j <= last; j++) run[n++] = j == place ? word[i] : y->tiles[j];
        product = largest_timer(t, y, side, first, last, run);
        if (product > largest) largest = product;
        if (!(h->vowels >> word[i] & 1)) continue;
        if (place > 0 && y->tiles[place - 1] == NO_LETTER && y->letter_factor[place - 1] >= 3) exposed = 1;
        if (place < side - 1 && y->tiles[place + 1] == NO_LETTER && y->letter_factor[place + 1] >= 3) exposed = 1;
        if (i == 0 && play->start > 0 && x->letter_factor[play->start - 1] >= 3) exposed = 1;
        if (i == play->length - 1 && play->start + i < side - 1 && x->letter_factor[play->start + i + 1] >= 3) exposed = 1;
    }
    return largest >= 9 ? h->nine_timer : exposed ? h->six_timer : largest >= 4 ? h->four_timer : 0;
}

/* Valuer.adjust_plays of Heuri 1. */
static void subtract_defence(Valuer *self, const Situation *q, Play *plays, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) plays[i].equity -= 1000 * defence((const HeuriValuer *)self, q->board, &plays[i]);
}

#endif
