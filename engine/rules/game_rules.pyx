"""The rules of a game as the kernels take them; compiled once, since they do not depend on the geometry."""
from libc.stdint cimport int32_t

cimport cython


@cython.auto_pickle(True)
cdef class RulesKernel:
    """Hold the numbers of a rule set; immutable."""

    def __init__(self, rules not None, bingo_bonus=None):
        """Take a RuleSet; `bingo_bonus`: points, instead of those of the rules."""
        self.numbers.bingo_bonus = rules.bingo_bonus if bingo_bonus is None else bingo_bonus
        self.numbers.bingo_tiles = rules.bingo_tiles
        self.numbers.rack_size = rules.rack_size
        self.numbers.exchange_limit = rules.exchange_limit
        self.numbers.zero_turn_limit = rules.zero_turn_limit
        self.numbers.passes_each = rules.passes_each
        self.numbers.zero_turns_need_points = rules.zero_turns_need_points
        self.numbers.ending_is_double = rules.ending == "double"

    def ending(self, int players, int tiles_left, int zero_turns, int passes, bint scoreless):
        """Return game_ending of game_rules.h."""
        return game_ending(&self.numbers, players, tiles_left, zero_turns, passes, scoreless)

    def adjustments(self, left not None, int out):
        """Return add_ending of game_rules.h for each player."""
        cdef int32_t points[MAX_PLAYERS]
        cdef int32_t added[MAX_PLAYERS]
        cdef int players = <int> len(left), i
        if players > MAX_PLAYERS:
            raise ValueError("a game has at most four players")
        for i in range(players):
            points[i] = left[i]
        add_ending(&self.numbers, players, out, points, added)
        return [added[i] for i in range(players)]
