from libc.stdint cimport uint8_t, uint64_t

from engine.lexicon.tables_kernel cimport Tables
from engine.loaded_board.loaded_board cimport LoadedBoardStruct


cdef class BoardKernel:
    cdef LoadedBoardStruct board   # by value: no pointers inside, so a copy is a copy
    cdef Tables tables
    cdef int _take(self, placed, int *cells, uint8_t *codes) except -1
    cdef void _load(self) noexcept nogil
    cdef uint64_t _place(self, const int *cells, const uint8_t *codes, int n) noexcept nogil
