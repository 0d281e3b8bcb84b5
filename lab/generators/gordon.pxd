"""Declarations of gordon_kernels.h."""
from lab.generators.arc_search cimport SearchKernels


cdef extern from "gordon_kernels.h" nogil:
    const SearchKernels *search_kernels_at(int level)
