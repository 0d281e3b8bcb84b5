from libc.stdint cimport uint8_t, uint64_t

from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.loaded_board cimport LoadedBoardStruct


cdef class BoardKernel:
    cdef LoadedBoardStruct board   # holds no pointers, so copying it copies the board
    cdef Tables tables
    cdef int read_tiles(self, tiles, int *cells, uint8_t *codes) except -1
    cdef set_layout(self, Tables tables, bytes squares, values, layout)
    cdef void load_squares(self) noexcept nogil
    cdef void load(self) noexcept nogil
    cdef bint read_stored(self, const uint8_t *source, Py_ssize_t length) noexcept nogil
    cdef uint64_t place_tiles(self, const int *cells, const uint8_t *codes, int n) noexcept nogil
