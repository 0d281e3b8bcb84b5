/* Heuri's bingo expectation: the probability that each leave of a rack becomes one of a set of entries.
 *
 * The profile of an entry is how many it has of each letter of the rack.  One pass over the entries adds, to the sum of
 * its profile, the ways to draw the letters of each entry that the rack lacks; contracting the sums letter by letter
 * gives every leave at once.
 * Source: [Heuri, sections 7.2 and 7.3]. */
#ifndef KIBITZ_BINGO_EXPECTATION_H
#define KIBITZ_BINGO_EXPECTATION_H

#include "delta_set.h"

/* Return the binomial coefficient C(n, k). */
static double choices(int n, int k) {
    double product = 1;
    if (k > n) return 0;
    for (int i = 0; i < k; i++) product = product * (n - i) / (i + 1);
    return product;
}

/* A rack and the unseen tiles, in the form that the sums need. */
typedef struct {
    int32_t distinct;                  /* different letters of the rack */
    uint8_t codes[BINGO_TILES];        /* their tile codes, ascending */
    int32_t held[BINGO_TILES];         /* tiles of each in the rack */
    int32_t blanks, unseen_blanks;     /* blanks in the rack; unseen ones */
    int8_t axis[LETTER_CAPACITY + 1];  /* by tile code: index of the letter in `codes`, or -1 */
    double ways[LETTER_CAPACITY + 1][BINGO_TILES + 1]; /* by tile code: C(unseen, copies) */
} LeaveProblem;

/* Compute the values of all front or back parts, but not their rewards. */
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

/* Turn sums by how many an entry has of each letter of the rack into sums by how many a leave has of it, letter by
 * letter; the draw supplies the difference. */
static double *contract_profiles(const LeaveProblem *p, int levels, double *sums, double *spare) {
    size_t inner = 1, outer = (size_t)levels << 2 * p->distinct;
    for (int axis = 0; axis < p->distinct; axis++) {
        const double *ways = p->ways[p->codes[axis]];
        int leave_values = p->held[axis] + 1;
        double *done = spare;
        outer /= MAX_COPIES + 1;
        for (size_t o = 0; o < outer; o++) {
            const double *from = sums + o * (MAX_COPIES + 1) * inner;
            double *to = spare + o * (size_t)leave_values * inner;
            for (int left = 0; left < leave_values; left++)
                for (size_t i = 0; i < inner; i++) {
                    double sum = 0;
                    for (int copies = left; copies <= MAX_COPIES; copies++) sum += from[copies * inner + i] * ways[copies - left];
                    to[left * inner + i] = sum;
                }
        }
        inner *= (size_t)leave_values;
        spare = sums;
        sums = done;
    }
    return sums;
}

/* Add one entry to every leave that it contains; for the few entries that have no profile. */
static void add_crowded(const BingoTable *t, uint32_t entry, int level, const LeaveProblem *p, const int16_t *points, double bonus, double factor,
                        const uint8_t left[LEAVE_CAPACITY][BINGO_TILES + 1], int leave_count, double *sums) {
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
        if (left[leave][BINGO_TILES] > level) continue;
        product *= choices(p->unseen_blanks, level - left[leave][BINGO_TILES]);
        for (int axis = 0; axis < p->distinct; axis++) {
            int drawn = copies[axis] - left[leave][axis];
            product *= drawn < 0 ? 0 : p->ways[p->codes[axis]][drawn];
        }
        sums[leave] += product;
    }
}

/* List the leaves in the order of their numbers (Hand): copies of each letter of the rack, ascending, and last the
 * blanks; return how many there are. */
static int list_leaves(const LeaveProblem *p, uint8_t left[LEAVE_CAPACITY][BINGO_TILES + 1]) {
    uint8_t digits[BINGO_TILES + 1] = {0};
    for (int count = 0;;) {
        int axis = 0;
        memcpy(left[count++], digits, sizeof(digits));
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

/* Write for each leave of a rack the sum over entries of probability x (bonus + factor x points of its tiles).  The
 * probability is that a leave of n tiles and 7 - n tiles drawn from the unseen ones are the entry; it is 0 if the bag has
 * fewer.  `expected`: full_leave + 1 values. */
static void expect_bingos(const BingoTable *t, BingoScratch *s, const uint64_t *entries, const Situation *q, double bonus, double factor, double *expected) {
    const Hand *hand = q->hand;
    const int16_t *points = q->board->values;
    uint8_t left[LEAVE_CAPACITY][BINGO_TILES + 1];
    double crowded[LEAVE_CAPACITY] = {0}, *sums;
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
    leave_count = list_leaves(&p, left);
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
            if (has_entry(entries, entry)) add_crowded(t, entry, level, &p, points, bonus, factor, left, leave_count, crowded);
    }
    sums = contract_profiles(&p, p.blanks ? levels : 1, s->sums, s->spare);
    for (int leave = 0; leave < leave_count; leave++) {
        int drawn = BINGO_TILES - left[leave][BINGO_TILES], letters = leave_count / (p.blanks + 1), number = leave / (p.blanks + 1);
        double total = crowded[leave];
        for (int axis = 0; axis < p.distinct; axis++) drawn -= left[leave][axis];
        expected[leave] = 0;
        if (q->bag_count < drawn || q->unseen_count < drawn) continue;
        if (p.blanks)
            for (int level = left[leave][BINGO_TILES]; level < levels; level++)
                total += sums[level * letters + number] * choices(p.unseen_blanks, level - left[leave][BINGO_TILES]);
        else total += sums[number];
        expected[leave] = total / choices(q->unseen_count, drawn);
    }
}

#endif
