from engine.lexicon.rivals.anagrams cimport AnagramIndex


cdef class Strings:
    cdef AnagramIndex view   # pointers into `kept`
    cdef object kept         # the arrays, kept alive
