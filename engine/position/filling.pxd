cdef object fill(type kind, tuple values)
