from libc.stdint cimport uint8_t

from engine.movegen.plays cimport Play

cdef enum:
    BLANK = 0x80  # of a tile code: a blank stands for the letter
    LONGEST = 64  # squares of a line, with room to spare


cdef struct Laid:
    int row  # of the first square
    int column
    bint down
    uint8_t tiles[LONGEST]  # tile codes, 0 where a tile lies already


cdef int lay(const Play *play, object letters, const uint8_t *squares, int side, Laid *to) except -1
