from lab.tables.automaton cimport AutomatonView


cdef class Automaton:
    cdef AutomatonView view   # pointers into the arrays below
    cdef object arcs          # bytes of the arcs
    cdef object words         # word ids by string number
