/* Gordon's search over the GADDAG, included once per target, with and without blanks in the rack (BLANKS).
 *
 * A word is entered at a square that it must cover and read to the left, then behind the separator to the right.
 * A line is entered at each run of tiles, for the words whose first run it is (the letters of the run are walked once,
 * so all words found agree with them), and at each square with a word across that touches no run, for the words between
 * two runs whose first such square it is.
 *
 * Blanks: a letter that the rack has no tile left for counts as missing, as long as there are blanks.  Which squares the
 * blanks really take is decided when a word is complete, so no path is walked twice.
 * Source: [Gordon1994]; [Sanchez2025, section 2.3.2]; [Heuri, section 4.1.2]. */

#if BLANKS
/* Write a play for every choice of squares that take a blank: at least those of the missing letters, at most as many as
 * the rack has blanks. */
TARGET static __attribute__((noinline)) void NAME(record_choices)(ArcSearch *g, Play play, int32_t factor, int spent) {
    const Line *line = g->line;
    uint32_t empty = square_range(play.start, play.start + play.length - 1) & ~g->occupied;
    uint8_t letter[RACK_CAPACITY];
    uint32_t bit[RACK_CAPACITY];
    int32_t points[RACK_CAPACITY]; /* by square: what the play loses with a blank there */
    int weight[RACK_CAPACITY];     /* by square: what `spent` gains with a blank there */
    int n = 0, missing = g->missing_count, most = g->hand.blanks;
    const uint8_t *lacking = g->missing;
    const int32_t score = play.score;
    if (g->sink.count + (1u << RACK_CAPACITY) > g->sink.capacity && !reserve_plays(&g->sink, 1u << RACK_CAPACITY)) return;
    for (; empty; empty &= empty - 1, n++) {
        int square = __builtin_ctz(empty);
        letter[n] = g->path[square];
        bit[n] = 1u << (square - play.start);
        points[n] = (line->along_factor[square] * factor + line->across_factor[square]) * g->hand.values[letter[n]];
        weight[n] = g->hand.blank_weight - g->hand.leave_weights[letter[n]];
    }
#define WRITE(lost, squares, gained) \
    play.score = score - (lost), play.blanks = (squares), write_play(&g->sink, &g->hand, play, spent + (gained))
    if (!missing) WRITE(0, 0, 0);
    if (missing <= 1)
        for (int i = 0; i < n; i++)
            if (!missing || letter[i] == lacking[0]) WRITE(points[i], bit[i], weight[i]);
    if (most >= 2 && missing <= 2)
        for (int i = 0; i < n; i++) {
            int first = missing && letter[i] == lacking[0], second = missing == 2 && letter[i] == lacking[1];
            for (int j = i + 1; j < n; j++)
                if (!missing || (missing == 1 && (first || letter[j] == lacking[0])) ||
                    (missing == 2 && ((first && letter[j] == lacking[1]) || (second && letter[j] == lacking[0]))))
                    WRITE(points[i] + points[j], bit[i] | bit[j], weight[i] + weight[j]);
        }
    if (most >= 3)
        for (uint32_t chosen = 7; chosen < 1u << n; chosen++) { /* rare tile sets */
            int count = __builtin_popcount(chosen), covered = 0, gained = 0;
            int32_t lost = 0;
            uint32_t squares = 0, left = chosen;
            if (count < 3 || count > most || count < missing) continue;
            for (int m = 0; m < missing; m++)
                for (uint32_t c = left; c; c &= c - 1)
                    if (letter[__builtin_ctz(c)] == lacking[m]) {
                        left &= ~(c & -c);
                        covered++;
                        break;
                    }
            if (covered < missing) continue;
            for (uint32_t c = chosen; c; c &= c - 1) {
                int i = __builtin_ctz(c);
                lost += points[i];
                squares |= bit[i];
                gained += weight[i];
            }
            WRITE(lost, squares, gained);
        }
#undef WRITE
}
#endif

/* Write the plays of a word on the squares start .. end.  `sum`: over its tiles, as described in arc_search.h. */
TARGET static inline __attribute__((always_inline)) void NAME(record)(ArcSearch *g, int start, int end, uint32_t number, uint64_t sum) {
    const Line *line = g->line;
    int32_t factor = 1;
    int placed = (int)(sum >> PLACED_SHIFT), spent = (int)(sum >> SPENT_SHIFT & 0xff);
    uint32_t squares = square_range(start, end);
    Play play;
    number &= STRING_BITS;
    if (__builtin_expect(placed == 1, 0)) {
        int square = __builtin_ctz(squares & ~g->occupied);
        if (!lists_one_tile(g, square)) return;
        number = ONE_TILE | g->path[square];
    }
    for (uint32_t premium = squares & line->open_word_premiums; premium; premium &= premium - 1)
        factor *= line->word_factor[__builtin_ctz(premium)];
    play = (Play){
        .word = number,
        .score = ((int32_t)(sum & 0xffff) + line->points_before[end + 1] - line->points_before[start]) * factor +
                 (int32_t)(sum >> ACROSS_SHIFT & 0xffff) + line->cross_points_before[end + 1] - line->cross_points_before[start] +
                 (placed == g->hand.bingo_tiles ? g->hand.bingo_bonus : 0),
        .line = (uint8_t)g->line_number,
        .start = (uint8_t)start,
        .length = (uint8_t)(end - start + 1),
        .placed = (uint8_t)placed,
    };
#if BLANKS
    NAME(record_choices)(g, play, factor, spent);
#else
    if (has_room(&g->sink)) write_play(&g->sink, &g->hand, play, spent);
#endif
}

/* Run STEP(letter, rest) for each letter that the rack, by a tile or a blank, can place on a square.  `fit`: the letters
 * that the automaton and the word across allow; `rest`: the letters that the rack still has afterwards. */
#define EACH_TILE(fit, STEP)                                                              \
    for (letter_mask m_ = (fit) & letters; m_; m_ &= m_ - 1) {                            \
        int letter_ = lowest_letter(m_);                                                  \
        letter_mask rest_ = --g->counts[letter_] ? letters : letters & ~(m_ & -m_);       \
        (void)rest_; /* the last tile leaves none */                                      \
        g->path[square] = (uint8_t)letter_;                                               \
        STEP(letter_, rest_);                                                             \
        g->counts[letter_]++;                                                             \
    }
#if BLANKS
#define EACH_LETTER(fit, STEP)                                                            \
    do {                                                                                  \
        EACH_TILE(fit, STEP)                                                              \
        if (g->missing_count < g->hand.blanks)                                            \
            for (letter_mask m_ = (fit) & ~letters; m_; m_ &= m_ - 1) {                   \
                int letter_ = lowest_letter(m_);                                          \
                g->path[square] = g->missing[g->missing_count++] = (uint8_t)letter_;      \
                STEP(letter_, letters);                                                   \
                g->missing_count--;                                                       \
            }                                                                             \
    } while (0)
#define CAN_SHOW(rest) (g->missing_count < g->hand.blanks ? ~(letter_mask)0 : (rest))
#else
#define EACH_LETTER(fit, STEP)                                                            \
    do {                                                                                  \
        EACH_TILE(fit, STEP)                                                              \
    } while (0)
#define CAN_SHOW(rest) (rest)
#endif

#define PLACE(letter) (sum + (uint64_t)g->hand.values[letter] * g->factors[square] + g->tile_sums[letter])

/* Prefetch what the arcs of some letters lead to: most of the time goes into waiting for it. */
TARGET static inline __attribute__((always_inline)) void NAME(fetch_ahead)(const Arc *arcs, const Arc *at, letter_mask fit) {
    for (; fit; fit &= fit - 1) __builtin_prefetch(arcs + arc_of(arcs, at, lowest_letter(fit))->base - 1);
}

TARGET static void NAME(go_right)(ArcSearch *g, const Arc *at, int square, uint64_t sum, uint32_t number, letter_mask letters);

/* Walk the run of tiles that begins at `next`, right of a tile just placed. */
TARGET static void NAME(cross_run)(ArcSearch *g, const Arc *at, int next, uint64_t sum, uint32_t number, letter_mask letters) {
    const Arc *arcs = g->automaton->arcs;
    int letter = g->line->tiles[next];
    for (; g->occupied >> (next + 1) & 1; letter = g->line->tiles[++next]) {
        if (!(at->kids >> letter & 1)) return;
        at = arc_of(arcs, at, letter);
        number += at->skip;
    }
    if (at->ends >> letter & 1) NAME(record)(g, g->start, next, number + end_rank(at, letter), sum);
    if (sum >> PLACED_SHIFT <= g->last_tile && at->kids >> letter & 1 && next + 1 < g->right_limit) {
        at = arc_of(arcs, at, letter);
        NAME(go_right)(g, at, next + 1, sum, number + at->skip, letters);
    }
}

/* Place a tile on an empty square to the right of the entry. */
TARGET static void NAME(go_right)(ArcSearch *g, const Arc *at, int square, uint64_t sum, uint32_t number, letter_mask letters) {
    const Arc *arcs = g->automaton->arcs;
    letter_mask open = g->line->admissible[square];
    const int next = square + 1;
    if (g->occupied >> next & 1) {
#define STEP(letter, rest)                                                                      \
    const Arc *child = arc_of(arcs, at, letter);                                                \
    g->arc_count++;                                                                             \
    NAME(cross_run)(g, child, next, PLACE(letter), number + child->skip, rest)
        EACH_LETTER(at->kids & open, STEP);
#undef STEP
    } else if (sum >> PLACED_SHIFT == g->last_tile || next >= g->right_limit) {
#define STEP(letter, rest) NAME(record)(g, g->start, square, number + end_rank(at, letter), PLACE(letter))
        EACH_LETTER(at->ends & open, STEP);
#undef STEP
    } else {
        letter_mask ahead = g->line->admissible[next];
        NAME(fetch_ahead)(arcs, at, at->kids & open & CAN_SHOW(letters));
#define STEP(letter, rest)                                                                      \
    uint64_t longer = PLACE(letter);                                                            \
    if (at->ends >> letter & 1) NAME(record)(g, g->start, square, number + end_rank(at, letter), longer); \
    if (at->kids >> letter & 1) {                                                               \
        const Arc *child = arc_of(arcs, at, letter);                                            \
        g->arc_count++;                                                                         \
        if ((child->kids | child->ends) & ahead & CAN_SHOW(rest))                               \
            NAME(go_right)(g, child, next, longer, number + child->skip, rest);                 \
    }
        EACH_LETTER((at->kids | at->ends) & open, STEP);
#undef STEP
    }
}

/* The word begins at `start`: read on to the right of its left part, if the automaton has a separator here. */
TARGET static inline void NAME(turn)(ArcSearch *g, const Arc *at, int start, uint64_t sum, uint32_t number, letter_mask letters) {
    const int square = g->end + 1;
    if (at->skip & HAS_SEPARATOR && square < g->right_limit) {
        const Arc *turned = g->automaton->arcs + at->base - 1;
        g->arc_count++;
        if ((turned->kids | turned->ends) & g->line->admissible[square] & CAN_SHOW(letters)) {
            g->start = start;
            NAME(go_right)(g, turned, square, sum, number + turned->skip, letters);
        }
    }
}

/* Place a tile on an empty square: the entry, or to the left of it. */
TARGET static void NAME(go_left)(ArcSearch *g, const Arc *at, int square, uint64_t sum, uint32_t number, letter_mask letters) {
    const Arc *arcs = g->automaton->arcs;
    letter_mask open = g->line->admissible[square];
    if (sum >> PLACED_SHIFT == g->last_tile) {
#define STEP(letter, rest) NAME(record)(g, square, g->end, number + end_rank(at, letter), PLACE(letter))
        EACH_LETTER(at->ends & open, STEP);
#undef STEP
    } else {
        int further = square > g->left_limit;
        letter_mask ahead = further ? g->line->admissible[square - 1] : 0;
        NAME(fetch_ahead)(arcs, at, at->kids & open & CAN_SHOW(letters));
#define STEP(letter, rest)                                                                      \
    uint64_t longer = PLACE(letter);                                                            \
    if (at->ends >> letter & 1) NAME(record)(g, square, g->end, number + end_rank(at, letter), longer); \
    if (at->kids >> letter & 1) {                                                               \
        const Arc *child = arc_of(arcs, at, letter);                                            \
        g->arc_count++;                                                                         \
        NAME(turn)(g, child, square, longer, number + child->skip, rest);                       \
        if ((child->kids | child->ends) & ahead & CAN_SHOW(rest))                               \
            NAME(go_left)(g, child, square - 1, longer, number + child->skip, rest);            \
    }
        EACH_LETTER((at->kids | at->ends) & open, STEP);
#undef STEP
    }
}

/* Find the plays whose first run of tiles is first .. last. */
TARGET static void NAME(enter_at_run)(ArcSearch *g, int first, int last) {
    const Arc *arcs = g->automaton->arcs, *at = arcs;
    uint32_t number = 0;
    g->anchor_count++;
    for (int i = last; i >= first; i--) {
        int letter = g->line->tiles[i];
        if (!(at->kids >> letter & 1)) return;
        at = arc_of(arcs, at, letter);
        number += at->skip;
    }
    g->end = last;
    NAME(turn)(g, at, first, 0, number, g->hand.letters);
    if (first > g->left_limit) NAME(go_left)(g, at, first - 1, 0, number, g->hand.letters);
}

/* Find the plays of a line. */
TARGET static void NAME(search_line)(ArcSearch *g) {
    const int side = g->board->side;
    const uint32_t occupied = g->occupied;
    uint32_t anchors = g->line->halo & ~(occupied | occupied << 1 | occupied >> 1);
    int square = 0, gap = 0; /* gap: the first square after the last run where a word may begin */
    while (square < side) {
        uint32_t rest = occupied >> square;
        int run = rest ? square + __builtin_ctz(rest) : side, last;
        g->right_limit = rest ? run - 1 : side;
        for (g->left_limit = gap; anchors & ((1u << run) - 1); anchors &= anchors - 1) {
            g->end = __builtin_ctz(anchors);
            g->anchor_count++;
            NAME(go_left)(g, g->automaton->arcs, g->end, 0, 0, g->hand.letters);
            g->left_limit = g->end + 1;
        }
        if (!rest) return;
        last = run + __builtin_ctz(~(occupied >> run)) - 1;
        g->left_limit = gap;
        g->right_limit = side;
        NAME(enter_at_run)(g, run, last);
        gap = last + 2;
        square = last + 1;
    }
}

#undef EACH_LETTER
#undef EACH_TILE
#undef CAN_SHOW
#undef PLACE
