from libc.stdint cimport uint8_t, uint16_t, uint32_t


cdef extern from "squares.h" nogil:
    enum:
        BLANK "KIBITZ_BLANK"
        SIDE_LIMIT "KIBITZ_SIDE_LIMIT"

    ctypedef struct Counts "KibitzCounts":
        uint16_t of[256]
        int total
        int highest

    ctypedef struct Island "KibitzIsland":
        uint32_t tiles[32]
        uint32_t reached[32]

    void count_tiles "kibitz_count"(const uint8_t *squares, int length, Counts *counts)
    int reach "kibitz_reach"(const uint8_t *squares, int side, int start, Island *island)
