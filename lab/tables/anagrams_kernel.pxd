from lab.tables.anagrams cimport AnagramIndex


cdef class Strings:
    cdef AnagramIndex view   # pointers into `arrays`
    cdef object arrays       # the sections, which must exist as long as the view
