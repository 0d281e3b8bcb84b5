from libc.stdint cimport uint8_t, uint64_t

from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.loaded_board cimport LoadedBoardStruct


cdef class BoardKernel:
    cdef LoadedBoardStruct board   # by value: no pointers inside, so a copy is a copy
    cdef Tables tables
    cdef int _take(self, placed, int *cells, uint8_t *codes) except -1
    cdef _set_up(self, Tables tables, int side, bytes squares, values, letter_factors, word_factors, starts,
                 bint both_ways)
    cdef void _lay_tiles(self) noexcept nogil
    cdef void _load(self) noexcept nogil
    cdef bint _read(self, const uint8_t *source, Py_ssize_t length) noexcept nogil
    cdef uint64_t _place(self, const int *cells, const uint8_t *codes, int n) noexcept nogil
