from engine.evaluation.bingo_expectation cimport BingoTableStruct
from engine.lexicon.tables_kernel cimport Tables


cdef class BingoTables:
    cdef BingoTableStruct view   # pointers into `arrays` and the tables
    cdef Tables tables
    cdef dict arrays             # by name
    cdef _fill_slots(self)
    cdef _fill_rows(self)
