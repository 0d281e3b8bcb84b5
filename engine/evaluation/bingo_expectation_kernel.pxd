from engine.evaluation.bingo_expectation cimport BingoTableStruct
from engine.lexicon.tables_kernel cimport Tables


cdef class BingoTables:
    cdef BingoTableStruct view   # pointers into `kept` and the tables
    cdef Tables tables
    cdef dict kept               # the arrays, kept alive
    cdef _fill_slots(self)
    cdef _fill_rows(self)
