"""A generator that walks an automaton, as an object for Python.

The kernels of both methods include it and provide `search_kernels_at`.
"""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free

from engine.lexicon.tables cimport RACK_CAPACITY
from lab.generators.arc_search cimport ArcSearch, SearchKernels
from engine.movegen.plays cimport take_rack

include "engine/movegen/play_array.pxi"


def simd_name(int level):
    """Return the name of the kernel at a level (0 plain C, 1 bit instructions), None if the processor lacks it."""
    cdef const SearchKernels *kernels = search_kernels_at(level)
    return kernels.name.decode() if kernels != NULL else None


cdef class Generator:
    """Generates the plays of one lexicon; owns the scratch memory of one thread."""
    cdef ArcSearch g
    cdef const SearchKernels *kernels
    cdef Tables tables
    cdef Automaton automaton

    def __init__(self, Tables tables not None, Automaton automaton not None, int level, uint64_t play_limit):
        """Take the tables, the automaton of the same words, the kernel's level and the limit of plays.

        Raises ValueError if the processor lacks the instructions of that level, MemoryError.
        """
        self.kernels = search_kernels_at(level)
        if self.kernels == NULL:
            raise ValueError(f"this processor cannot run kernel {level}")
        self.tables = tables
        self.automaton = automaton
        self.g.automaton = &automaton.view
        self.g.sink.limit = play_limit
        give_block(&self.g.sink)

    def __dealloc__(self):
        free(self.g.sink.plays)

    @property
    def simd(self):
        """Name of the kernel in use."""
        return self.kernels.name.decode()

    def generate(self, BoardKernel board not None, bytes rack not None, int bingo_bonus, int bingo_tiles,
                 leave_values, dtype):
        """Return (plays as an array of `dtype`, anchors searched from, arcs followed).

        `rack`: up to 7 tile codes, 0 = blank; `leave_values`: one int32 (millipoints) a leave, or None.
        Raises OverflowError if there are more plays than the limit, ValueError if the rack does not fit.
        """
        cdef ArcSearch *g = &self.g
        cdef const int32_t[::1] values
        if len(rack) > RACK_CAPACITY or (rack and max(rack) > board.board.letter_count):
            raise ValueError("the rack holds at most 7 tiles of the tile set")
        if board.tables is not self.tables:
            raise ValueError("the board was loaded with another lexicon")
        g.board = &board.board
        g.hand.bingo_bonus = bingo_bonus
        g.hand.bingo_tiles = bingo_tiles
        take_rack(&g.hand, g.board, <const uint8_t *> rack, <int> len(rack))
        g.hand.leave_values = NULL
        if leave_values is not None:
            values = leave_values
            if values.shape[0] != g.hand.full_leave + 1:
                raise ValueError(f"the rack has {g.hand.full_leave + 1} leaves, not {values.shape[0]}")
            g.hand.leave_values = &values[0]
        with nogil:
            self.kernels.search(g)
        plays = listed_plays(&g.sink, dtype)
        return plays, g.anchor_count, g.arc_count
