"""Declarations of anagrams.h: the fields are described there."""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t


cdef extern from "anagrams.h" nogil:
    const int BLANKS_INDEXED
    const uint64_t BLANK_KEY

    ctypedef struct AnagramString:
        uint64_t key
        uint32_t first
        uint32_t count

    ctypedef struct AnagramIndex:
        const AnagramString *strings
        const uint32_t *words
        const uint32_t *filter
        uint64_t home_count
        int32_t filter_bits
        uint8_t tile_counts[64]

    const AnagramString *find_string(const AnagramIndex *index, uint64_t key)
    int letter_excess(const AnagramIndex *index, const uint8_t *counts, int letter_count)
