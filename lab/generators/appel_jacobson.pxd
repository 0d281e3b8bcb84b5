"""Declarations of appel_jacobson_kernels.h."""
from lab.generators.arc_search cimport SearchKernels


cdef extern from "appel_jacobson_kernels.h" nogil:
    const SearchKernels *search_kernels_at(int level)
