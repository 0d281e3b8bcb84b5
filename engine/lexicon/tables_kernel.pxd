from engine.lexicon.tables cimport LexiconTables


cdef class Tables:
    cdef LexiconTables view   # pointers into `sections`
    cdef dict sections        # the arrays, which must exist as long as the view
    cdef void _hook_letters(self) noexcept nogil
