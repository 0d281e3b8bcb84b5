from libc.stdint cimport uint8_t

cdef enum:
    KNOWN = 0x600  # characters below are known at once: Latin, Greek, Cyrillic, Armenian, their accents
    LONGEST = 5  # characters of a tile: three in brackets
    NO_TILE = 0xFF  # no code: a tile's are at most 63, with or without the mark of a blank


cdef class TileTexts:
    cdef uint8_t codes[KNOWN]  # the tile that a character stands for, by the character; or NO_TILE
    cdef Py_UCS4 texts[256][LONGEST]  # what is written for each code
    cdef uint8_t lengths[256]  # characters of each of these
    cdef dict notation  # the tile that a text stands for

    cpdef bytes read_board(self, str text, int side)
    cpdef bytes read_rack(self, str text)
    cpdef str write_board(self, bytes squares, int side)
    cpdef str write_rack(self, bytes tiles)
    cdef int read_tile(self, str text, Py_ssize_t *at) except -1
    cdef Py_ssize_t write_tile(self, int code, Py_UCS4 *to) noexcept
