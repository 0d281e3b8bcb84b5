cpdef object held(object player)
