"""Declarations of arc_search.h: the fields are described there."""
from libc.stdint cimport uint64_t

from lab.tables.automaton cimport AutomatonView
from engine.loaded_board.loaded_board cimport LoadedBoardStruct
from engine.movegen.plays cimport Hand, PlaySink


cdef extern from "arc_search.h" nogil:
    ctypedef struct ArcSearch:
        const AutomatonView *automaton
        const LoadedBoardStruct *board
        Hand hand
        PlaySink sink
        uint64_t arc_count
        uint64_t anchor_count

    ctypedef struct SearchKernels:
        const char *name
        void (*search)(ArcSearch *g) noexcept nogil
