from engine.lexicon.tables cimport LexiconTables


cdef enum:
    BLOCK = 16                # bits of the number of a word among those of its length that list_words holds
    ENTRIES_AFTER_END = 64    # after the end of arrays that vector loops read in blocks


cdef class Tables:
    cdef LexiconTables view   # pointers into `sections`
    cdef dict sections        # the arrays, which must exist as long as the view
    cdef void _hook_letters(self) noexcept nogil
