"""Declarations of anagram.h and anagram_kernels.h: the fields are described there."""
from libc.stdint cimport int32_t, uint64_t

from lab.tables.anagrams cimport AnagramIndex
from engine.lexicon.tables cimport RACK_CAPACITY
from engine.movegen.generation cimport Generation


cdef extern from "anagram.h" nogil:
    const int RACK_STRINGS

    ctypedef struct RackString:
        uint64_t letters
        uint64_t key
        int32_t blanks

    ctypedef struct AnagramGeneration:
        Generation shared
        const AnagramIndex *index
        RackString strings[RACK_CAPACITY + 1][RACK_STRINGS]
        int32_t string_count[RACK_CAPACITY + 1]
        int32_t indexed
        uint64_t lookup_count
        uint64_t unindexed_count


cdef extern from "anagram_kernels.h" nogil:
    ctypedef struct AnagramKernels:
        void (*play_interval)(AnagramGeneration *a, int line, int start, int length) noexcept nogil

    const AnagramKernels *anagram_kernels_at(int level)
