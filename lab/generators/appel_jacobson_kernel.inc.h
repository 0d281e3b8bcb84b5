/* Appel and Jacobson's search over the DAWG, included once per target.
 *
 * An anchor is an empty square beside a tile.  Each word is found at the first anchor that it covers.  Its part before
 * the anchor is the run of tiles that lies there, or letters of the rack on squares that are no anchors; then the word is
 * extended to the right.  A word counts only when the anchor is covered, which [MoveGenChapter] corrected.  The score is
 * computed on the way: points of the letters, the product of the word factors, and the words across at each new tile.
 * Source: [AppelJacobson1988]; [MoveGenChapter]; [Cipra2006, chapter 4]; [Sanchez2025, section 2.3.1]. */

/* A partial word. */
typedef struct {
    int32_t points;      /* of its letters, letter premiums included */
    int32_t factor;      /* product of the word premiums covered */
    int32_t across;      /* points of the words across */
    int32_t placed;      /* tiles placed */
    int32_t spent;       /* their leave weights, summed (Hand) */
    uint32_t blanks;     /* squares that took a blank */
    uint32_t number;     /* number of the first string that begins with it, among all that the automaton accepts */
} NAME(Partial);

/* Write the play of a word on the squares start .. end. */
TARGET static void NAME(record)(ArcSearch *g, int start, int end, uint32_t number, const NAME(Partial) *word) {
    Play play = {
        .word = number & STRING_BITS,
        .score = word->points * word->factor + word->across + (word->placed == g->hand.bingo_tiles ? g->hand.bingo_bonus : 0),
        .blanks = word->blanks >> start,
        .line = (uint8_t)g->line_number,
        .start = (uint8_t)start,
        .length = (uint8_t)(end - start + 1),
        .placed = (uint8_t)word->placed,
    };
    if (word->placed == 1) {
        int square = __builtin_ctz(square_range(start, end) & ~g->occupied);
        if (!lists_one_tile(g, square)) return;
        play.word = ONE_TILE | g->path[square];
    }
    if (has_room(&g->sink)) write_play(&g->sink, &g->hand, play, word->spent);
}

/* Add a tile on an empty square: a blank, or one with the letter's points. */
TARGET static inline void NAME(place)(ArcSearch *g, NAME(Partial) *word, int square, int letter, int blank) {
    const Line *line = g->line;
    int32_t points = blank ? 0 : g->hand.values[letter] * line->letter_factor[square];
    word->points += points;
    word->factor *= line->word_factor[square];
    if (line->crossed >> square & 1) word->across += (line->cross_points[square] + points) * line->word_factor[square];
    word->spent += blank ? g->hand.blank_weight : g->hand.leave_weights[letter];
    word->blanks |= (uint32_t)blank << square;
    word->placed++;
    g->path[square] = (uint8_t)letter;
}

/* Extend a partial word to the right.  `at` leads to its state; `ended` is its number if it is a word, else NO_WORD. */
TARGET static void NAME(extend_right)(ArcSearch *g, const Arc *at, uint32_t ended, int start, int square, const NAME(Partial) *word) {
    static const Arc no_arcs = {0, 0, 0, 0};
    const Arc *arcs = g->automaton->arcs;
    if (g->occupied >> square & 1) {
        int letter = g->line->tiles[square];
        letter_mask bit = (letter_mask)1 << letter;
        if ((at->kids | at->ends) & bit) {
            const Arc *child = at->kids & bit ? arc_of(arcs, at, letter) : &no_arcs;
            NAME(Partial) longer = *word;
            longer.points += g->line->points_before[square + 1] - g->line->points_before[square];
            longer.number += child->skip;
            g->arc_count++;
            NAME(extend_right)(g, child, at->ends & bit ? word->number + end_rank(at, letter) : NO_WORD, start, square + 1, &longer);
        }
        return;
    }
    if (ended != NO_WORD && square > g->anchor) NAME(record)(g, start, square - 1, ended, word);
    if (square == g->board->side || word->placed == g->hand.tiles) return;
    for (int blank = 0; blank < 2; blank++) {
        letter_mask fit = (at->kids | at->ends) & g->line->admissible[square];
        if (!blank) {
            letter_mask held = 0;
            for (letter_mask m = g->hand.letters; m; m &= m - 1)
                if (g->counts[lowest_letter(m)]) held |= m & -m;
            fit &= held;
        } else if (g->missing_count == g->hand.blanks) {
            return;
        }
        for (; fit; fit &= fit - 1) {
            int letter = lowest_letter(fit);
            letter_mask bit = fit & -fit;
            const Arc *child = at->kids & bit ? arc_of(arcs, at, letter) : &no_arcs;
            NAME(Partial) longer = *word;
            NAME(place)(g, &longer, square, letter, blank);
            longer.number += child->skip;
            g->arc_count++;
            if (blank) g->missing_count++; else g->counts[letter]--;
            NAME(extend_right)(g, child, at->ends & bit ? word->number + end_rank(at, letter) : NO_WORD, start, square + 1, &longer);
            if (blank) g->missing_count--; else g->counts[letter]++;
        }
    }
}

/* Extend every part before the anchor that the rack can spell, of up to `limit` letters.  The squares of a part follow
 * from its length, so its letters are placed, and their points counted, when it is complete. */
TARGET static void NAME(left_parts)(ArcSearch *g, const Arc *at, uint32_t number, int length, int limit) {
    const Arc *arcs = g->automaton->arcs;
    NAME(Partial) word = {.factor = 1, .number = number};
    int start = g->anchor - length;
    for (int i = 0; i < length; i++) {
        uint8_t tile = g->left_part[i];
        NAME(place)(g, &word, start + i, tile & ~BLANK_BIT, tile >> 7);
    }
    NAME(extend_right)(g, at, NO_WORD, start, g->anchor, &word);
    if (length == limit || length == RACK_CAPACITY - 1) return; /* one tile is for the anchor */
    for (int blank = 0; blank < 2; blank++)
        for (letter_mask fit = at->kids; fit; fit &= fit - 1) {
            int letter = lowest_letter(fit);
            const Arc *child;
            if (blank ? g->missing_count == g->hand.blanks : !g->counts[letter]) continue;
            child = arc_of(arcs, at, letter);
            g->left_part[length] = (uint8_t)(letter | blank << 7);
            g->arc_count++;
            if (blank) g->missing_count++; else g->counts[letter]--;
            NAME(left_parts)(g, child, number + child->skip, length + 1, limit);
            if (blank) g->missing_count--; else g->counts[letter]++;
        }
}

/* Find the plays of a line. */
TARGET static void NAME(search_line)(ArcSearch *g) {
    const uint32_t occupied = g->occupied;
    uint32_t anchors = (g->line->halo | occupied << 1 | occupied >> 1) & ~occupied & square_range(0, g->board->side - 1);
    int open = 0; /* the first square after the last anchor */
    for (; anchors; anchors &= anchors - 1) {
        g->anchor = __builtin_ctz(anchors);
        g->anchor_count++;
        if (g->anchor && occupied >> (g->anchor - 1) & 1) {
            const Arc *at = g->automaton->arcs;
            NAME(Partial) word = {.factor = 1};
            int start = g->anchor, square;
            while (start && occupied >> (start - 1) & 1) start--;
            for (square = start; square < g->anchor && at->kids >> g->line->tiles[square] & 1; square++) {
                at = arc_of(g->automaton->arcs, at, g->line->tiles[square]);
                word.number += at->skip;
            }
            word.points = g->line->points_before[g->anchor] - g->line->points_before[start];
            if (square == g->anchor) NAME(extend_right)(g, at, NO_WORD, start, g->anchor, &word);
        } else {
            int limit = g->anchor - open;
            if (limit > g->hand.tiles - 1) limit = g->hand.tiles - 1;
            NAME(left_parts)(g, g->automaton->arcs, 0, 0, limit);
        }
        open = g->anchor + 1;
    }
}
