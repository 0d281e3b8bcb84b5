"""Chooses the move with the most equity: what the static players do, and every search below its leaves.

The build compiles it for both geometries (geometry.h).
"""
from libc.stdint cimport INT32_MIN, int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from engine.evaluation.valuation cimport Situation, Valuer
from engine.lexicon.tables cimport SIDE
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.movegen.internal_words_kernel cimport Generator
from engine.movegen.plays cimport Play, PlaySink, comes_before, lay_play
from engine.search.ending cimport MOST_PLAYERS, add_ending, game_ending
from engine.search.mover cimport (
    EXCHANGE_MOVE, PASS_MOVE, PLAY_MOVE, STANDING_PLAYS, Choice, Standing, keep_unplayed, leave_sizes,
    leave_tiles,
)


def ending_of(dict rules not None, int players, int tiles_left, int zeros, int passes, bint scoreless):
    """Return how a game ends (ending.h), by the rules by the names of mover.h."""
    cdef GameRules told = rules
    return game_ending(&told, players, tiles_left, zeros, passes, scoreless)


def ending_points(dict rules not None, left not None, int out):
    """Return what the ending adds to the score of each player (ending.h)."""
    cdef GameRules told = rules
    cdef int32_t points[MOST_PLAYERS]
    cdef int32_t added[MOST_PLAYERS]
    cdef int players = <int> len(left), i
    if players > MOST_PLAYERS:
        raise ValueError("a game has at most four players")
    for i in range(players):
        points[i] = left[i]
    add_ending(&told, players, out, points, added)
    return [added[i] for i in range(players)]


cdef uint64_t ALL_LINES = 0xFFFFFFFFFFFFFFFF


cdef class Mover:
    """Chooses moves by the rules of one game over one lexicon; holds the scratch memory of one thread."""

    def __init__(self, Generator generator not None, dict rules not None):
        """Take a generator of this thread, and the rules by the names of mover.h."""
        self.generator = generator
        self.tables = generator.tables
        self.rules = rules

    cdef void choose(self, const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                     const uint8_t *unseen, int unseen_count, int bag_count, int spread, Valuer *valuer,
                     Choice *choice) noexcept nogil:
        """Write the best move of a rack: of plays and exchanges the one with the most equity, else a pass.

        `tiles`: the rack as codes, ascending (0 = blank); `unseen`: by tile code, with their sum; `valuer`: NULL
        for the greedy player, who exchanges only without a play, and then all.  Of equal moves plays come
        first, then exchanges of fewer tiles (the leave with the higher number).
        """
        cdef const PlaySink *sink
        cdef Situation situation
        cdef Play *best
        cdef bint found = False
        cdef uint64_t i
        memset(choice, 0, sizeof(Choice))
        self.held_for = NULL
        self.hand = self.generator.hold(board, tiles, count, self.rules.bingo_bonus, self.rules.bingo_tiles)
        self.look_at(&situation, board, tiles, count, unseen, unseen_count, bag_count, spread)
        if valuer == NULL:
            found = self.generator.find_best(NULL, &choice.play)
        else:
            valuer.value_leaves(valuer, &situation, self.values)
            if valuer.adjust_plays == NULL:
                found = self.generator.find_best(self.values, &choice.play)
            else:
                sink = self.generator.find_plays(self.values)
                valuer.adjust_plays(valuer, &situation, sink.plays, sink.count)
                best = sink.plays
                for i in range(1, sink.count):
                    if comes_before(&sink.plays[i], best):
                        best = &sink.plays[i]
                if sink.count:
                    found = True
                    choice.play = best[0]
        self.settle(&situation, count, valuer, found, choice)

    cdef void begin(self, Standing *standing, bint is_sought) noexcept nogil:
        """Expect another rack in `choose_beside`; `is_sought`: enough boards will follow to pay for its best plays
        on the base."""
        standing.count = 0
        standing.exhausted = False
        standing.is_sought = is_sought
        self.held_for = NULL

    cdef void choose_beside(self, const LoadedBoardStruct *base, uint64_t changed, Standing *standing,
                            const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                            const uint8_t *unseen, int unseen_count, int bag_count, int spread, Valuer *valuer,
                            Choice *choice) noexcept nogil:
        """Write what `choose` does, for one rack on several boards in turn, each time with the same `standing`.

        The boards differ from `base` in the lines `changed` (bit set) at most.  The valuer, if any, changes no
        plays, and while tiles are in the bag it goes by the rack alone: so the rack is valued once.
        """
        cdef Situation situation
        cdef bint found
        if bag_count == 0:
            self.choose(board, tiles, count, unseen, unseen_count, bag_count, spread, valuer, choice)
            return
        memset(choice, 0, sizeof(Choice))
        if self.held_for != standing:
            self.hand = self.generator.hold(board, tiles, count, self.rules.bingo_bonus, self.rules.bingo_tiles)
            self.look_at(&situation, board, tiles, count, unseen, unseen_count, bag_count, spread)
            if valuer != NULL:
                valuer.value_leaves(valuer, &situation, self.values)
            self.generator.value_rack(NULL if valuer == NULL else self.values)
            self.held_for = standing
        else:
            self.look_at(&situation, board, tiles, count, unseen, unseen_count, bag_count, spread)
        found = self.find_beside(base, changed, standing, board, &choice.play)
        self.settle(&situation, count, valuer, found, choice)

    cdef bint find_beside(self, const LoadedBoardStruct *base, uint64_t changed, Standing *standing,
                          const LoadedBoardStruct *board, Play *best) noexcept nogil:
        """Write the best play of the rack held; false if there is none.

        Lines that have not changed hold the plays that they held on the base: of them the best is known already,
        and the others are looked at for a better one.
        """
        cdef uint64_t beyond = ALL_LINES
        cdef int k
        if not standing.is_sought:
            return self.generator.find_better(board, ALL_LINES, False, best)
        for k in range(STANDING_PLAYS):
            if k == standing.count and not standing.exhausted:
                if self.generator.find_better(base, beyond, False, &standing.plays[k]):
                    standing.count += 1
                else:
                    standing.exhausted = True
            if k == standing.count:
                return self.generator.find_better(board, changed, False, best)
            if not changed >> standing.plays[k].line & 1:
                best[0] = standing.plays[k]
                return self.generator.find_better(board, changed, True, best)
            beyond &= ~(<uint64_t> 1 << standing.plays[k].line)
        return self.generator.find_better(board, ALL_LINES, False, best)

    cdef void look_at(self, Situation *situation, const LoadedBoardStruct *board, const uint8_t *tiles, int count,
                      const uint8_t *unseen, int unseen_count, int bag_count, int spread) noexcept nogil:
        """Write the situation of the rack held."""
        situation.board = board
        situation.hand = self.hand
        situation.tiles = tiles
        situation.unseen = unseen
        situation.unseen_count = unseen_count
        situation.bag_count = bag_count
        situation.spread = spread

    cdef void settle(self, const Situation *situation, int count, Valuer *valuer, bint found,
                     Choice *choice) noexcept nogil:
        """Complete a choice: the best play, if one was found, against the exchanges and the pass."""
        cdef const uint8_t *tiles = situation.tiles
        cdef int cells[SIDE]
        cdef uint8_t codes[SIDE]
        cdef int i
        choice.equity = INT32_MIN
        choice.kind = <uint8_t> PASS_MOVE
        if found:
            choice.kind = <uint8_t> PLAY_MOVE
            choice.equity = choice.play.equity
            i = lay_play(&self.tables.view, situation.board, &choice.play, cells, codes)
            choice.kept_count = <uint8_t> keep_unplayed(tiles, count, codes, i, choice.kept)
        if valuer != NULL:
            self.consider_exchanges(situation, count, choice)
        elif not found:
            choice.kept_count = <uint8_t> count
            choice.equity = 0
            if situation.bag_count >= self.rules.exchange_limit and situation.bag_count:
                choice.kind = <uint8_t> EXCHANGE_MOVE
                choice.kept_count = <uint8_t> (count - min(count, situation.bag_count))
            memcpy(choice.kept, tiles + count - choice.kept_count, choice.kept_count)

    cdef void consider_exchanges(self, const Situation *situation, int count, Choice *choice) noexcept nogil:
        """Take the best exchange if its leave is worth more than the play chosen; pass if there is neither."""
        cdef uint8_t sizes[128]
        cdef int full = situation.hand.full_leave, number, best = -1
        cdef int least = count - situation.bag_count  # more than the bag holds cannot be exchanged
        if situation.bag_count >= self.rules.exchange_limit:
            leave_sizes(situation.tiles, count, sizes)
            for number in range(full):
                if sizes[number] >= least and (best < 0 or self.values[number] >= self.values[best]):
                    best = number
        if best < 0:
            best = full
            if choice.kind == PLAY_MOVE:
                return
        if self.values[best] <= choice.equity:
            return
        memset(&choice.play, 0, sizeof(Play))
        choice.equity = self.values[best]
        choice.kind = <uint8_t> (PASS_MOVE if best == full else EXCHANGE_MOVE)
        choice.kept_count = <uint8_t> leave_tiles(situation.tiles, count, best, choice.kept)
