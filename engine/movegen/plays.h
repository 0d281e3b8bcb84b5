/* The rack and the plays found: what all generators share. */
#ifndef KIBITZ_PLAYS_H
#define KIBITZ_PLAYS_H

#include <stdlib.h>
#include "loaded_board.h"

#define ONE_TILE 0x80000000u /* Play.word of a play of one tile: this bit and the letter */
#define LEAVE_CAPACITY (1 << RACK_CAPACITY) /* most leaves of a rack of RACK_CAPACITY tiles */

/* A play.  Its squares are those of its main word, from the first to the last, tiles on the board included. */
typedef struct {
    uint32_t word;   /* word id, or ONE_TILE | letter */
    int32_t score;   /* points */
    int32_t equity;  /* millipoints: 1000 x score + value of the leave, cut at INT32_MAX (reached by made-up layouts only) */
    uint32_t blanks; /* bit i: square i of the word takes a blank */
    uint8_t line;    /* row, or side + column */
    uint8_t start;   /* first square of the word in its line */
    uint8_t length;  /* letters of the word */
    uint8_t placed;  /* tiles that the play puts on the board */
    uint8_t leave;   /* number of the leave in Hand.leave_values, 0 if there are none */
    uint8_t unused[3];
} Play;

/* The rack as generators use it.
 *
 * Its leaves are numbered in mixed radix: one digit for each distinct tile, how many of it stay in the rack, the blank
 * first, then the letters in order.  So the number of a leave is that of the whole rack less the weights of the tiles
 * played. */
typedef struct {
    uint8_t counts[LETTER_CAPACITY];        /* tiles of each letter */
    uint8_t leave_weights[LETTER_CAPACITY]; /* place value of each letter in the number of a leave, 0 if it is not held */
    uint8_t values[LETTER_CAPACITY];        /* points of each letter, as bytes */
    uint8_t blank_weight;                   /* place value of the blank, 0 if there is none */
    uint8_t full_leave;                     /* number of the leave that is the whole rack */
    int32_t tiles, blanks;                  /* all its tiles; the blanks among them */
    letter_mask letters;                    /* its letters */
    letter_mask playable;                   /* letters that its tiles can show: `letters`, or with a blank all */
    int32_t bingo_bonus, bingo_tiles;       /* points of the bonus; tiles that a play must place to earn it */
    const int32_t *leave_values;            /* value of each leave, millipoints, or NULL */
} Hand;

/* The list that receives the plays. */
typedef struct {
    Play *plays;
    uint64_t count;    /* plays written */
    uint64_t capacity; /* plays that the array has room for */
    uint64_t limit;    /* with more plays than this the list stops growing */
    int32_t overflow;  /* the limit or the memory was reached: the list is not complete */
} PlaySink;

/* Take a rack of `count` tile codes (0 = blank), with the points that its letters have on a board. */
static void take_rack(Hand *hand, const LoadedBoard *board, const uint8_t *tiles, int count) {
    int weight = 1;
    memset(hand->counts, 0, sizeof(hand->counts));
    memset(hand->leave_weights, 0, sizeof(hand->leave_weights));
    hand->tiles = count;
    hand->blanks = 0;
    hand->blank_weight = 0;
    hand->letters = 0;
    for (int i = 0; i < count; i++)
        if (tiles[i]) {
            hand->counts[tiles[i] - 1]++;
            hand->letters |= (letter_mask)1 << (tiles[i] - 1);
        } else {
            hand->blanks++;
        }
    hand->playable = hand->blanks ? ~(letter_mask)0 : hand->letters;
    if (hand->blanks) {
        hand->blank_weight = 1;
        weight = hand->blanks + 1;
    }
    for (int letter = 0; letter < board->letter_count; letter++) {
        hand->values[letter] = (uint8_t)board->values[letter];
        if (!hand->counts[letter]) continue;
        hand->leave_weights[letter] = (uint8_t)weight;
        weight *= hand->counts[letter] + 1;
    }
    hand->full_leave = (uint8_t)(weight - 1);
}

/* Make room for `more` plays; return 0 if the limit or the end of memory is reached. */
static int reserve_plays(PlaySink *sink, uint64_t more) {
    uint64_t capacity = sink->capacity;
    Play *grown;
    if (sink->count + more <= capacity) return 1;
    while (capacity < sink->count + more) capacity *= 2;
    if (sink->count > sink->limit || !(grown = realloc(sink->plays, capacity * sizeof(Play)))) {
        sink->overflow = 1;
        return 0;
    }
    sink->plays = grown;
    sink->capacity = capacity;
    return 1;
}

/* Set the leave and the equity of a play.  `spent`: the leave weights of its tiles, summed. */
static inline void value_play(const Hand *hand, Play *play, int spent) {
    int leave = hand->full_leave - spent;
    int64_t equity = 1000 * (int64_t)play->score;
    play->leave = 0;
    if (hand->leave_values) {
        play->leave = (uint8_t)leave;
        equity += hand->leave_values[leave];
    }
    play->equity = equity > INT32_MAX ? INT32_MAX : (int32_t)equity;
}

/* Write a play to the list, where room for it has been reserved. */
static inline void write_play(PlaySink *sink, const Hand *hand, Play play, int spent) {
    value_play(hand, &play, spent);
    sink->plays[sink->count++] = play;
}

/* Write the squares on which a play places tiles (row x side + column), and their tile codes; return how many. */
static inline int lay_play(const LexiconTables *t, const LoadedBoard *b, const Play *play, int *cells, uint8_t *codes) {
    const Line *x = &b->lines[play->line];
    const uint8_t *letters = play->word & ONE_TILE ? NULL : word_letters(t, play->word, play->length);
    int side = b->side, n = 0;
    for (int i = 0; i < play->length; i++) {
        int square = play->start + i, letter;
        if (x->tiles[square] != NO_LETTER) continue;
        letter = letters ? letters[i] : (int)(play->word & ~ONE_TILE);
        cells[n] = play->line < side ? play->line * side + square : square * side + play->line - side;
        codes[n++] = (uint8_t)(letter + 1) | (play->blanks >> i & 1 ? BLANK_BIT : 0);
    }
    return n;
}

/* Whether play a is better than play b: more equity, then the order of ties that Plays.best documents. */
static inline int comes_before(const Play *a, const Play *b) {
    if (a->equity != b->equity) return a->equity > b->equity;
    if (a->line != b->line) return a->line < b->line;
    if (a->start != b->start) return a->start < b->start;
    if (a->length != b->length) return a->length < b->length;
    if (a->word != b->word) return a->word < b->word;
    return a->blanks < b->blanks;
}

#endif
