"""Objects of frozen dataclasses made at once; see filling.pyi."""

from cpython.object cimport PyObject_GenericSetAttr


def filled(type kind not None, *values):
    return fill(kind, values)


cdef object fill(type kind, tuple values):
    cdef tuple names = kind.__match_args__
    cdef Py_ssize_t place
    cdef object made
    if len(names) != len(values):
        raise TypeError(f"{kind.__name__} has {len(names)} fields, not {len(values)}")
    made = kind.__new__(kind)
    for place in range(len(values)):
        PyObject_GenericSetAttr(made, names[place], values[place])
    return made
