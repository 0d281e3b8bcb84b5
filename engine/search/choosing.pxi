"""Chooses the move with the most equity: what the static players do, and every search below its leaves.

Compiled twice (choosing_narrow, choosing_wide).
"""
from libc.stdint cimport INT32_MIN, int32_t, uint8_t, uint64_t
from libc.string cimport memset

from engine.lexicon.tables cimport SIDE
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.movegen.plays cimport Hand, Play, PlaySink, comes_before, lay_play
from engine.search.ending cimport MOST_PLAYERS, add_ending, game_ending


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
        cdef const GameRules *rules = &self.rules
        cdef const Hand *hand = self.generator.hold(board, tiles, count, rules.bingo_bonus, rules.bingo_tiles)
        cdef const PlaySink *sink
        cdef Situation situation
        cdef Play *best
        cdef bint found = False
        cdef uint64_t i
        cdef int cells[SIDE]
        cdef uint8_t codes[SIDE]
        memset(choice, 0, sizeof(Choice))
        choice.equity = INT32_MIN
        if valuer == NULL:
            found = self.generator.find_best(NULL, &choice.play)
        else:
            situation.board = board
            situation.hand = hand
            situation.tiles = tiles
            situation.unseen = unseen
            situation.unseen_count = unseen_count
            situation.bag_count = bag_count
            situation.spread = spread
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
        choice.kind = <uint8_t> PASS_MOVE
        if found:
            choice.kind = <uint8_t> PLAY_MOVE
            choice.equity = choice.play.equity
            choice.kept_count = <uint8_t> keep_unplayed(
                tiles, count, codes, lay_play(&self.tables.view, board, &choice.play, cells, codes), choice.kept)
        if valuer != NULL:
            self.consider_exchanges(&situation, count, choice)
        elif not found:
            choice.kept_count = <uint8_t> count
            choice.equity = 0
            if bag_count >= rules.exchange_limit and bag_count:
                choice.kind = <uint8_t> EXCHANGE_MOVE
                choice.kept_count = <uint8_t> (count - min(count, bag_count))
            for i in range(choice.kept_count):
                choice.kept[i] = tiles[count - choice.kept_count + <int> i]

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
